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
        maximum: ::core::option::Option::Some(__p::Bound::whole("100", 100)),
        ..*__p::Rules::NONE
    };
    static __RESPONSE_SCHEMA_NODE: __p::Schema = __p::Schema::derived(
            "Percent",
            255648544062331792844551179759541384264,
            ::core::module_path!(),
            __p::Kind::Transparent(<u8 as __p::ResponseSchema>::SCHEMA),
        )
        .rules(__RULES_0)
        .doc(",\"description\":\"From 0 to 100.");
    #[automatically_derived]
    impl __p::ResponseSchema for Percent {
        const SCHEMA: __p::SchemaRef = __p::SchemaRef::new(&__RESPONSE_SCHEMA_NODE);
        fn check(&self, __at: __p::Path<'_>, __found: &mut __p::Violations) {
            <u8 as __p::ResponseSchema>::check(&self.0, __at, __found);
            <u8 as __p::ResponseSchema>::check_rules(
                &self.0,
                __p::Checks::of(__RULES_0),
                __at,
                __found,
            );
        }
        fn check_rules(
            &self,
            __checks: __p::Checks,
            __at: __p::Path<'_>,
            __found: &mut __p::Violations,
        ) {
            <u8 as __p::ResponseSchema>::check_rules(&self.0, __checks, __at, __found);
        }
    }
    const _: () = __p::check_type(<Percent as __p::ResponseSchema>::SCHEMA);
    const _: () = __p::check_rules(<u8 as __p::ResponseSchema>::SCHEMA, __RULES_0);
    const _: () = ::response_schema::verify::<
        Percent,
        ::response_schema::dialect::OpenAi,
    >();
};
