#[doc(hidden)]
#[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::response_schema::__private as __p;
    const __RULES_0: &__p::Rules = &__p::Rules {
        max_items: ::core::option::Option::Some(3),
        ..__p::Rules::new()
    };
    static __RESPONSE_SCHEMA_NODE: __p::Schema = __p::Schema::derived(
        "Step",
        145824069916615350999016867899276666302,
        ::core::module_path!(),
        __p::Kind::union(
            __p::Tagging::Adjacent {
                tag: __p::Key::new("\"t\":", 12638201494206808739),
                content: __p::Key::new("\"c\":", 12638189399578898418),
            },
            &[
                __p::Case::new(
                    "Stop",
                    __p::SchemaRef::new(
                        &__p::Schema::plain(
                            "Stop",
                            __p::Kind::object(
                                &[
                                    __p::Field::new(
                                        "\"t\":",
                                        12638201494206808739,
                                        __p::SchemaRef::new(
                                            &__p::Schema::plain(
                                                "tag",
                                                __p::Kind::Enum(&[__p::Unit::new("\"Stop\"")]),
                                            ),
                                        ),
                                    ),
                                ],
                            ),
                        ),
                    ),
                ),
                __p::Case::new(
                    "Go",
                    __p::SchemaRef::new(
                        &__p::Schema::plain(
                            "Go",
                            __p::Kind::object(
                                &[
                                    __p::Field::new(
                                        "\"t\":",
                                        12638201494206808739,
                                        __p::SchemaRef::new(
                                            &__p::Schema::plain(
                                                "tag",
                                                __p::Kind::Enum(&[__p::Unit::new("\"Go\"")]),
                                            ),
                                        ),
                                    ),
                                    __p::Field::new(
                                            "\"c\":",
                                            12638189399578898418,
                                            <Vec<Target> as __p::ResponseSchema>::SCHEMA,
                                        )
                                        .rules(__RULES_0),
                                ],
                            ),
                        ),
                    ),
                ),
                __p::Case::new(
                    "Turn",
                    __p::SchemaRef::new(
                        &__p::Schema::plain(
                            "Turn",
                            __p::Kind::object(
                                &[
                                    __p::Field::new(
                                        "\"t\":",
                                        12638201494206808739,
                                        __p::SchemaRef::new(
                                            &__p::Schema::plain(
                                                "tag",
                                                __p::Kind::Enum(&[__p::Unit::new("\"Turn\"")]),
                                            ),
                                        ),
                                    ),
                                    __p::Field::new(
                                        "\"c\":",
                                        12638189399578898418,
                                        __p::SchemaRef::new(
                                            &__p::Schema::plain(
                                                "Turn",
                                                __p::Kind::object(
                                                    &[
                                                        __p::Field::new(
                                                            "\"degrees\":",
                                                            2695066350403050446,
                                                            <u16 as __p::ResponseSchema>::SCHEMA,
                                                        ),
                                                    ],
                                                ),
                                            ),
                                        ),
                                    ),
                                ],
                            ),
                        ),
                    ),
                ),
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
                    {
                        static __CHECKS: __p::Checks = __p::Checks::new(
                            __RULES_0,
                            ::core::option::Option::None,
                        );
                        <Vec<
                            Target,
                        > as __p::ResponseSchema>::check_rules(
                            __f_0,
                            &__CHECKS,
                            __at.key("c"),
                            __found,
                        );
                    }
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
