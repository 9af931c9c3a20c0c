//! The types of other crates.

use serde_json::{Value, json};

use crate::standard::Map;
use crate::trial::{Row, rows, trial};

/// JSON text of the pool, by what it is made of.
fn texts(of: impl Fn(&str) -> bool) -> Vec<Value> {
    crate::pool::pool().into_iter().filter(|value| value.as_str().is_some_and(&of)).collect()
}

pub(crate) fn rows() -> Vec<Row> {
    [calendar(), collections(), others()].into_iter().flatten().collect()
}

fn parse<T: std::str::FromStr<Err: std::fmt::Debug>, const N: usize>(texts: [&str; N]) -> [T; N] {
    texts.map(|text| text.parse().expect("parses"))
}

fn calendar() -> Vec<Row> {
    let moment = time::OffsetDateTime::UNIX_EPOCH;
    let zoned = jiff::Timestamp::UNIX_EPOCH.to_zoned_datetime(jiff::tz::TimeZone::fixed(jiff::tz::offset(5)));
    rows! {
        "chrono::DateTime<Tz>": chrono::DateTime<chrono::Utc> = [chrono::DateTime::UNIX_EPOCH]; not ["2024-02-29T12:00:00", "2024-02-29"]
        "chrono::NaiveDate": chrono::NaiveDate = parse(["2024-02-29"]); not ["2023-02-29", "2024-02-29T12:00:00Z"]
        "chrono::NaiveTime": chrono::NaiveTime = parse(["12:00:00.5"]); not ["12:00:00Z", "24:00:00"]
        "chrono::NaiveDateTime": chrono::NaiveDateTime = parse(["2024-02-29T12:00:00"]); not ["2024-02-29T12:00:00Z", "2023-02-29T12:00:00"]
        "chrono::Weekday": chrono::Weekday = [chrono::Weekday::Mon]; not ["Someday", 1]
        "chrono::Month": chrono::Month = [chrono::Month::May]; not ["Mayday", 5]
        "jiff::Timestamp": jiff::Timestamp = [jiff::Timestamp::UNIX_EPOCH]; not ["2024-02-29T12:00:00"] but ["9999-12-31T23:59:59Z"]
        "jiff::ZonedDateTime": jiff::ZonedDateTime = [zoned]; not ["2024-02-29T12:00:00Z"] but ["2024-02-29T12:00:00+01:00[+05:30]", "2024-02-29T12:00:00[Moon/Base]"]
        "jiff::civil::Date": jiff::civil::Date = parse(["2024-02-29"]); not ["2023-02-29", "24"]
        "jiff::civil::Time": jiff::civil::Time = parse(["12:00:00.5"]); not ["12:00:00Z", "24:00:00"]
        "jiff::civil::DateTime": jiff::civil::DateTime = parse(["2024-02-29T12:00:00"]); not ["2024-02-29T12:00:00Z"]
        "jiff::civil::ISOWeekDate": jiff::civil::ISOWeekDate = parse(["2024-W09-4"]); not ["2024-02-29"] but ["2025-W53-1"]
        "jiff::Span": jiff::Span = parse(["P1Y2M3DT4H5.5S", "-PT1H"]); not ["P", "1"]
        "jiff::SignedDuration": jiff::SignedDuration = parse(["PT1H", "-PT1.5S"]); not ["P1Y", "P"]
        "time::Date": time::Date = [moment.date()]; not ["2023-02-29"]
        "time::Time": time::Time = [moment.time()]; not ["12:00:00", "12:00:00Z"]
        "time::PrimitiveDateTime": time::PrimitiveDateTime = [time::PrimitiveDateTime::new(moment.date(), moment.time())]; not ["2024-02-29T12:00:00"]
        "time::UtcDateTime": time::UtcDateTime = [time::UtcDateTime::UNIX_EPOCH]; not ["2024-02-29T12:00:00Z"]
        "time::OffsetDateTime": time::OffsetDateTime = [moment]; not ["2024-02-29T12:00:00Z"]
        "time::UtcOffset": time::UtcOffset = [time::UtcOffset::UTC]; not ["Z", "01:00"]
        "time::Duration": time::Duration = [time::Duration::milliseconds(-1500)]; not ["PT1H", "1"]
        "time::Weekday": time::Weekday = [time::Weekday::Monday]; not ["Mon"]
        "time::Month": time::Month = [time::Month::May]; not ["may"]
    }
}

