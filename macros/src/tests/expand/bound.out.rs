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
        T: Model,
    {
        const SCHEMA: __p::SchemaRef = __p::SchemaRef::new(
            &__p::Schema::derived(
                    "Page",
                    241974202587460218038186864592722461252,
                    ::core::module_path!(),
                    __p::Kind::object(
                        &[
                            __p::Field {
                                key: __p::Key {
                                    lead: "\"items\":",
                                    hash: 4501493784760101999,
                                },
                                schema: <Vec<Row<T>> as __p::ResponseSchema>::SCHEMA,
                                ..__p::Field::PLAIN
                            },
                            __p::Field {
                                key: __p::Key {
                                    lead: "\"total\":",
                                    hash: 3300820206774538237,
                                },
                                schema: <usize as __p::ResponseSchema>::SCHEMA,
                                ..__p::Field::PLAIN
                            },
                        ],
                    ),
                )
                .generic(&[__p::Arg::Type(<Vec<Row<T>> as __p::ResponseSchema>::SCHEMA)]),
        );
        fn check(&self, __at: __p::Path<'_>, __found: &mut __p::Violations) {
            <Vec<
                Row<T>,
            > as __p::ResponseSchema>::check(&self.items, __at.key("items"), __found);
            <usize as __p::ResponseSchema>::check(
                &self.total,
                __at.key("total"),
                __found,
            );
        }
    }
    #[automatically_derived]
    impl<T> __p::Recursive for Page<T>
    where
        T: Model,
    {
        const BACK: __p::SchemaRef = __p::SchemaRef::new(
            &__p::Schema::derived(
                    "Page",
                    241974202587460218038186864592722461252,
                    ::core::module_path!(),
                    __p::Kind::Back,
                )
                .generic(&[__p::Arg::Type(<Vec<Row<T>> as __p::ResponseSchema>::SCHEMA)]),
        );
    }
};
