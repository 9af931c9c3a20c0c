//! chrono: RFC 3339 for what has an offset, patterns for what has none.
//!
//! Values that chrono itself writes lie in the schema in the years 0000 to 9999, without leap
//! seconds.

use chrono::{DateTime, Month, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Weekday};

use super::calendar::{clock, date};
use crate::check::{Checks, Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::impls::text::{check_written, texts, words};
use crate::schema::node::{Kind, Schema};
use crate::schema::rules::Rules;

impl<Tz: TimeZone> ResponseSchema for DateTime<Tz> {
    const SCHEMA: SchemaRef =
        SchemaRef::new(&Schema::plain("DateTime", Kind::String).rules(&Rules { format: "date-time", ..Rules::new() }));

    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        check_written(self, checks, at, found);
    }
}

texts! {
    "NaiveDate" NaiveDate { format: "date" },
    "NaiveTime" NaiveTime { pattern: concat!("\"^", clock!("?"), "$\"") },
    "NaiveDateTime" NaiveDateTime { pattern: concat!("\"^", date!(), "T", clock!("?"), "$\"") },
}

words! {
    "Weekday" Weekday { "Mon" "Tue" "Wed" "Thu" "Fri" "Sat" "Sun" },
    "Month" Month {
        "January" "February" "March" "April" "May" "June" "July" "August" "September" "October" "November" "December"
    },
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, FixedOffset, Month, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc, Weekday};

    use crate::schema::impls::trial::{try_text, try_values};

    #[test]
    fn with_an_offset() {
        try_text::<DateTime<FixedOffset>>(
            &[
                "2024-02-29T23:59:60Z",
                "2024-02-29t12:00:00.123456789123z",
                "0000-01-01T00:00:00-23:59",
                "1990-12-31T15:59:60-08:00",
            ],
            &["2024-02-29", "2024-02-29T12:00:00", "2023-02-29T12:00:00Z", "2024-02-29T24:00:00Z"],
            |_| false,
        );
        try_text::<DateTime<Utc>>(&["9999-12-31T23:59:59.999999999-23:59"], &[""], |_| false);
        try_values([DateTime::<Utc>::UNIX_EPOCH, DateTime::from_timestamp(1_700_000_000, 5_000_000).expect("a time")]);
    }

    #[test]
    fn without_an_offset() {
        try_text::<NaiveDate>(
            &["2024-02-29", "0000-01-01"],
            &["2023-02-29", "2024-02-29T", "24", "2024-13-01"],
            |_| false,
        );
        try_text::<NaiveTime>(
            &["00:00:00", "23:59:59.123456789"],
            &["24:00:00", "12:00:00Z", "12:00:00+01:00", "12", "12:00:61"],
            |_| false,
        );
        try_text::<NaiveDateTime>(
            &["2024-02-29T12:00:00", "2000-02-29T12:00:00.5"],
            &[
                "2024-02-29T12:00:00Z",
                "2024-02-29T12:00:00+00:00",
                "2023-02-29T12:00:00",
                "1900-02-29T12:00:00",
                "2024-02-29",
            ],
            |_| false,
        );
        let day = NaiveDate::from_ymd_opt(2024, 2, 29).expect("a day");
        try_values([
            day,
            NaiveDate::from_ymd_opt(0, 1, 1).expect("a day"),
            NaiveDate::from_ymd_opt(9999, 12, 31).expect("a day"),
        ]);
        let moments =
            [day.and_hms_opt(0, 0, 0), day.and_hms_milli_opt(1, 2, 3, 4)].map(|moment| moment.expect("a time"));
        try_values(moments);
        try_values(moments.map(|moment| moment.time()));
    }

    #[test]
    fn names() {
        try_values(std::iter::successors(Some(Weekday::Mon), |day| Some(day.succ())).take(7));
        try_values(std::iter::successors(Some(Month::January), |month| Some(month.succ())).take(12));
    }

    #[test]
    fn a_delta_is_a_list() {
        assert_eq!(serde_json::to_string(&TimeDelta::milliseconds(-1)).expect("json"), "[-1,999000000]");
    }
}
