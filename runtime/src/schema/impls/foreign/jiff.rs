//! jiff: RFC 3339 for what has an offset, patterns for what has none, ISO 8601 for durations.
//!
//! Values that jiff itself writes lie in the schema in the years 0000 to 9999. Its parser
//! refuses a zone that its database does not know, an offset that the zone does not have at that
//! time, the last day of 9999 in a `Timestamp`, and durations beyond its limits.

use jiff::civil::{Date, DateTime, ISOWeekDate, Time};
use jiff::{SignedDuration, Span, Timestamp, ZonedDateTime};

use super::calendar::{clock, date};
use crate::schema::impls::text::texts;

/// A whole number with its unit, as often as the argument says. The digits fit jiff's limits
/// for every unit.
macro_rules! unit {
    ($unit:literal) => {
        concat!("[0-9]{1,4}", $unit)
    };
    ($unit:literal ?) => {
        concat!("([0-9]{1,4}", $unit, ")?")
    };
}

/// Seconds, of which there may be a fraction.
macro_rules! seconds {
    () => {
        "[0-9]{1,9}([.][0-9]{1,9})?S"
    };
}

/// Hours, minutes and seconds, at least one of them.
macro_rules! time {
    () => {
        concat!("T([0-9]{1,6}H([0-9]{1,8}M)?(", seconds!(), ")?|[0-9]{1,8}M(", seconds!(), ")?|", seconds!(), ")")
    };
}

/// Years to seconds, at least one of them.
macro_rules! span {
    () => {
        concat!(
            "(",
            unit!("Y"),
            unit!("M"?),
            unit!("W"?),
            unit!("D"?),
            "(",
            time!(),
            ")?",
            "|",
            unit!("M"),
            unit!("W"?),
            unit!("D"?),
            "(",
            time!(),
            ")?",
            "|",
            unit!("W"),
            unit!("D"?),
            "(",
            time!(),
            ")?",
            "|",
            unit!("D"),
            "(",
            time!(),
            ")?",
            "|",
            time!(),
            ")"
        )
    };
}

texts! {
    "Timestamp" Timestamp { format: "date-time" },
    "ZonedDateTime" ZonedDateTime {
        pattern: concat!(
            "\"^", date!(), "T", clock!("?"), "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?",
            "[\\\\[][A-Za-z_]+(/[A-Za-z0-9_+-]+){0,2}[\\\\]]$\""
        )
    },
    "jiff_Date" Date { format: "date" },
    "jiff_Time" Time { pattern: concat!("\"^", clock!("?"), "$\"") },
    "jiff_DateTime" DateTime { pattern: concat!("\"^", date!(), "T", clock!("?"), "$\"") },
    "ISOWeekDate" ISOWeekDate { pattern: "\"^[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])-[1-7]$\"" },
    "Span" Span { pattern: concat!("\"^-?P", span!(), "$\"") },
    "SignedDuration" SignedDuration { pattern: concat!("\"^-?P", time!(), "$\"") },
}
