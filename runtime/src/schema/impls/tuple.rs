//! Tuples of equal types: arrays of a fixed length.
//!
//! JSON Schema can give each place of an array a schema of its own (`prefixItems`), but no
//! provider's strict mode takes that, so tuples of different types have no schema.

use crate::check::{Checks, Path, Violations, check_items};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;

/// A tuple whose members have one type.
#[diagnostic::on_unimplemented(
    message = "the members of the tuple `{Self}` have no names, and not one common type",
    label = "only a tuple of up to eight equal types has a strict schema",
    note = "use a struct with a named field for each member: strict schemas have no lists with a type per place, and names tell \
            the model what it is to fill in"
)]
pub trait Uniform {
    /// The members' type.
    type Member;

    /// As many of them as the tuple has.
    type Array;

    /// The members, in order.
    fn members(&self) -> impl Iterator<Item = &Self::Member>;
}

macro_rules! same {
    ($name:ident $common:ident) => {
        $common
    };
}

macro_rules! tuples {
    ($($count:literal: $($name:ident)+,)*) => {$(
        impl<T> Uniform for ($(same!($name T),)+) {
            type Member = T;
            type Array = [T; $count];

            #[allow(non_snake_case)] // members are named as their type parameters
            fn members(&self) -> impl Iterator<Item = &T> {
                let ($($name,)+) = self;
                [$($name),+].into_iter()
            }
        }

        refused_or_uniform!($($name)+);
    )*};
}

macro_rules! refused_or_uniform {
    ($($name:ident)+) => {
        impl<$($name),+> ResponseSchema for ($($name,)+)
        where
            Self: Uniform<Member: ResponseSchema, Array: ResponseSchema>,
        {
            const SCHEMA: SchemaRef = <<Self as Uniform>::Array as ResponseSchema>::SCHEMA;

            fn check(&self, at: Path<'_>, found: &mut Violations) {
                check_items(self.members(), at, found);
            }

            fn check_rules(&self, checks: &Checks, at: Path<'_>, found: &mut Violations) {
                checks.items(self.members().count(), at, found);
            }
        }
    };
}

tuples! {
    1: A,
    2: A B,
    3: A B C,
    4: A B C D,
    5: A B C D E,
    6: A B C D E F,
    7: A B C D E F G,
    8: A B C D E F G H,
}

// Longer ones only have the message.
refused_or_uniform!(A B C D E F G H I);
refused_or_uniform!(A B C D E F G H I J);
refused_or_uniform!(A B C D E F G H I J K);
refused_or_uniform!(A B C D E F G H I J K L);
refused_or_uniform!(A B C D E F G H I J K L M);
refused_or_uniform!(A B C D E F G H I J K L M N);
refused_or_uniform!(A B C D E F G H I J K L M N O);
refused_or_uniform!(A B C D E F G H I J K L M N O P);
