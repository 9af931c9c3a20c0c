::core::compile_error! {
    "a tuple struct is read from a list without names, which strict schemas cannot describe; give the fields names: `struct Broken { … }`"
}
#[doc(hidden)]
#[allow(
    dead_code,
    deprecated,
    non_upper_case_globals,
    unreachable_patterns,
    unused_imports,
    unused_qualifications,
    clippy::all,
    clippy::pedantic,
    clippy::absolute_paths
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
