//! Tuples of equal types: arrays of a fixed length.
//!
//! JSON Schema can give each place of an array a schema of its own (`prefixItems`), but no
//! provider's strict mode takes that, so tuples of different types have no schema.

use super::refuse::Strict;
use crate::check::{Checks, Path, Violations, check_items};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;

/// Implemented by [`Strict`] for tuples whose members have one type.
#[diagnostic::on_unimplemented(
    message = "the members of `{T}` have no names, and are not up to eight of one type",
    label = "only a tuple of up to eight equal types has a strict schema",
    note = "use a struct with a named field for each member: strict schemas have no lists with a type per place, and names tell \
            the model what it is to fill in"
)]
pub trait TakesTuple<T> {
    /// The members' type.
    type Member;

    /// As many of them as the tuple has.
    type Array;

    /// The members, in order.
    fn members<'a>(tuple: &'a T) -> impl Iterator<Item = &'a Self::Member>
    where
        Self::Member: 'a;
}

macro_rules! same {
    ($name:ident $common:ident) => {
        $common
    };
}

macro_rules! tuples {
    ($($count:literal: $($name:ident)+,)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T> TakesTuple<($(same!($name T),)+)> for Strict {
            type Member = T;
            type Array = [T; $count];

            #[allow(non_snake_case)] // members are named as their type parameters
            fn members<'a>(($($name,)+): &'a ($(same!($name T),)+)) -> impl Iterator<Item = &'a T>
            where
                T: 'a,
            {
                [$($name),+].into_iter()
            }
        }

        tuple!($($name)+);
    )*};
}

macro_rules! tuple {
    ($($name:ident)+) => {
        impl<$($name),+> ResponseSchema for ($($name,)+)
        where
            Strict: TakesTuple<Self, Member: ResponseSchema, Array: ResponseSchema>,
        {
            const SCHEMA: SchemaRef = <<Strict as TakesTuple<Self>>::Array as ResponseSchema>::SCHEMA;

            fn check(&self, at: Path<'_>, found: &mut Violations) {
                check_items(Strict::members(self), at, found);
            }

            fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
                checks.items(Strict::members(self).count(), "element", at, found);
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
tuple!(A B C D E F G H I);
tuple!(A B C D E F G H I J);
tuple!(A B C D E F G H I J K);
tuple!(A B C D E F G H I J K L);
tuple!(A B C D E F G H I J K L M);
tuple!(A B C D E F G H I J K L M N);
tuple!(A B C D E F G H I J K L M N O);
tuple!(A B C D E F G H I J K L M N O P);
