//! A value with the schema of another type is held to that type's rules, although its own type does
//! not know them.

use response_schema::ResponseSchema;
use response_schema::decode::{Decoder, Leniency, decode};
use serde::{Deserialize, Deserializer};

#[derive(Deserialize, ResponseSchema)]
struct Percent(#[response(min = 0, max = 100)] i64);

#[derive(Debug, PartialEq, Deserialize, ResponseSchema)]
#[serde(from = "Percent")]
struct Share {
    of_a_thousand: i64,
}

impl From<Percent> for Share {
    fn from(Percent(value): Percent) -> Self {
        Self { of_a_thousand: value * 10 }
    }
}

/// A type without a schema of its own.
#[derive(Debug, PartialEq)]
struct Code(i64);

fn code<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Code, D::Error> {
    i64::deserialize(deserializer).map(Code)
}

#[derive(Debug, PartialEq, Deserialize, ResponseSchema)]
struct Order {
    share: Option<Share>,
    #[serde(deserialize_with = "code")]
    #[response(schema_of = "Percent")]
    code: Code,
}

#[test]
fn what_satisfies_the_stated_schema_is_read() {
    let order = decode::<Order>(r#"{"share": 7, "code": 100}"#).expect("valid");
    assert_eq!(order.value, Order { share: Some(Share { of_a_thousand: 70 }), code: Code(100) });
    assert!(order.repairs.is_empty());
}

#[test]
fn what_breaks_its_rules_is_refused_at_any_leniency() {
    for leniency in [Leniency::Strict, Leniency::Extract, Leniency::Repair] {
        let decoder = Decoder::new().leniency(leniency);
        let error = decoder.decode::<Order>(r#"{"share": 101, "code": -1}"#).expect_err("both are out of bounds");
        let told: Vec<_> = error.violations().iter().map(ToString::to_string).collect();
        assert_eq!(told, ["`share`: expected at most 100, found 101", "`code`: expected at least 0, found -1"]);
    }
}
