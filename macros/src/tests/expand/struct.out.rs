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
            "Ticket",
            209739153019447466265805913692209419878,
            ::core::module_path!(),
            __p::Kind::object(
                &[
                    __p::Field {
                        key: __p::Key {
                            lead: "\"summary\":",
                            hash: 11800136067514369299,
                        },
                        schema: <String as __p::ResponseSchema>::SCHEMA,
                        doc: __p::Doc(",\"description\":\"One sentence."),
                        ..__p::Field::PLAIN
                    },
                    __p::Field {
                        key: __p::Key {
                            lead: "\"type\":",
                            hash: 12075340201627130925,
                        },
                        schema: <Option<Kind> as __p::ResponseSchema>::SCHEMA,
                        optional: true,
                        ..__p::Field::PLAIN
                    },
                    __p::Field {
                        key: __p::Key {
                            lead: "\"labels\":",
                            hash: 5459792080582216330,
                        },
                        schema: <Vec<Label> as __p::ResponseSchema>::SCHEMA,
                        ..__p::Field::PLAIN
                    },
                ],
            ),
        )
        .doc(",\"description\":\"A support ticket taken from a \\\"report\\\".");
    #[automatically_derived]
    impl __p::ResponseSchema for Ticket {
        const SCHEMA: __p::SchemaRef = __p::SchemaRef::new(&__RESPONSE_SCHEMA_NODE);
        fn check(&self, __at: __p::Path<'_>, __found: &mut __p::Violations) {
            <String as __p::ResponseSchema>::check(
                &self.summary,
                __at.key("summary"),
                __found,
            );
            <Option<
                Kind,
            > as __p::ResponseSchema>::check(&self.r#type, __at.key("type"), __found);
            <Vec<
                Label,
            > as __p::ResponseSchema>::check(&self.labels, __at.key("labels"), __found);
        }
    }
    const _: () = __p::check_type(<Ticket as __p::ResponseSchema>::SCHEMA);
    const _: () = __p::check_field(
        <Option<Kind> as __p::ResponseSchema>::SCHEMA,
        1,
        "type",
    );
    const _: () = __p::check_field(
        <Vec<Label> as __p::ResponseSchema>::SCHEMA,
        1,
        "labels",
    );
};
