//! Rules on values run on every path to a value; and what violations say.

use response_schema::ResponseSchema;
use response_schema::check::{CheckContext, Violations};
use response_schema::decode::{DecodeErrorKind, Decoder, Finish, Leniency, decode};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, PartialEq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "camelCase")]
#[response(validate = in_order)]
struct Shift {
    #[response(min = 0, max = 23)]
    start_hour: u8,
    end_hour: u8,
    #[response(pattern = "^[A-Z]{2}$")]
    desk_code: String,
    #[response(validate_with = of_staff, max_items = 2)]
    staff: Vec<String>,
    kind: Kind,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    EarlyTurn,
    LateTurn,
}

fn in_order(shift: &Shift) -> Result<(), &'static str> {
    if shift.start_hour < shift.end_hour { Ok(()) } else { Err("ends before it begins") }
}

#[allow(clippy::ptr_arg)] // the form that `validate_with` asks for
fn of_staff(names: &Vec<String>, context: &CheckContext) -> Result<(), String> {
    let known = context.value::<Vec<&'static str>>();
    match names.iter().find(|name| known.is_some_and(|known| !known.contains(&name.as_str()))) {
        Some(stranger) => Err(format!("{stranger} does not work here")),
        None => Ok(()),
    }
}

fn shift(start: u8, desk: &str, staff: &[&str]) -> String {
    json!({"startHour": start, "endHour": 12, "deskCode": desk, "staff": staff, "kind": "early-turn"}).to_string()
}

/// The same value on each way that a reply can take to it.
fn ways(json: &str) -> Vec<Vec<u8>> {
    let text = |text: String| text.into_bytes();
    vec![
        text(json.to_owned()),
        text(format!("Here: {json} Bye.")),
        text(format!("```json\n{json}\n```")),
        text(format!("<think>{{}}</think>{json}")),
        text(json.replace('}', ",}")),
        text(json.replace('"', "'")),
        text(json.replace("\"startHour\":", "\"START_HOUR\":\"").replace(",\"endHour\"", "\",\"endHour\"")),
        text(json.replace("early-turn", "EarlyTurn")),
        text(format!("{{\"result\": {json}}}")),
        text(format!("[{json}]")),
        text(serde_json::to_string(json).unwrap()),
        text(json.replace('"', "&quot;")),
        [b"caf\xe9: ", json.as_bytes()].concat(),
        json.encode_utf16().fold(vec![0xff, 0xfe], |mut bytes, unit| {
            bytes.extend(unit.to_le_bytes());
            bytes
        }),
    ]
}

#[test]
fn rules_run_on_every_path() {
    let context = CheckContext::new().with_value(vec!["Ann", "Bo"]);
    let decoder = Decoder::new().context(context);
    for way in ways(&shift(8, "AB", &["Ann"])) {
        let done = decoder.decode_bytes::<Shift>(&way);
        let text = String::from_utf8_lossy(&way);
        assert_eq!(done.unwrap_or_else(|error| panic!("{text}\n{error}")).start_hour, 8);
    }
    for (json, path, words) in [
        (shift(24, "AB", &["Ann"]), "startHour", "at most 23"),
        (shift(8, "abc", &["Ann"]), "deskCode", "text matching"),
        (shift(8, "AB", &["Ann", "Cy"]), "staff", "Cy does not work here"),
        (shift(8, "AB", &["Ann", "Bo", "Ann"]), "staff", "at most 2"),
        (shift(13, "AB", &["Ann"]), "", "ends before it begins"),
    ] {
        for way in ways(&json) {
            let text = String::from_utf8_lossy(&way).into_owned();
            let error = decoder.decode_bytes::<Shift>(&way).expect_err(&text);
            assert_eq!(error.kind(), DecodeErrorKind::Invalid, "{text}\n{error}");
            let told = error
                .violations()
                .iter()
                .any(|violation| violation.path == path && violation.to_string().contains(words));
            assert!(told, "{text}\n{error}");
        }
    }
    // A reply whose last brace is missing, too.
    let cut = shift(24, "AB", &["Ann"]);
    let stopped = Decoder::new().finish(Finish::Stop);
    assert!(stopped.decode::<Shift>(cut.trim_end_matches('}')).is_err());
    assert_eq!(stopped.decode::<Shift>(shift(8, "AB", &[]).trim_end_matches('}')).unwrap().start_hour, 8);
}

#[test]
fn rules_of_a_root_that_is_wrapped() {
    let json = format!("{{\"value\": [{}]}}", shift(24, "AB", &[]));
    for text in [json.clone(), json.replace('"', "'"), format!("So: {json}")] {
        let error = decode::<Vec<Shift>>(&text).unwrap_err();
        assert_eq!(error.violations()[0].path, "value[0].startHour", "{text}");
    }
}

