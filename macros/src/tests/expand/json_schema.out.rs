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
    impl<T> __p::ResponseSchema for Page<T>
    where
        T: __p::ResponseSchema,
    {
        const SCHEMA: __p::SchemaRef = __p::SchemaRef::new(
            &__p::Schema::derived(
                    "Page",
                    188145269953150051788314070453000554266,
                    ::core::module_path!(),
                    __p::Kind::object(
                        &[
                            __p::Field {
                                key: __p::Key {
                                    lead: "\"items\":",
                                    hash: 4501493784760101999,
                                },
                                schema: <Vec<T> as __p::ResponseSchema>::SCHEMA,
                                ..__p::Field::PLAIN
                            },
                        ],
                    ),
                )
                .generic(&[__p::Arg::Type(<T as __p::ResponseSchema>::SCHEMA)]),
        );
        fn check(&self, __at: __p::Path<'_>, __found: &mut __p::Violations) {
            <Vec<
                T,
            > as __p::ResponseSchema>::check(&self.items, __at.key("items"), __found);
        }
    }
    #[automatically_derived]
    impl<T> __p::Recursive for Page<T>
    where
        T: __p::ResponseSchema,
    {
        const BACK: __p::SchemaRef = __p::SchemaRef::new(
            &__p::Schema::derived(
                    "Page",
                    188145269953150051788314070453000554266,
                    ::core::module_path!(),
                    __p::Kind::Back,
                )
                .generic(&[__p::Arg::Type(<T as __p::ResponseSchema>::SCHEMA)]),
        );
    }
    const _: () = __p::needs_schemars::<__p::Features>();
    __p::__json_schema! {
        [< T >] [Page < T >] [where T : __p::ResponseSchema,]
    }
};
