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
            "[\\\\[]([A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}|[+-]([01][0-9]|2[0-3]):[0-5][0-9])[\\\\]]$\""
        )
    },
    "jiff_Date" Date { format: "date" },
    "jiff_Time" Time { pattern: concat!("\"^", clock!("?"), "$\"") },
    "jiff_DateTime" DateTime { pattern: concat!("\"^", date!(), "T", clock!("?"), "$\"") },
    "ISOWeekDate" ISOWeekDate { pattern: "\"^[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])-[1-7]$\"" },
    "Span" Span { pattern: concat!("\"^-?P", span!(), "$\"") },
    "SignedDuration" SignedDuration { pattern: concat!("\"^-?P", time!(), "$\"") },
}

#[cfg(test)]
mod tests {
    use jiff::civil::{Date, DateTime, ISOWeekDate, Time, date};
    use jiff::tz::{TimeZone, offset};
    use jiff::{SignedDuration, Span, Timestamp, ToSpan, ZonedDateTime};

    use crate::schema::impls::trial::{try_listed, try_text, try_values};

    #[test]
    fn with_an_offset() {
        try_text::<Timestamp>(
            &["2024-02-29T23:59:60Z", "2024-02-29t12:00:00.5z", "0000-01-01T00:00:00-23:59"],
            &["2024-02-29", "2024-02-29T12:00:00", "2023-02-29T12:00:00Z", "2024-02-29T24:00:00Z"],
            |text| text.starts_with("9999-12-3"),
        );
        try_values([Timestamp::UNIX_EPOCH, Timestamp::new(1_700_000_000, 5).expect("a time")]);
    }

    #[test]
    fn with_a_zone() {
        // Samples would be of zones that there are not, or in conflict with their offset; and this
        // build has no database of zones.
        try_listed::<ZonedDateTime>(
            &["2024-02-29T12:00:00+05:30[+05:30]", "2024-02-29T12:00:00.5[-08:00]"],
            &[
                "2024-02-29T12:00:00Z",
                "2024-02-29T12:00:00[]",
                "2023-02-29T12:00:00[+01:00]",
                "2024-02-29[Moon/Base One]",
            ],
        );
        try_values([Timestamp::UNIX_EPOCH.to_zoned_datetime(TimeZone::fixed(offset(-3)))]);
    }

    #[test]
    fn without_an_offset() {
        try_text::<Date>(&["2024-02-29", "0000-01-01"], &["2023-02-29", "2024-13-01", "24"], |_| false);
        try_text::<Time>(&["00:00:00", "23:59:59.123456789"], &["24:00:00", "12:00:00Z", "12:00:61", ""], |_| false);
        try_text::<DateTime>(
            &["2024-02-29T12:00:00", "2000-02-29T12:00:00.5"],
            &["2024-02-29T12:00:00Z", "2023-02-29T12:00:00", "1900-02-29T12:00:00"],
            |_| false,
        );
        let week_53 = |text: &str| text.contains("W53");
        try_text::<ISOWeekDate>(
            &["2025-W26-4", "2020-W53-1"],
            &["2025-W54-1", "2025-W00-1", "2025-W01-8", "2025-01-01"],
            week_53,
        );
        let day = date(2024, 2, 29);
        try_values([day, Date::constant(0, 1, 1), Date::constant(9999, 12, 31)]);
        try_values([day.at(0, 0, 0, 0), day.at(1, 2, 3, 4)]);
        try_values([day.at(1, 2, 3, 4).time(), Time::midnight(), Time::MAX]);
        try_values([day.iso_week_date(), date(2020, 12, 31).iso_week_date()]);
    }

    #[test]
    fn lengths_of_time() {
        let takes = ["PT0S", "P1Y2M3W4DT5H6M7.5S", "-PT1.000000001S", "P4W", "PT36H", "P1YT1S"];
        try_text::<Span>(&takes, &["", "P", "PT", "P1S", "P1D2Y", "P1.5D", "1", "P1DT"], |_| false);
        try_text::<SignedDuration>(&["PT0S", "-PT1H30M", "PT1.5S"], &["", "P1D", "P1Y", "PT", "P1W"], |_| false);
        for span in
            [1.year().months(2).days(3), 90.minutes(), (-5).seconds().milliseconds(1), 0.seconds(), 2.weeks().hours(1)]
        {
            let wire = serde_json::to_string(&span).expect("json");
            let back: Span = serde_json::from_str(&wire).expect("comes back");
            assert_eq!(back.fieldwise(), span.fieldwise());
            try_listed::<Span>(&[wire.trim_matches('"')], &[]);
        }
        try_values([SignedDuration::new(-5, -1), SignedDuration::ZERO, SignedDuration::from_hours(1000)]);
    }
}