#[test]
fn names_are_those_of_the_wire_and_hints_the_nearest() {
    let text = json!({"startHuor": 8, "endHour": 12, "deskCode": "AB", "staff": [], "kind": "early-trun"}).to_string();
    let error = decode::<Shift>(&text).unwrap_err();
    let told = error.to_string();
    assert!(told.contains("`startHour`: expected a whole number, found no such key, but `startHuor`"), "{told}");
    assert!(told.contains("`kind`: expected one of \"early-turn\" or \"late-turn\""), "{told}");
    assert!(told.contains("did you mean \"early-turn\"?"), "{told}");
    assert!(!told.contains("start_hour") && !told.contains("EarlyTurn"), "{told}");
}

#[derive(Debug, PartialEq, Serialize, Deserialize, ResponseSchema)]
struct Letter {
    #[response(format = "date")]
    sent: String,
    #[response(format = "email")]
    from: Option<String>,
    answer: Day,
    pages: u8,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, ResponseSchema)]
struct Day(#[response(format = "date")] String);

/// What is asked for once more is told as a whole, whichever reader finds it.
#[test]
fn formats_are_told_beside_faults_of_the_shape() {
    let text = json!({"sent": "2026-02-30", "from": "ada", "answer": "soon", "pages": "many"}).to_string();
    let error = decode::<Letter>(&text).unwrap_err();
    let mut paths: Vec<_> = error.violations().iter().map(|violation| violation.path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(paths, ["answer", "from", "pages", "sent"], "{error}");
}

#[test]
fn many_violations_are_counted_and_capped_in_one_order() {
    let items = vec![json!({"startHour": "x", "endHour": true}); 50];
    let text = json!({"value": items}).to_string();
    let error = decode::<Vec<Shift>>(&text).unwrap_err();
    assert_eq!(error.violations().len(), Violations::CAP);
    assert!(error.violation_count() > Violations::CAP, "{}", error.violation_count());
    assert_eq!(error.violations()[0].path, "value[0].startHour");
    assert_eq!(error.violations()[1].path, "value[0].endHour");
    assert!(error.to_string().lines().all(|line| line.chars().count() < 240), "{error}");
    for _ in 0..5 {
        assert_eq!(decode::<Vec<Shift>>(&text).unwrap_err().to_string(), error.to_string());
    }
}

#[test]
fn what_was_found_is_shortened() {
    let long = "x".repeat(100_000);
    let text = shift(8, &long, &[]);
    let error = decode::<Shift>(&text).unwrap_err();
    assert!(error.to_string().len() < 400, "{}", error.to_string().len());
}

/// Each look at a value by serde alone, and its fault's path.
#[test]
fn faults_of_serde_have_their_path() {
    #[derive(Debug, Deserialize, ResponseSchema)]
    #[allow(dead_code)]
    struct Host {
        #[serde(rename = "addresses")]
        list: Vec<std::net::Ipv4Addr>,
    }
    for leniency in [Leniency::Strict, Leniency::Extract, Leniency::Repair] {
        let decoder = Decoder::new().leniency(leniency);
        let error = decoder.decode::<Host>("{\"addresses\": [\"10.0.0.1\", \"10.0.0.256\"]}").unwrap_err();
        assert_eq!(error.violations()[0].path, "addresses[1]", "{error}");
        assert!(error.violations()[0].found.contains("10.0.0.256"), "{error}");
    }
}

#[test]
fn numbers_of_each_width_stay_exact() {
    #[derive(Debug, PartialEq, Deserialize, ResponseSchema)]
    struct Numbers {
        large: u64,
        small: i64,
    }
    let numbers = Numbers { large: u64::MAX, small: i64::MIN };
    for text in [
        "{\"large\": 18446744073709551615, \"small\": -9223372036854775808}",
        "{\"large\": \"18446744073709551615\", \"small\": \"-9223372036854775808\"}",
        "{'large': 18446744073709551615.0, small: -9223372036854775808,}",
        "{\"large\": 1.8446744073709551615e19, \"small\": \"-9,223,372,036,854,775,808\"}",
    ] {
        assert_eq!(decode::<Numbers>(text).unwrap(), numbers, "{text}");
    }
    for text in [
        "{\"large\": 18446744073709551616, \"small\": 0}",
        "{'large': 0, 'small': -9223372036854775809}",
        "{\"large\": -1, \"small\": 0}",
        "{\"large\": \"1e30\", \"small\": 0}",
        "{\"large\": 0.5, \"small\": 0}",
    ] {
        assert_eq!(decode::<Numbers>(text).unwrap_err().kind(), DecodeErrorKind::Invalid, "{text}");
    }
}
