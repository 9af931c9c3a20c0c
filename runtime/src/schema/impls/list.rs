//! Collections that are a list in JSON: one macro for those of std and of other crates.

/// Implements `ResponseSchema` for collections of `T`: each with its name, its type, and whether
/// it keeps the order of the reply, so that a place in it is a place in the reply; a set does not, and keeps what
/// occurs twice once.
macro_rules! lists {
    ($($name:literal $type:ident<T $(, $more:ident)*> $($order:ident)+,)*) => {$(
        impl<T: $crate::schema::ResponseSchema $(, $more)*> $crate::schema::ResponseSchema for $type<T $(, $more)*> {
            const SCHEMA: $crate::schema::SchemaRef = $crate::schema::SchemaRef::new(
                &$crate::schema::node::Schema::plain($name, $crate::schema::node::Kind::Array(T::SCHEMA))
                    .of(&[$crate::schema::node::Arg::Type(T::SCHEMA)])
                    .rules($crate::schema::impls::list::inherent!($($order)+)),
            );

            fn check(&self, at: $crate::check::Path<'_>, found: &mut $crate::check::Violations) {
                $crate::schema::impls::list::elements!($($order)+)(self.iter(), at, found);
            }

            fn check_rules(
                &self,
                checks: $crate::check::Checks,
                at: $crate::check::Path<'_>,
                found: &mut $crate::check::Violations,
            ) {
                checks.items(self.len(), $crate::schema::impls::list::element!($($order)+), at, found);
            }
        }
    )*};
}

/// How the elements of a collection are checked.
macro_rules! elements {
    (in order) => {
        $crate::check::check_items
    };
    ($($other:ident)+) => {
        $crate::check::check_members
    };
}

/// The rules that a collection brings.
macro_rules! inherent {
    (set) => {
        $crate::schema::rules::Rules::SET
    };
    ($($other:ident)+) => {
        $crate::schema::rules::Rules::NONE
    };
}

/// What is counted.
macro_rules! element {
    (set) => {
        "different element"
    };
    ($($other:ident)+) => {
        "element"
    };
}

pub(crate) use {element, elements, inherent, lists};