fn collections() -> Vec<Row> {
    use arrayvec::{ArrayString, ArrayVec};
    use either::Either;

    let long = texts(|text| text.chars().count() <= 3 && text.len() > 3);
    let mut rows = rows! {
        "arrayvec::ArrayVec<T, N>": ArrayVec<u8, 2> = [ArrayVec::from([1, 2])]; not [[1, 2, 3], [256]]
        "bytes::Bytes": bytes::Bytes = [bytes::Bytes::from_static(b"ab")]; not [[256], {}]
        "bytes::BytesMut": bytes::BytesMut = [bytes::BytesMut::from(&b"ab"[..])]; not [[256], {}]
        "either::Either<L, R>": Either<u8, String> = [Either::Left(1), Either::Right("a".to_owned())]; not [{"Left": 256}, {}, {"Left": 1, "Right": "a"}]
        "indexmap::IndexSet<T>": indexmap::IndexSet<u8> = [indexmap::IndexSet::from([2, 1])]; not [[256]]
        "indexmap::IndexMap<K, V> with entries": Map<indexmap::IndexMap<String, u8>> = [Map(indexmap::IndexMap::from([("a".to_owned(), 1)]))]; not [{}]
        "smallvec::SmallVec<[T; N]>": smallvec::SmallVec<[u8; 2]> = [smallvec::SmallVec::from([1, 2])]; not [[256]]
    };
    // OpenAI has the length in words only.
    let values = vec![ArrayString::<3>::from("abc").expect("fits")];
    let longer = texts(|text| text.len() > 3);
    assert!(!long.is_empty());
    rows.push(trial("arrayvec::ArrayString<N>", values, vec![json!(1)], &longer));
    rows
}

fn others() -> Vec<Row> {
    let nil = "00000000-0000-0000-0000-000000000000";
    // OpenAI has the format in words only.
    let no_urls = texts(|text| url::Url::parse(text).is_err());
    let url = trial::<url::Url>("url::Url", parse(["https://example.com/a?b#c"]).into(), vec![json!(1)], &no_urls);
    let mut rows = rows! {
        "compact_str::CompactString": compact_str::CompactString = parse(["a\n"]); not [1]
        "ordered_float::OrderedFloat<T>": ordered_float::OrderedFloat<f64> = [ordered_float::OrderedFloat(1.5)]; not ["1.5"]
        "ordered_float::NotNan<T>": ordered_float::NotNan<f64> = [ordered_float::NotNan::new(1.5).expect("a number")]; not ["1.5"]
        "rust_decimal::Decimal": rust_decimal::Decimal = parse(["-1.50", "0"]); not ["1,5", "one"]
        "semver::Version": semver::Version = parse(["1.2.3-rc.1+b"]); not ["1.2", "v1.2.3"]
        "semver::VersionReq": semver::VersionReq = parse(["^1.2, <3", "*"]); not ["latest"]
        "semver::Comparator": semver::Comparator = parse(["^1.2"]); not ["*", "latest"]
        "smol_str::SmolStr": smol_str::SmolStr = parse(["a\n"]); not [1]
        "uuid::Uuid": uuid::Uuid = parse(["123e4567-e89b-12d3-a456-426614174000"]); not ["123e4567"]
        "uuid::NonNilUuid": uuid::NonNilUuid = [uuid::NonNilUuid::new(uuid::Uuid::max()).expect("not nil")]; not ["123e4567"] but [nil]
    };
    rows.push(url);
    rows
}
