//! JSON of every kind: what one type's schema must take and another's must not.

use serde_json::{Value, json};

/// The pool. Whole numbers written as fractions (`1.0`, `1e300`) are not in it: JSON Schema counts them as
/// integers and serde does not, whatever the type.
#[allow(clippy::too_many_lines)] // it is a list
pub(crate) fn pool() -> Vec<Value> {
    let scalars = [
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(-1),
        json!(7),
        json!(12),
        json!(-128),
        json!(-129),
        json!(127),
        json!(128),
        json!(255),
        json!(256),
        json!(-32768),
        json!(32767),
        json!(-32769),
        json!(32768),
        json!(65535),
        json!(65536),
        json!(2_147_483_647),
        json!(2_147_483_648_u64),
        json!(-2_147_483_648),
        json!(-2_147_483_649_i64),
        json!(4_294_967_295_u64),
        json!(4_294_967_296_u64),
        json!(9_007_199_254_740_993_u64),
        json!(999_999_999),
        json!(1_000_000_000),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(0.5),
        json!(-2.5),
        json!(1e-7),
        json!(5e-324),
        json!(""),
        json!("a"),
        json!("ab"),
        json!("\n"),
        json!("\""),
        json!("\\"),
        json!("\0"),
        json!("\u{e9}"),
        json!("\u{1f980}"),
        json!("\u{1f980}\u{1f980}"),
        json!("e\u{301}"),
        json!(" "),
        json!("0"),
        json!("1.5"),
        json!("-1.50"),
        json!("null"),
        json!("true"),
        json!("Ok"),
        json!("Err"),
        json!("Unbounded"),
        json!("Included"),
        json!("Monday"),
        json!("Mon"),
        json!("May"),
        json!("../a/b"),
        json!("2024-02-29"),
        json!("2023-02-29"),
        json!("2024-02-29T12:00:00Z"),
        json!("2024-02-29T12:00:00"),
        json!("12:00:00Z"),
        json!("12:00:00"),
        json!("2024-02-29 12:00:00.0"),
        json!("2024-02-29 12:00:00.0 +00:00:00"),
        json!("12:00:00.5"),
        json!("2024-02-29T12:00:00+05:30[+05:30]"),
        json!("2024-W09-4"),
        json!("+01:00:00"),
        json!("PT1H"),
        json!("P1Y2M3D"),
        json!("P3W"),
        json!("-PT1.5S"),
        json!("123e4567-e89b-12d3-a456-426614174000"),
        json!("{123e4567-e89b-12d3-a456-426614174000}"),
        json!("127.0.0.1"),
        json!("127.0.0.01"),
        json!("256.0.0.1"),
        json!("::1"),
        json!("::ffff:1.2.3.4"),
        json!("1:2:3:4:5:6:7:8"),
        json!("fe80::1%1"),
        json!("127.0.0.1:80"),
        json!("[::1]:80"),
        json!("[fe80::1%1]:80"),
        json!("127.0.0.1:70000"),
        json!("localhost:80"),
        json!("https://example.com/a?b#c"),
        json!("mailto:a@b.c"),
        json!("example.com"),
        json!("a@b.c"),
        json!("1.2.3"),
        json!("1.2"),
        json!("^1.2, <3"),
        json!("*"),
        json!("1.*"),
        json!("1.2.3-rc.1+b"),
        json!("{\"a\":1}"),
        json!("[1,"),
    ];
    let mut pool = scalars.to_vec();
    for item in &scalars {
        pool.push(json!([item]));
        pool.push(json!([item, item]));
        pool.push(json!([item, item, item]));
        pool.push(json!([[item]]));
        for key in ["Ok", "Err", "Included", "Excluded", "Left", "Right", "Unbounded", "secs", "start", "end"] {
            pool.push(json!({ key: item }));
        }
        pool.push(json!({"start": item, "end": item}));
        pool.push(json!({"start": item, "end": item, "more": item}));
        pool.push(json!({"secs": item, "nanos": item}));
        pool.push(json!({"secs": 1, "nanos": item}));
        pool.push(json!({"secs_since_epoch": item, "nanos_since_epoch": 0}));
        pool.push(json!({"secs_since_epoch": 0, "nanos_since_epoch": item}));
        pool.push(json!({"Ok": item, "Err": item}));
        pool.push(json!([{"key": item, "value": item}]));
        pool.push(json!([{"key": "a", "value": item}, {"key": "b", "value": item}]));
        pool.push(json!([1, item]));
        pool.push(json!(["a", item]));
    }
    pool.extend([json!([]), json!({}), json!([[]]), json!([{}])]);
    pool.push(Value::Array((0..33).map(Value::from).collect()));
    pool.push(json!(vec!["a"; 9]));
    pool
}
