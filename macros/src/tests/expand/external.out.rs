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
        215058102820498834726640211445562272650,
        ::core::module_path!(),
        __p::Kind::union(
            __p::Tagging::External,
            &[
                __p::Case {
                    schema: __p::SchemaRef::new(
                        &__p::Schema::plain(
                            "units",
                            __p::Kind::Enum(
                                &[
                                    __p::Unit {
                                        value: "\"Stop\"",
                                        ..__p::Unit::PLAIN
                                    },
                                    __p::Unit {
                                        value: "\"Wait\"",
                                        ..__p::Unit::PLAIN
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
                                                lead: "\"Go\":",
                                                hash: 649144001569241323,
                                            },
                                            schema: <Target as __p::ResponseSchema>::SCHEMA,
                                            ..__p::Field::PLAIN
                                        },
                                    ],
                                ),
                            )
                            .doc(",\"description\":\"Goes on."),
                    ),
                    ..__p::Case::PLAIN
                },
                __p::Case {
                    name: "Pair",
                    schema: __p::SchemaRef::new(
                        &__p::Schema::plain(
                            "Pair",
                            __p::Kind::object(
                                &[
                                    __p::Field {
                                        key: __p::Key {
                                            lead: "\"Pair\":",
                                            hash: 3312157943746072081,
                                        },
                                        schema: <(u8, u8) as __p::ResponseSchema>::SCHEMA,
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
                                            lead: "\"Turn\":",
                                            hash: 12765607055733486298,
                                        },
                                        schema: __p::SchemaRef::new(
                                            &__p::Schema::plain(
                                                "Turn",
                                                __p::Kind::object(
                                                    &[
                                                        __p::Field {
                                                            key: __p::Key {
                                                                lead: "\"byDegrees\":",
                                                                hash: 16476365141049531437,
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
                    <Target as __p::ResponseSchema>::check(
                        __f_0,
                        __at.key("Go"),
                        __found,
                    );
                }
                Self::Pair { 0: __f_0, 1: __f_1, .. } => {
                    <u8 as __p::ResponseSchema>::check(
                        __f_0,
                        __at.key("Pair").index(0),
                        __found,
                    );
                    <u8 as __p::ResponseSchema>::check(
                        __f_1,
                        __at.key("Pair").index(1),
                        __found,
                    );
                }
                Self::Turn { by_degrees: __f_0, .. } => {
                    <u16 as __p::ResponseSchema>::check(
                        __f_0,
                        __at.key("Turn").key("byDegrees"),
                        __found,
                    );
                }
                _ => {}
            }
        }
    }
    const _: () = __p::check_type(<Step as __p::ResponseSchema>::SCHEMA);
    const _: () = __p::check_field(<Target as __p::ResponseSchema>::SCHEMA, 1, "Go");
};
