//! Ranges and their bounds, in the forms that serde gives them.

use std::ops::{Bound, Range, RangeFrom, RangeInclusive, RangeTo};

use super::choice::case;
use crate::check::{Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Arg, Case, Field, Kind, Schema, Tagging, Unit, key_hash};

macro_rules! ranges {
    ($($type:ident { $($end:ident $(($($call:tt)*))?),+ })*) => {$(
        impl<T: ResponseSchema> ResponseSchema for $type<T> {
            const SCHEMA: SchemaRef = SchemaRef::new(
                &Schema::plain(
                    stringify!($type),
                    Kind::closed_object(&[$(Field::new(
                        concat!("\"", stringify!($end), "\":"),
                        key_hash(stringify!($end)),
                        T::SCHEMA,
                    )),+]),
                )
                .of(&[Arg::Type(T::SCHEMA)]),
            );

            fn check(&self, at: Path<'_>, found: &mut Violations) {
                $(self.$end $(($($call)*))?.check(at.key(stringify!($end)), found);)+
            }
        }
    )*};
}

ranges! {
    Range { start, end }
    RangeInclusive { start (), end () }
    RangeFrom { start }
    RangeTo { end }
}

impl<T: ResponseSchema> ResponseSchema for Bound<T> {
    const SCHEMA: SchemaRef = SchemaRef::new(
        &Schema::plain(
            "Bound",
            Kind::union(
                Tagging::External,
                &[
                    Case::new(
                        "Unbounded",
                        SchemaRef::new(&Schema::plain("Unbounded", Kind::Enum(&[Unit::new("\"Unbounded\"")]))),
                    ),
                    case!(T Included "\"Included\":"),
                    case!(T Excluded "\"Excluded\":"),
                ],
            ),
        )
        .of(&[Arg::Type(T::SCHEMA)]),
    );

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        match self {
            Self::Unbounded => {}
            Self::Included(value) => value.check(at.key("Included"), found),
            Self::Excluded(value) => value.check(at.key("Excluded"), found),
        }
    }
}
