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
        "OneOrMany",
        128924581895905565802544946948706941510,
        ::core::module_path!(),
        __p::Kind::union(
            __p::Tagging::Untagged,
            &[
                __p::Case {
                    name: "Many",
                    schema: __p::SchemaRef::new(
                        &__p::Schema::plain(
                                "Many",
                                __p::Kind::Transparent(
                                    <Vec<Item> as __p::ResponseSchema>::SCHEMA,
                                ),
                            )
                            .doc(",\"description\":\"Several."),
                    ),
                    ..__p::Case::PLAIN
                },
                __p::Case {
                    name: "One",
                    schema: <Item as __p::ResponseSchema>::SCHEMA,
                    ..__p::Case::PLAIN
                },
                __p::Case {
                    name: "None",
                    schema: __p::SchemaRef::new(
                        &__p::Schema::plain("None", __p::Kind::Null),
                    ),
                    ..__p::Case::PLAIN
                },
            ],
        ),
    );
    #[automatically_derived]
    impl __p::ResponseSchema for OneOrMany {
        const SCHEMA: __p::SchemaRef = __p::SchemaRef::new(&__RESPONSE_SCHEMA_NODE);
        fn check(&self, __at: __p::Path<'_>, __found: &mut __p::Violations) {
            match self {
                Self::Many { 0: __f_0, .. } => {
                    <Vec<Item> as __p::ResponseSchema>::check(__f_0, __at, __found);
                }
                Self::One { 0: __f_0, .. } => {
                    <Item as __p::ResponseSchema>::check(__f_0, __at, __found);
                }
                _ => {}
            }
        }
    }
    const _: () = __p::check_type(<OneOrMany as __p::ResponseSchema>::SCHEMA);
    const _: () = __p::check_field(<Vec<Item> as __p::ResponseSchema>::SCHEMA, 0, "");
    const _: () = __p::check_field(<Item as __p::ResponseSchema>::SCHEMA, 0, "");
    const _: () = __p::check_untagged(<OneOrMany as __p::ResponseSchema>::SCHEMA, 1);
    const _: () = __p::check_untagged(<OneOrMany as __p::ResponseSchema>::SCHEMA, 2);
};
