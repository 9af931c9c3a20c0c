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
    impl<T> __p::ResponseSchema for Branch<T>
    where
        T: __p::ResponseSchema,
    {
        const SCHEMA: __p::SchemaRef = __p::SchemaRef::new(
            &__p::Schema::derived(
                    "Branch",
                    27082661560075499464784975360389267612,
                    ::core::module_path!(),
                    __p::Kind::object(
                        &[
                            __p::Field {
                                key: __p::Key {
                                    lead: "\"parent\":",
                                    hash: 7371339085820260189,
                                },
                                schema: <Option<
                                    Box<__p::BackOf<Root<T>>>,
                                > as __p::ResponseSchema>::SCHEMA,
                                optional: true,
                                ..__p::Field::PLAIN
                            },
                            __p::Field {
                                key: __p::Key {
                                    lead: "\"other\":",
                                    hash: 730899674924722773,
                                },
                                schema: <Vec<
                                    __p::BackOf<Root<T>>,
                                > as __p::ResponseSchema>::SCHEMA,
                                ..__p::Field::PLAIN
                            },
                            __p::Field {
                                key: __p::Key {
                                    lead: "\"leaf\":",
                                    hash: 2642914437618600149,
                                },
                                schema: <T as __p::ResponseSchema>::SCHEMA,
                                ..__p::Field::PLAIN
                            },
                        ],
                    ),
                )
                .generic(&[__p::Arg::Type(<T as __p::ResponseSchema>::SCHEMA)]),
        );
        fn check(&self, __at: __p::Path<'_>, __found: &mut __p::Violations) {
            <Option<
                Box<Root<T>>,
            > as __p::ResponseSchema>::check(&self.parent, __at.key("parent"), __found);
            <Vec<
                Root<T>,
            > as __p::ResponseSchema>::check(&self.other, __at.key("other"), __found);
            <T as __p::ResponseSchema>::check(&self.leaf, __at.key("leaf"), __found);
        }
    }
    #[automatically_derived]
    impl<T> __p::Recursive for Branch<T>
    where
        T: __p::ResponseSchema,
    {
        const BACK: __p::SchemaRef = __p::SchemaRef::new(
            &__p::Schema::derived(
                    "Branch",
                    27082661560075499464784975360389267612,
                    ::core::module_path!(),
                    __p::Kind::Back,
                )
                .generic(&[__p::Arg::Type(<T as __p::ResponseSchema>::SCHEMA)]),
        );
    }
};
