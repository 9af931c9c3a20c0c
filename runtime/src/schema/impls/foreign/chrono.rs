//! chrono: RFC 3339 for what has an offset, patterns for what has none.
//!
//! Values that chrono itself writes lie in the schema in the years 0000 to 9999, without leap
//! seconds.

use chrono::{DateTime, Month, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone, Weekday};

use super::calendar::{clock, date};
use crate::check::{Checks, Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::impls::refuse::OnePartOnly;
use crate::schema::impls::text::{check_written, texts, words};
use crate::schema::node::{Kind, Schema};
use crate::schema::rules::Rules;

impl<Tz: TimeZone> ResponseSchema for DateTime<Tz> {
    const SCHEMA: SchemaRef =
        SchemaRef::new(&Schema::plain("DateTime", Kind::String).rules(&Rules { format: "date-time", ..Rules::new() }));

    fn check_rules(&self, checks: &Checks, at: Path<'_>, found: &mut Violations) {
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

impl ResponseSchema for TimeDelta
where
    for<'a> TimeDelta: OnePartOnly<'a>,
{
    const SCHEMA: SchemaRef = i64::SCHEMA;
}
