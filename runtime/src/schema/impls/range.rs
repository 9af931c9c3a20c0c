//! Ranges and their bounds, in the forms that serde gives them.

use std::ops::{Bound, Range, RangeFrom, RangeInclusive, RangeTo};

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

/// The case of a bound that has a value.
const fn at_value(name: &'static str, fields: &'static [Field], args: &'static [Arg]) -> Schema {
    Schema::plain(name, Kind::closed_object(fields)).of(args)
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
                    Case::new(
                        "Included",
                        SchemaRef::new(&at_value(
                            "Included",
                            &[Field::new("\"Included\":", key_hash("Included"), T::SCHEMA)],
                            &[Arg::Type(T::SCHEMA)],
                        )),
                    ),
                    Case::new(
                        "Excluded",
                        SchemaRef::new(&at_value(
                            "Excluded",
                            &[Field::new("\"Excluded\":", key_hash("Excluded"), T::SCHEMA)],
                            &[Arg::Type(T::SCHEMA)],
                        )),
                    ),
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
