//! Replies torn apart and put together at random: no panic, and what comes out fits the schema.
//!
//! The seed is fixed; `DECODE_ROUNDS` sets how many rounds (a release build does a million in minutes).

#[path = "decode_types/mod.rs"]
mod types;

use response_schema::decode::{Decoder, Finish, Leniency, decode};
use response_schema_tests::noise::{Choices, Dice, torn};
use serde_json::Value;
use types::{Animal, Order, Severity};

#[test]
fn torn_replies() {
    let rounds = std::env::var("DECODE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(4000);
    let cases: Vec<Value> =
        include_str!("data/noisy.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let validators: Vec<_> =
        cases.iter().map(|case| jsonschema::validator_for(&case["schema_hint"]).unwrap()).collect();
    let mut dice = Dice::new(0);
    let mut read = 0;
    for _ in 0..rounds {
        let at = dice.below(cases.len());
        let text = cases[at]["text"].as_str().unwrap();
        let other = dice.pick(&cases)["text"].as_str().unwrap();
        let text = torn(text, other, &mut dice);
        let decoder = Decoder::new()
            .leniency(*dice.pick(&[Leniency::Strict, Leniency::Extract, Leniency::Repair, Leniency::Repair]))
            .finish(*dice.pick(&[Finish::Unknown, Finish::Stop]));
        if let Ok(done) = decoder.decode_value(&text, &cases[at]["schema_hint"]) {
            read += 1;
            assert!(validators[at].is_valid(&done.value), "{text:?} was read as {}", done.value);
            assert!(text.get(done.span.clone()).is_some(), "{text:?} {:?}", done.span);
            let again = Decoder::new()
                .leniency(Leniency::Strict)
                .decode_value(&done.value.to_string(), &cases[at]["schema_hint"]);
            assert_eq!(again.unwrap(), done.value);
        }
        if let Ok(done) = decoder.decode::<Animal>(&text) {
            assert!(done.legs <= 100);
        }
        let _ = decoder.decode::<Vec<Animal>>(&text);
        let _ = decoder.decode::<Option<Severity>>(&text);
        let _ = decoder.decode::<Order>(&text);
        let _ = decoder.decode_bytes::<Animal>(&text.as_bytes()[text.len().min(1)..]);
    }
    assert!(read * 20 > rounds, "only {read} of {rounds} were read");
}

#[test]
fn what_is_written_is_read() {
    for value in [Some(Severity::Blocking), None] {
        let json = serde_json::json!({"value": &value}).to_string();
        assert_eq!(decode::<Option<Severity>>(&json).unwrap(), value);
    }
}

/// Twice the depth that the stack would bear, for everything that nests.
#[test]
fn any_depth() {
    for unit in
        ["{\"a\":", "[", "{\"a\":[", "{a:", "<think>", "{'a':", "[{\"name\":", "{\"value\":", "｛", "\"{\\\"a\\\":"]
    {
        for close in ["", "]", "}"] {
            let text = format!("{}1{}", unit.repeat(200_000), close.repeat(200_000));
            assert!(decode::<Animal>(&text).is_err());
            assert!(decode::<Vec<Animal>>(&text).is_err());
            assert!(Decoder::new().decode_value(&text, &serde_json::json!({"type": "integer"})).is_err());
        }
    }
}
