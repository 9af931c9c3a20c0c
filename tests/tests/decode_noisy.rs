//! Replies as models write them, with what was meant: `data/noisy.jsonl`, and `data/kinds.jsonl` with many
//! of each kind.
//!
//! `expected: null` means that the reply has to be refused.

use response_schema::adapter::ResponseFormat;
use response_schema::decode::{DecodeError, Decoded, Decoder, Finish, Leniency, Repair, RepairKind};
use serde_json::Value;

struct Case {
    id: String,
    text: String,
    schema: Value,
    expected: Value,
    tier: String,
    why: String,
    finish: Finish,
}

fn cases() -> Vec<Case> {
    include_str!("data/noisy.jsonl")
        .lines()
        .chain(include_str!("data/kinds.jsonl").lines())
        .map(|line| {
            let case: Value = serde_json::from_str(line).unwrap();
            let text = |key: &str| case[key].as_str().unwrap_or_default().to_owned();
            Case {
                id: text("id"),
                text: text("text"),
                schema: case["schema_hint"].clone(),
                expected: case["expected"].clone(),
                tier: text("tier"),
                why: text("why"),
                finish: match case["finish"].as_str() {
                    Some("length") => Finish::Length,
                    Some("stop") => Finish::Stop,
                    _ => Finish::Unknown,
                },
            }
        })
        .collect()
}

/// All that is wrong, told together.
fn none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn run(decoder: &Decoder, case: &Case) -> Result<(), String> {
    let result = decoder.decode_value(&case.text, &case.schema);
    match (&result, &case.expected) {
        (Err(_), Value::Null) => Ok(()),
        (Ok(done), expected) if done.value == *expected => Ok(()),
        (Ok(done), expected) => {
            Err(format!("{}: expected {expected}, got {} by {:?}", case.id, done.value, done.repairs))
        }
        (Err(error), _) => Err(format!("{}: {error}", case.id)),
    }
}

#[test]
fn every_case_comes_out_as_meant() {
    let wrong: Vec<_> =
        cases().iter().filter_map(|case| run(&Decoder::new().finish(case.finish), case).err()).collect();
    none(&wrong);
}

/// Cut replies are refused without being told that they are cut.
#[test]
fn cut_replies_are_noticed() {
    // Only the provider knows of a reply that ends with its value.
    let cases = cases().into_iter().filter(|case| case.tier == "reject" && !case.why.contains("says the provider"));
    none(&cases.filter_map(|case| run(&Decoder::new(), &case).err()).collect::<Vec<_>>());
}

/// A format reads its schema once, for the first reply; the next ones come out the same.
#[test]
fn a_format_reads_as_its_schema_does() {
    for case in cases() {
        let decoder = Decoder::new().finish(case.finish);
        let told = |result: Result<Decoded<Value>, DecodeError>| result.map_err(|error| error.to_string());
        let expected = told(decoder.decode_value(&case.text, &case.schema));
        let format = ResponseFormat::from_schema(case.schema.clone());
        for format in [&format, &format.clone(), &format] {
            assert_eq!(told(decoder.decode_value(&case.text, format)), expected, "{}", case.id);
        }
    }
}

#[test]
fn each_tier_needs_its_leniency_and_no_more() {
    let mut wrong = Vec::new();
    for case in cases() {
        for (leniency, enough) in [
            (Leniency::Strict, &["strict"][..]),
            (Leniency::Extract, &["strict", "extract"][..]),
            (Leniency::Repair, &["strict", "extract", "repair", "coerce"][..]),
        ] {
            let done = Decoder::new().leniency(leniency).finish(case.finish).decode_value(&case.text, &case.schema);
            if done.is_ok() != enough.contains(&case.tier.as_str()) {
                wrong.push(format!("{} {:?} with {leniency:?}: {done:?}", case.id, case.text));
            }
            // Only the envelope of a tool call, or a second encoding, is a change in an extracted value.
            let as_told = |repairs: &[Repair]| match case.tier.as_str() {
                "strict" => repairs.is_empty(),
                "extract" => {
                    repairs.iter().all(|repair| matches!(repair.kind, RepairKind::Wrapper | RepairKind::Encoded))
                }
                _ => !repairs.is_empty(),
            };
            if let Ok(done) = done
                && (done.value != case.expected || !as_told(&done.repairs))
            {
                wrong.push(format!("{} with {leniency:?}: {} by {:?}", case.id, done.value, done.repairs));
            }
        }
    }
    none(&wrong);
}
