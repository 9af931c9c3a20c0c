#[doc(hidden)]
#[allow(
    deprecated,
    unused_qualifications,
    clippy::absolute_paths,
    clippy::needless_update
)]
const _: () = {
    use ::toolkit::schema::__private as __p;
    const __RULES_0: &__p::Rules = &__p::Rules {
        min_items: ::core::option::Option::Some(1),
        ..*__p::Rules::NONE
    };
    static __RESPONSE_SCHEMA_NODE: __p::Schema = __p::Schema::derived(
            "Sources",
            54836122203584433538206448611272692778,
            ::core::module_path!(),
            __p::Kind::object(
                &[
                    __p::Field {
                        key: __p::Key {
                            lead: "\"map\":",
                            hash: 580780841256168849,
                        },
                        schema: <HashMap<
                            String,
                            Value,
                        > as ::toolkit::schema::entries::EntriesOf>::ENTRIES,
                        rules: __RULES_0,
                        ruled: true,
                        ..__p::Field::PLAIN
                    },
                    __p::Field {
                        key: __p::Key {
                            lead: "\"free\":",
                            hash: 9178991868523372827,
                        },
                        schema: <::toolkit::schema::json_text::JsonText as __p::ResponseSchema>::SCHEMA,
                        ..__p::Field::PLAIN
                    },
                    __p::Field {
                        key: __p::Key {
                            lead: "\"own\":",
                            hash: 1869439255507851807,
                        },
                        schema: <String as __p::ResponseSchema>::SCHEMA,
                        ..__p::Field::PLAIN
                    },
                    __p::Field {
                        key: __p::Key {
                            lead: "\"rest\":",
                            hash: 5527727774794834391,
                        },
                        schema: <Rest as __p::ResponseSchema>::SCHEMA,
                        flatten: true,
                        ..__p::Field::PLAIN
                    },
                ],
            ),
        )
        .one_sided()
        .stated();
    #[automatically_derived]
    impl __p::ResponseSchema for Sources {
        const SCHEMA: __p::SchemaRef = __p::SchemaRef::new(&__RESPONSE_SCHEMA_NODE);
        fn check(&self, __at: __p::Path<'_>, __found: &mut __p::Violations) {
            <HashMap<
                String,
                Value,
            > as ::toolkit::schema::entries::EntriesOf>::check_entries(
                &self.map,
                __at.key("map"),
                __found,
            );
            ::toolkit::schema::entries::check_rules(
                &self.map,
                __p::Checks::of(__RULES_0),
                __at.key("map"),
                __found,
            );
            <Rest as __p::ResponseSchema>::check(&self.rest, __at, __found);
        }
    }
    const _: () = __p::check_type(<Sources as __p::ResponseSchema>::SCHEMA);
    const _: () = __p::check_field(
        <HashMap<String, Value> as ::toolkit::schema::entries::EntriesOf>::ENTRIES,
        1,
        "map",
    );
    const _: () = __p::check_rules(
        <HashMap<String, Value> as ::toolkit::schema::entries::EntriesOf>::ENTRIES,
        __RULES_0,
    );
    const _: () = __p::check_flatten(<Sources as __p::ResponseSchema>::SCHEMA, 0, 3);
};
