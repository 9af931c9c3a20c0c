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
        "Step",
        66653786336915695499034748027757185738,
        ::core::module_path!(),
        __p::Kind::union(
            __p::Tagging::Internal {
                tag: __p::Key {
                    lead: "\"type\":",
                    hash: 12075340201627130925,
                },
            },
            &[
                __p::Case {
                    name: "Stop",
                    schema: __p::SchemaRef::new(
                        &__p::Schema::plain(
                            "Stop",
                            __p::Kind::closed_object(
                                &[
                                    __p::Field {
                                        key: __p::Key {
                                            lead: "\"type\":",
                                            hash: 12075340201627130925,
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
                            __p::Kind::closed_object(
                                &[
                                    __p::Field {
                                        key: __p::Key {
                                            lead: "\"type\":",
                                            hash: 12075340201627130925,
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
                                            lead: "\"Go\":",
                                            hash: 649144001569241323,
                                        },
                                        schema: <Target as __p::ResponseSchema>::SCHEMA,
                                        flatten: true,
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
                            __p::Kind::closed_object(
                                &[
                                    __p::Field {
                                        key: __p::Key {
                                            lead: "\"type\":",
                                            hash: 12075340201627130925,
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
                                            lead: "\"degrees\":",
                                            hash: 2695066350403050446,
                                        },
                                        schema: <u16 as __p::ResponseSchema>::SCHEMA,
                                        ..__p::Field::PLAIN
                                    },
                                    __p::Field {
                                        key: __p::Key {
                                            lead: "\"rest\":",
                                            hash: 5527727774794834391,
                                        },
                                        schema: <Rest as __p::ResponseSchema>::SCHEMA,
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
                    <Target as __p::ResponseSchema>::check(__f_0, __at, __found);
                }
                Self::Turn { degrees: __f_0, rest: __f_1, .. } => {
                    <u16 as __p::ResponseSchema>::check(
                        __f_0,
                        __at.key("degrees"),
                        __found,
                    );
                    <Rest as __p::ResponseSchema>::check(
                        __f_1,
                        __at.key("rest"),
                        __found,
                    );
                }
                _ => {}
            }
        }
    }
    const _: () = __p::check_type(<Step as __p::ResponseSchema>::SCHEMA);
    const _: () = __p::check_payload(<Step as __p::ResponseSchema>::SCHEMA, 1);
    const _: () = __p::check_field(<Rest as __p::ResponseSchema>::SCHEMA, 1, "rest");
};
