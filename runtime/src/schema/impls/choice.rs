//! A value of one of two types, in the form that serde gives it.

/// Implements `ResponseSchema` for an enum of two newtype variants, tagged externally.
macro_rules! choices {
    ($($type:ident { $first:ident $first_lead:literal, $second:ident $second_lead:literal })*) => {$(
        impl<A, B> $crate::schema::ResponseSchema for $type<A, B>
        where
            A: $crate::schema::ResponseSchema,
            B: $crate::schema::ResponseSchema,
        {
            const SCHEMA: $crate::schema::SchemaRef = $crate::schema::SchemaRef::new(
                &$crate::schema::node::Schema::plain(
                    stringify!($type),
                    $crate::schema::node::Kind::union(
                        $crate::schema::node::Tagging::External,
                        &[
                            $crate::schema::impls::choice::case!(A $first $first_lead),
                            $crate::schema::impls::choice::case!(B $second $second_lead),
                        ],
                    ),
                )
                .of(&[
                    $crate::schema::node::Arg::Type(A::SCHEMA),
                    $crate::schema::node::Arg::Type(B::SCHEMA),
                ]),
            );

            fn check(&self, at: $crate::check::Path<'_>, found: &mut $crate::check::Violations) {
                match self {
                    $type::$first(value) => value.check(at.key(stringify!($first)), found),
                    $type::$second(value) => value.check(at.key(stringify!($second)), found),
                }
            }
        }
    )*};
}

/// The case of a variant that holds one value.
macro_rules! case {
    ($type:ident $variant:ident $lead:literal) => {
        $crate::schema::node::Case::new(
            stringify!($variant),
            $crate::schema::SchemaRef::new(
                &$crate::schema::node::Schema::plain(
                    stringify!($variant),
                    $crate::schema::node::Kind::closed_object(&[$crate::schema::node::Field::new(
                        $lead,
                        $crate::schema::node::key_hash(stringify!($variant)),
                        $type::SCHEMA,
                    )]),
                )
                .of(&[$crate::schema::node::Arg::Type($type::SCHEMA)]),
            ),
        )
    };
}

pub(crate) use case;
#[cfg(feature = "either")]
pub(crate) use choices;

choices! {
    Result { Ok "\"Ok\":", Err "\"Err\":" }
}
