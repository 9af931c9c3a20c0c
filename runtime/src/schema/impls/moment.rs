//! `Duration` and `SystemTime`, in the forms that serde gives them.

use std::time::{Duration, SystemTime};

use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Field, Kind, Schema, key_hash};
use crate::schema::rules::{Bound, Rules};

/// More would carry into the seconds: serde takes that, but never writes it. A rule of the type and not of the field,
/// for nothing checks it.
const NANOS: SchemaRef = SchemaRef::new(&Schema::plain("u32", Kind::Integer).rules(&Rules {
    minimum: Some(Bound::whole("0", 0)),
    maximum: Some(Bound::whole("999999999", 999_999_999)),
    ..Rules::new()
}));

/// Up to the end of the year 9999, which every system's clock can hold: past its limit serde
/// fails, and each system has another.
const SECONDS: SchemaRef = SchemaRef::new(&Schema::plain("u64", Kind::Integer).rules(&Rules {
    minimum: Some(Bound::whole("0", 0)),
    maximum: Some(Bound::whole("253402300799", 253_402_300_799)),
    ..Rules::new()
}));

impl ResponseSchema for Duration {
    const SCHEMA: SchemaRef = SchemaRef::new(&Schema::plain(
        "Duration",
        Kind::closed_object(&[
            Field::new("\"secs\":", key_hash("secs"), u64::SCHEMA),
            Field::new("\"nanos\":", key_hash("nanos"), NANOS),
        ]),
    ));
}

impl ResponseSchema for SystemTime {
    const SCHEMA: SchemaRef = SchemaRef::new(&Schema::plain(
        "SystemTime",
        Kind::closed_object(&[
            Field::new("\"secs_since_epoch\":", key_hash("secs_since_epoch"), SECONDS)
                .doc(",\"description\":\"Seconds since 1970-01-01T00:00:00Z."),
            Field::new("\"nanos_since_epoch\":", key_hash("nanos_since_epoch"), NANOS)
                .doc(",\"description\":\"Nanoseconds beyond the seconds."),
        ]),
    ));
}
