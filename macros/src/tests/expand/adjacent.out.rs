#[doc(hidden)]
#[allow(
    deprecated,
    unused_qualifications,
    clippy::absolute_paths,
    clippy::needless_update
)]
const _: () = {
    use ::response_schema::__private as __p;
    const __RULES_0: &__p::Rules = &__p::Rules {
        max_items: ::core::option::Option::Some(3),
        ..*__p::Rules::NONE
    };
    static __RESPONSE_SCHEMA_NODE: __p::Schema = __p::Schema::derived(
        "Step",
        145824069916615350999016867899276666302,
        ::core::module_path!(),
        __p::Kind::union(
            __p::Tagging::Adjacent {
                tag: __p::Key {
                    lead: "\"t\":",
                    hash: 12638201494206808739,
                },
                content: __p::Key {
                    lead: "\"c\":",
                    hash: 12638189399578898418,
                },
            },
            &[
                __p::Case {
                    name: "Stop",
                    schema: __p::SchemaRef::new(
                        &__p::Schema::plain(
                            "Stop",
                            __p::Kind::object(
                                &[
                                    __p::Field {
                                        key: __p::Key {
                                            lead: "\"t\":",
                                            hash: 12638201494206808739,
                                        },
                                        schema: __p::SchemaRef::new(
                                            &__p::Schema::plain(
                                                "tag",
                                                __p::Kind::Enum(
                                                    &[
                                                        __p::Unit {
                                                            value: "\"Stop\"",
                                                            ..__p::Unit::PLAIN
                                                        },
                                                    ],
                                                ),
                                            ),
                                        ),
                                        ..__p::Field::PLAIN
                                    },
                                ],
                            ),
                        ),
                    ),
                    ..__p::Case::PLAIN
                },
                __p::Case {
                    name: "Go",
                    schema: __p::SchemaRef::new(
                        &__p::Schema::plain(
                            "Go",
                            __p::Kind::object(
                                &[
                                    __p::Field {
                                        key: __p::Key {
                                            lead: "\"t\":",
                                            hash: 12638201494206808739,
                                        },
                                        schema: __p::SchemaRef::new(
                                            &__p::Schema::plain(
                                                "tag",
                                                __p::Kind::Enum(
                                                    &[
                                                        __p::Unit {
                                                            value: "\"Go\"",
                                                            ..__p::Unit::PLAIN
                                                        },
                                                    ],
                                                ),
                                            ),
                                        ),
                                        ..__p::Field::PLAIN
                                    },
                                    __p::Field {
                                        key: __p::Key {
                                            lead: "\"c\":",
                                            hash: 12638189399578898418,
                                        },
                                        schema: <Vec<Target> as __p::ResponseSchema>::SCHEMA,
                                        rules: __RULES_0,
                                        ruled: true,
                                        ..__p::Field::PLAIN
                                    },
                                ],
                            ),
                        ),
                    ),
                    ..__p::Case::PLAIN
                },
                __p::Case {
                    name: "Turn",
                    schema: __p::SchemaRef::new(
                        &__p::Schema::plain(
                            "Turn",
                            __p::Kind::object(
                                &[
                                    __p::Field {
                                        key: __p::Key {
                                            lead: "\"t\":",
                                            hash: 12638201494206808739,
                                        },
                                        schema: __p::SchemaRef::new(
                                            &__p::Schema::plain(
                                                "tag",
                                                __p::Kind::Enum(
                                                    &[
                                                        __p::Unit {
                                                            value: "\"Turn\"",
                                                            ..__p::Unit::PLAIN
                                                        },
                                                    ],
                                                ),
                                            ),
                                        ),
                                        ..__p::Field::PLAIN
                                    },
                                    __p::Field {
                                        key: __p::Key {
                                            lead: "\"c\":",
                                            hash: 12638189399578898418,
                                        },
                                        schema: __p::SchemaRef::new(
                                            &__p::Schema::plain(
                                                "Turn",
                                                __p::Kind::object(
                                                    &[
                                                        __p::Field {
                                                            key: __p::Key {
                                                                lead: "\"degrees\":",
                                                                hash: 2695066350403050446,
                                                            },
                                                            schema: <u16 as __p::ResponseSchema>::SCHEMA,
                                                            ..__p::Field::PLAIN
                                                        },
                                                    ],
                                                ),
                                            ),
                                        ),
                                        ..__p::Field::PLAIN
                                    },
                                ],
                            ),
                        ),
                    ),
                    ..__p::Case::PLAIN
                },
            ],
        ),
    );
    #[automatically_derived]
    impl __p::ResponseSchema for Step {
        const SCHEMA: __p::SchemaRef = __p::SchemaRef::new(&__RESPONSE_SCHEMA_NODE);
        fn check(&self, __at: __p::Path<'_>, __found: &mut __p::Violations) {
            match self {
                Self::Go { 0: __f_0, .. } => {
                    <Vec<
                        Target,
                    > as __p::ResponseSchema>::check(__f_0, __at.key("c"), __found);
                    <Vec<
                        Target,
                    > as __p::ResponseSchema>::check_rules(
                        __f_0,
                        __p::Checks::of(__RULES_0),
                        __at.key("c"),
                        __found,
                    );
                }
                Self::Turn { degrees: __f_0, .. } => {
                    <u16 as __p::ResponseSchema>::check(
                        __f_0,
                        __at.key("c").key("degrees"),
                        __found,
                    );
                }
                _ => {}
            }
        }
    }
    const _: () = __p::check_type(<Step as __p::ResponseSchema>::SCHEMA);
    const _: () = __p::check_field(<Vec<Target> as __p::ResponseSchema>::SCHEMA, 1, "c");
    const _: () = __p::check_rules(
        <Vec<Target> as __p::ResponseSchema>::SCHEMA,
        __RULES_0,
    );
};
