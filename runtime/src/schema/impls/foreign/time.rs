//! time: the text forms that its feature `serde-human-readable` gives its types.
//!
//! The feature `time` of this crate turns that one on, for without it the types are lists of
//! numbers. For RFC 3339 put `#[serde(with = "time::serde::rfc3339")]` and
//! `#[response(schema_of = "String", format = "date-time")]` on the field.

use time::{Date, Duration, Month, OffsetDateTime, PrimitiveDateTime, Time, UtcDateTime, UtcOffset, Weekday};

use super::calendar::{clock, date};
use crate::schema::impls::text::{texts, words};

macro_rules! offset {
    () => {
        "[+-]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
    };
}

texts! {
    "time_Date" Date { format: "date" },
    "time_Time" Time { pattern: concat!("\"^", clock!(""), "$\"") },
    "PrimitiveDateTime" PrimitiveDateTime { pattern: concat!("\"^", date!(), " ", clock!(""), "$\"") },
    "UtcDateTime" UtcDateTime { pattern: concat!("\"^", date!(), " ", clock!(""), "$\"") },
    "OffsetDateTime" OffsetDateTime { pattern: concat!("\"^", date!(), " ", clock!(""), " ", offset!(), "$\"") },
    "UtcOffset" UtcOffset { pattern: concat!("\"^", offset!(), "$\"") },
    "time_Duration" Duration { pattern: "\"^-?[0-9]{1,18}[.][0-9]{1,9}$\"" },
}

words! {
    "time_Weekday" Weekday { "Monday" "Tuesday" "Wednesday" "Thursday" "Friday" "Saturday" "Sunday" },
    "time_Month" Month {
        "January" "February" "March" "April" "May" "June" "July" "August" "September" "October" "November" "December"
    },
}
