::core::compile_error! {
    "a skipped field leaves a list without names; give the fields names"
}
#[doc(hidden)]
#[allow(
    deprecated,
    unused_qualifications,
    clippy::absolute_paths,
    clippy::needless_update
)]
const _: () = {
    use crate::rt::__private as __p;
    #[automatically_derived]
    impl<T: Clone> __p::ResponseSchema for Broken<T> {
        const SCHEMA: __p::SchemaRef = __p::SchemaRef::new(
            &__p::Schema::plain("stub", __p::Kind::object(&[])),
        );
    }
    #[automatically_derived]
    impl<T: Clone> __p::Recursive for Broken<T> {
        const BACK: __p::SchemaRef = __p::SchemaRef::new(
            &__p::Schema::plain("stub", __p::Kind::object(&[])),
        );
    }
};
