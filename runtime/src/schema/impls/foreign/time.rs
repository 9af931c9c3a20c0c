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

#[cfg(test)]
mod tests {
    use time::{Date, Duration, Month, OffsetDateTime, PrimitiveDateTime, Time, UtcDateTime, UtcOffset, Weekday};

    use crate::schema::impls::trial::{try_text, try_values};

    #[test]
    fn dates_and_times() {
        try_text::<Date>(&["2024-02-29", "0000-01-01"], &["2023-02-29", "2024-13-01", "24", "2024-1-1"], |_| false);
        try_text::<Time>(
            &["00:00:00.0", "23:59:59.123456789"],
            &["24:00:00.0", "12:00:00", "12:00:00.0Z", "12:00:60.0"],
            |_| false,
        );
        try_text::<PrimitiveDateTime>(
            &["2024-02-29 12:00:00.0", "2000-02-29 12:00:00.5"],
            &["2024-02-29T12:00:00.0", "2024-02-29 12:00:00.0Z", "2023-02-29 12:00:00.0", "2024-02-29 12:00:00"],
            |_| false,
        );
        try_text::<UtcDateTime>(&["2024-02-29 12:00:00.0"], &["2024-02-29T12:00:00Z"], |_| false);
        try_text::<OffsetDateTime>(
            &["2024-02-29 12:00:00.0 +00:00:00", "2024-02-29 12:00:00.123 -23:59:59"],
            &["2024-02-29T12:00:00Z", "2024-02-29 12:00:00.0", "2024-02-29 12:00:00.0 00:00:00"],
            |_| false,
        );
        try_text::<UtcOffset>(&["+00:00:00", "-08:00:00"], &["Z", "08:00:00", "+8:00:00"], |_| false);
        let moment = OffsetDateTime::from_unix_timestamp_nanos(1_700_000_000_000_000_005).expect("a time");
        let offset = UtcOffset::from_hms(-3, -30, 0).expect("an offset");
        try_values([moment, OffsetDateTime::UNIX_EPOCH, moment.to_offset(offset)]);
        try_values([moment.date(), Date::from_calendar_date(0, Month::January, 1).expect("a day")]);
        try_values([moment.time(), Time::MIDNIGHT]);
        try_values([PrimitiveDateTime::new(moment.date(), moment.time())]);
        try_values([UtcDateTime::UNIX_EPOCH]);
        try_values([offset, UtcOffset::UTC]);
    }

    #[test]
    fn lengths_of_time() {
        try_text::<Duration>(
            &["0.0", "-1.5", "999999999999999999.999999999"],
            &["", "1", ".5", "1.", "PT1S", "1.5s"],
            |_| false,
        );
        try_values([Duration::milliseconds(-1500), Duration::ZERO, Duration::nanoseconds(-1)]);
    }

    #[test]
    fn names() {
        try_values(std::iter::successors(Some(Weekday::Monday), |day| Some(day.next())).take(7));
        try_values(std::iter::successors(Some(Month::January), |month| Some(month.next())).take(12));
    }
}
