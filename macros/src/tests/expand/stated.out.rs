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
            "Checked",
            324888369524460053395251048648650429581,
            ::core::module_path!(),
            __p::Kind::Transparent(<Raw<'_> as __p::ResponseSchema>::SCHEMA),
        )
        .one_sided()
        .stated();
    #[automatically_derived]
    impl<'a> __p::ResponseSchema for Checked<'a> {
        const SCHEMA: __p::SchemaRef = __p::SchemaRef::new(&__RESPONSE_SCHEMA_NODE);
    }
    const _: () = __p::check_type(<Checked<'_> as __p::ResponseSchema>::SCHEMA);
};
