#[doc(hidden)]
#[allow(
    deprecated,
    unused_qualifications,
    clippy::absolute_paths,
    clippy::needless_update
)]
const _: () = {
    use ::response_schema::__private as __p;
    #[automatically_derived]
    impl<'a, T: Clone, M, I: Iterator, const N: usize> __p::ResponseSchema
    for Tree<'a, T, M, I, N>
    where
        I::Item: Clone,
        T: __p::ResponseSchema,
        I::Item: __p::ResponseSchema,
    {
        const SCHEMA: __p::SchemaRef = __p::SchemaRef::new(
            &__p::Schema::derived(
                    "Tree",
                    338553318851668064414187845212284487472,
                    ::core::module_path!(),
                    __p::Kind::object(
                        &[
                            __p::Field {
                                key: __p::Key {
                                    lead: "\"value\":",
                                    hash: 8999596768310594794,
                                },
                                schema: <&'a T as __p::ResponseSchema>::SCHEMA,
                                ..__p::Field::PLAIN
                            },
                            __p::Field {
                                key: __p::Key {
                                    lead: "\"pair\":",
                                    hash: 245768396384803377,
                                },
                                schema: <[I::Item; N] as __p::ResponseSchema>::SCHEMA,
                                ..__p::Field::PLAIN
                            },
                            __p::Field {
                                key: __p::Key {
                                    lead: "\"marker\":",
                                    hash: 17139775677533810295,
                                },
                                schema: <PhantomData<M> as __p::ResponseSchema>::SCHEMA,
                                ..__p::Field::PLAIN
                            },
                            __p::Field {
                                key: __p::Key {
                                    lead: "\"children\":",
                                    hash: 7742352992107295410,
                                },
                                schema: <Vec<
                                    __p::BackOf<Tree<'a, T, M, I, N>>,
                                > as __p::ResponseSchema>::SCHEMA,
                                ..__p::Field::PLAIN
                            },
                        ],
                    ),
                )
                .generic(
                    &[
                        __p::Arg::Type(<T as __p::ResponseSchema>::SCHEMA),
                        __p::Arg::Type(<I::Item as __p::ResponseSchema>::SCHEMA),
                        __p::Arg::Const(N as ::core::primitive::u128),
                    ],
                ),
        );
        fn check(&self, __at: __p::Path<'_>, __found: &mut __p::Violations) {
            <&'a T as __p::ResponseSchema>::check(
                &self.value,
                __at.key("value"),
                __found,
            );
            <[I::Item; N] as __p::ResponseSchema>::check(
                &self.pair,
                __at.key("pair"),
                __found,
            );
            <PhantomData<
                M,
            > as __p::ResponseSchema>::check(&self.marker, __at.key("marker"), __found);
            <Vec<
                Tree<'a, T, M, I, N>,
            > as __p::ResponseSchema>::check(
                &self.children,
                __at.key("children"),
                __found,
            );
        }
    }
    #[automatically_derived]
    impl<'a, T: Clone, M, I: Iterator, const N: usize> __p::Recursive
    for Tree<'a, T, M, I, N>
    where
        I::Item: Clone,
        T: __p::ResponseSchema,
        I::Item: __p::ResponseSchema,
    {
        const BACK: __p::SchemaRef = __p::SchemaRef::new(
            &__p::Schema::derived(
                    "Tree",
                    338553318851668064414187845212284487472,
                    ::core::module_path!(),
                    __p::Kind::Back,
                )
                .generic(
                    &[
                        __p::Arg::Type(<T as __p::ResponseSchema>::SCHEMA),
                        __p::Arg::Type(<I::Item as __p::ResponseSchema>::SCHEMA),
                        __p::Arg::Const(N as ::core::primitive::u128),
                    ],
                ),
        );
    }
};
