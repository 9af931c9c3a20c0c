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
        minimum: ::core::option::Option::Some(__p::Bound::whole("1", 1)),
        maximum: ::core::option::Option::Some(__p::Bound::float("99.5", 99.5)),
        ..*__p::Rules::NONE
    };
    const __RULES_1: &__p::Rules = &__p::Rules {
        pattern: "\"^\\\\w+$\"",
        format: "email",
        ..*__p::Rules::NONE
    };
    static __RESPONSE_SCHEMA_NODE: __p::Schema = __p::Schema::derived(
            "Order",
            180252593199750866168622707751795389059,
            ::core::module_path!(),
            __p::Kind::object(
                &[
                    __p::Field {
                        key: __p::Key {
                            lead: "\"itemCount\":",
                            hash: 3562219476386665077,
                        },
                        schema: <u8 as __p::ResponseSchema>::SCHEMA,
                        rules: __RULES_0,
                        ruled: true,
                        fills: true,
                        ..__p::Field::PLAIN
                    },
                    __p::Field {
                        key: __p::Key {
                            lead: "\"mail\":",
                            hash: 2258947338516563758,
                        },
                        schema: <String as __p::ResponseSchema>::SCHEMA,
                        doc: __p::Doc(",\"description\":\"Examples: \\\"a@b.c\\\", 3."),
                        rules: __RULES_1,
                        ruled: true,
                        fills: true,
                        ..__p::Field::PLAIN
                    },
                    __p::Field {
                        key: __p::Key {
                            lead: "\"code\":",
                            hash: 843606417163895828,
                        },
                        schema: <Code as __p::ResponseSchema>::SCHEMA,
                        aliases: &["sku"],
                        fills: true,
                        ..__p::Field::PLAIN
                    },
                ],
            ),
        )
        .ident("OrderV1");
    #[automatically_derived]
    impl __p::ResponseSchema for OrderV1 {
        const SCHEMA: __p::SchemaRef = __p::SchemaRef::new(&__RESPONSE_SCHEMA_NODE);
        fn check(&self, __at: __p::Path<'_>, __found: &mut __p::Violations) {
            <u8 as __p::ResponseSchema>::check(
                &self.item_count,
                __at.key("itemCount"),
                __found,
            );
            <u8 as __p::ResponseSchema>::check_rules(
                &self.item_count,
                __p::Checks::of(__RULES_0),
                __at.key("itemCount"),
                __found,
            );
            <String as __p::ResponseSchema>::check(
                &self.mail,
                __at.key("mail"),
                __found,
            );
            {
                static __PATTERN: __p::Pattern = __p::Pattern::new("^\\w+$");
                <String as __p::ResponseSchema>::check_rules(
                    &self.mail,
                    __p::Checks::of(__RULES_1).matching(&__PATTERN),
                    __at.key("mail"),
                    __found,
                );
            }
            <Code as __p::ResponseSchema>::check(&self.code, __at.key("code"), __found);
            let __verdict = __p::verdict(
                __p::rule_in_context(shop::known)(&self.code, __found.context()),
            );
            __p::object_to(__verdict, __at.key("code"), __found);
            let __verdict = __p::verdict(__p::rule(check_order)(self));
            __p::object_to(__verdict, __at, __found);
        }
    }
    const _: () = __p::check_type(<OrderV1 as __p::ResponseSchema>::SCHEMA);
    const _: () = __p::check_rules(<u8 as __p::ResponseSchema>::SCHEMA, __RULES_0);
    const _: () = __p::check_rules(<String as __p::ResponseSchema>::SCHEMA, __RULES_1);
    const _: () = __p::check_field(<Code as __p::ResponseSchema>::SCHEMA, 1, "code");
};
