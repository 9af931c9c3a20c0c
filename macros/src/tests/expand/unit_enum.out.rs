#[doc(hidden)]
#[allow(
    deprecated,
    unused_qualifications,
    clippy::absolute_paths,
    clippy::needless_update
)]
const _: () = {
    use ::response_schema::__private as __p;
    static __RESPONSE_SCHEMA_NODE: __p::Schema = __p::Schema::derived(
        "Severity",
        50242382364191976801485042837887432751,
        ::core::module_path!(),
        __p::Kind::Enum(
            &[
                __p::Unit {
                    value: "\"low\"",
                    ..__p::Unit::PLAIN
                },
                __p::Unit {
                    value: "\"full-stop\"",
                    doc: "Nobody can work.",
                    aliases: &["\"blocker\"", "\"stopper\""],
                    ..__p::Unit::PLAIN
                },
            ],
        ),
    );
    #[automatically_derived]
    impl __p::ResponseSchema for Severity {
        const SCHEMA: __p::SchemaRef = __p::SchemaRef::new(&__RESPONSE_SCHEMA_NODE);
    }
    const _: () = __p::check_type(<Severity as __p::ResponseSchema>::SCHEMA);
};
