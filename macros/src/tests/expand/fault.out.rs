#[doc(hidden)]
#[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use crate::rt::__private as __p;
    #[automatically_derived]
    impl<T: Clone> __p::ResponseSchema for Broken<T>
    where
        T: __p::ResponseSchema,
    {
        const SCHEMA: __p::SchemaRef = __p::SchemaRef::new(
            &__p::Schema::derived(
                    "Broken",
                    39254735504463098157096959929475407855,
                    ::core::module_path!(),
                    __p::Kind::Transparent(<(T, u8) as __p::ResponseSchema>::SCHEMA),
                )
                .generic(&[__p::Arg::Type(<T as __p::ResponseSchema>::SCHEMA)]),
        );
        fn check(&self, __at: __p::Path<'_>, __found: &mut __p::Violations) {
            <T as __p::ResponseSchema>::check(&self.0, __at.index(0), __found);
            <u8 as __p::ResponseSchema>::check(&self.1, __at.index(1), __found);
        }
    }
    #[automatically_derived]
    impl<T: Clone> __p::Recursive for Broken<T>
    where
        T: __p::ResponseSchema,
    {
        const BACK: __p::SchemaRef = __p::SchemaRef::new(
            &__p::Schema::derived(
                    "Broken",
                    39254735504463098157096959929475407855,
                    ::core::module_path!(),
                    __p::Kind::Back,
                )
                .generic(&[__p::Arg::Type(<T as __p::ResponseSchema>::SCHEMA)]),
        );
    }
};
