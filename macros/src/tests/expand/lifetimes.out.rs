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
        "Excerpt",
        284050008967361034943200589096641653945,
        ::core::module_path!(),
        __p::Kind::object(
            &[
                __p::Field {
                    key: __p::Key {
                        lead: "\"text\":",
                        hash: 18015793717152399486,
                    },
                    schema: <&'_ str as __p::ResponseSchema>::SCHEMA,
                    ..__p::Field::PLAIN
                },
                __p::Field {
                    key: __p::Key {
                        lead: "\"parts\":",
                        hash: 887663944871270597,
                    },
                    schema: <Vec<Excerpt<'_>> as __p::ResponseSchema>::SCHEMA,
                    ..__p::Field::PLAIN
                },
                __p::Field {
                    key: __p::Key {
                        lead: "\"owner\":",
                        hash: 12002927925776846068,
                    },
                    schema: <Option<Box<Excerpt<'_>>> as __p::ResponseSchema>::SCHEMA,
                    optional: true,
                    ..__p::Field::PLAIN
                },
            ],
        ),
    );
    #[automatically_derived]
    impl<'a> __p::ResponseSchema for Excerpt<'a> {
        const SCHEMA: __p::SchemaRef = __p::SchemaRef::new(&__RESPONSE_SCHEMA_NODE);
        fn check(&self, __at: __p::Path<'_>, __found: &mut __p::Violations) {
            <&'_ str as __p::ResponseSchema>::check(
                &self.text,
                __at.key("text"),
                __found,
            );
            <Vec<
                Excerpt<'_>,
            > as __p::ResponseSchema>::check(&self.parts, __at.key("parts"), __found);
            <Option<
                Box<Self>,
            > as __p::ResponseSchema>::check(&self.owner, __at.key("owner"), __found);
        }
    }
    const _: () = __p::check_type(<Excerpt<'_> as __p::ResponseSchema>::SCHEMA);
    const _: () = __p::check_field(
        <Vec<Excerpt<'_>> as __p::ResponseSchema>::SCHEMA,
        1,
        "parts",
    );
    const _: () = __p::check_field(
        <Option<Box<Excerpt<'_>>> as __p::ResponseSchema>::SCHEMA,
        1,
        "owner",
    );
};
