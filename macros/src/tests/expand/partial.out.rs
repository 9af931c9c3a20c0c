///What is known of a [`Note`] whose reply is still being written.
#[derive(Debug, Clone)]
#[allow(dead_code, missing_debug_implementations, clippy::absolute_paths)]
pub enum PartialNote {
    ///[`Note::Plain`], as far as it is known.
    Plain {
        ///As far as it is known.
        text: ::core::option::Option<
            <String as ::response_schema::partial::Streamed>::Partial,
        >,
        ///As far as it is known.
        page: ::core::option::Option<
            <u32 as ::response_schema::partial::Streamed>::Partial,
        >,
        ///As far as it is known.
        more: ::core::option::Option<Value>,
    },
    ///[`Note::Linked`], as far as it is known.
    Linked(
        ::core::option::Option<<Link as ::response_schema::partial::Streamed>::Partial>,
    ),
    ///[`Note::Empty`], as far as it is known.
    Empty,
}
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
            "Note",
            254994803657533487780477128877236918588,
            ::core::module_path!(),
            __p::Kind::union(
                __p::Tagging::Internal {
                    tag: __p::Key {
                        lead: "\"kind\":",
                        hash: 17265840922154185283,
                    },
                },
                &[
                    __p::Case {
                        name: "Plain",
                        schema: __p::SchemaRef::new(
                            &__p::Schema::plain(
                                    "Plain",
                                    __p::Kind::object(
                                        &[
                                            __p::Field {
                                                key: __p::Key {
                                                    lead: "\"kind\":",
                                                    hash: 17265840922154185283,
                                                },
                                                schema: __p::SchemaRef::new(
                                                    &__p::Schema::plain(
                                                        "tag",
                                                        __p::Kind::Enum(
                                                            &[
                                                                __p::Unit {
                                                                    value: "\"plain\"",
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
                                                    lead: "\"text\":",
                                                    hash: 18015793717152399486,
                                                },
                                                schema: <String as __p::ResponseSchema>::SCHEMA,
                                                aliases: &["words"],
                                                ..__p::Field::PLAIN
                                            },
                                            __p::Field {
                                                key: __p::Key {
                                                    lead: "\"page\":",
                                                    hash: 255344043153000726,
                                                },
                                                schema: <u32 as __p::ResponseSchema>::SCHEMA,
                                                ..__p::Field::PLAIN
                                            },
                                            __p::Field {
                                                key: __p::Key {
                                                    lead: "\"more\":",
                                                    hash: 944603233123352704,
                                                },
                                                schema: <::response_schema::json_text::JsonText as __p::ResponseSchema>::SCHEMA,
                                                ..__p::Field::PLAIN
                                            },
                                        ],
                                    ),
                                )
                                .doc(",\"description\":\"Plain words."),
                        ),
                        ..__p::Case::PLAIN
                    },
                    __p::Case {
                        name: "Linked",
                        schema: __p::SchemaRef::new(
                            &__p::Schema::plain(
                                "Linked",
                                __p::Kind::object(
                                    &[
                                        __p::Field {
                                            key: __p::Key {
                                                lead: "\"kind\":",
                                                hash: 17265840922154185283,
                                            },
                                            schema: __p::SchemaRef::new(
                                                &__p::Schema::plain(
                                                    "tag",
                                                    __p::Kind::Enum(
                                                        &[
                                                            __p::Unit {
                                                                value: "\"linked\"",
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
                                                lead: "\"Linked\":",
                                                hash: 10453850918665490304,
                                            },
                                            schema: <Link as __p::ResponseSchema>::SCHEMA,
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
                        name: "Empty",
                        schema: __p::SchemaRef::new(
                            &__p::Schema::plain(
                                "Empty",
                                __p::Kind::object(
                                    &[
                                        __p::Field {
                                            key: __p::Key {
                                                lead: "\"kind\":",
                                                hash: 17265840922154185283,
                                            },
                                            schema: __p::SchemaRef::new(
                                                &__p::Schema::plain(
                                                    "tag",
                                                    __p::Kind::Enum(
                                                        &[
                                                            __p::Unit {
                                                                value: "\"empty\"",
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
                ],
            ),
        )
        .doc(",\"description\":\"A note.");
    #[automatically_derived]
    impl __p::ResponseSchema for Note {
        const SCHEMA: __p::SchemaRef = __p::SchemaRef::new(&__RESPONSE_SCHEMA_NODE);
        fn check(&self, __at: __p::Path<'_>, __found: &mut __p::Violations) {
            match self {
                Self::Plain { text: __f_0, page: __f_1, .. } => {
                    <String as __p::ResponseSchema>::check(
                        __f_0,
                        __at.key("text"),
                        __found,
                    );
                    <u32 as __p::ResponseSchema>::check(
                        __f_1,
                        __at.key("page"),
                        __found,
                    );
                }
                Self::Linked { 0: __f_0, .. } => {
                    <Link as __p::ResponseSchema>::check(__f_0, __at, __found);
                }
                _ => {}
            }
        }
    }
    const _: () = __p::check_type(<Note as __p::ResponseSchema>::SCHEMA);
    const _: () = __p::check_payload(<Note as __p::ResponseSchema>::SCHEMA, 1);
    #[automatically_derived]
    impl ::response_schema::partial::Streamed for Note {
        type Partial = PartialNote;
        fn partial(
            __value: ::response_schema::partial::PartialValue<'_>,
        ) -> ::core::option::Option<Self::Partial> {
            match __value.name("kind")? {
                "plain" => {
                    ::core::option::Option::Some(PartialNote::Plain {
                        text: ::core::option::Option::Some(__value)
                            .and_then(|__object| __object.get_any(&["text", "words"]))
                            .and_then(
                                <String as ::response_schema::partial::Streamed>::partial,
                            ),
                        page: ::core::option::Option::Some(
                            ::core::option::Option::Some(__value)
                                .and_then(|__object| __object.get_any(&["page"]))
                                .and_then(
                                    <u32 as ::response_schema::partial::Streamed>::partial,
                                )?,
                        ),
                        more: ::core::option::Option::Some(__value)
                            .and_then(|__object| __object.get_any(&["more"]))
                            .and_then(|__place| {
                                __place
                                    .read_with(|__reader| ::response_schema::json_text::deserialize(
                                        __reader,
                                    ))
                            }),
                    })
                }
                "linked" => {
                    ::core::option::Option::Some(
                        PartialNote::Linked(
                            ::core::option::Option::Some(__value)
                                .and_then(
                                    <Link as ::response_schema::partial::Streamed>::partial,
                                ),
                        ),
                    )
                }
                "empty" => ::core::option::Option::Some(PartialNote::Empty),
                _ => ::core::option::Option::None,
            }
        }
    }
};
