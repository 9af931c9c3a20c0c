//! Typed decoding: the order of the search, the root's wrapper, rules, errors.

#[path = "decode_types/mod.rs"]
mod types;

use response_schema::decode::{DecodeErrorKind, Decoder, Finish, Leniency, decode};
use types::{Animal, Severity};

fn rex() -> Animal {
    Animal { name: "Rex".into(), legs: 4 }
}

#[test]
fn whole_text() {
    let done = decode::<Animal>(" \n{\"name\":\"Rex\",\"legs\":4}\n").unwrap();
    assert_eq!(done, rex());
    assert!(done.repairs.is_empty());
    let strict = Decoder::new().leniency(Leniency::Strict);
    assert_eq!(strict.decode::<Animal>("{\"name\":\"Rex\",\"legs\":4}").unwrap(), rex());
    let error = strict.decode::<Animal>("Sure: {\"name\":\"Rex\",\"legs\":4}").unwrap_err();
    assert_eq!(error.kind(), DecodeErrorKind::Malformed);
}

#[test]
fn last_object_that_fits() {
    let text = "First {\"name\":\"Pip\",\"legs\":2}, then\n```json\n{\"name\":\"Rex\",\"legs\":4}\n```\n{\"note\":1}";
    let done = decode::<Animal>(text).unwrap();
    assert_eq!(done, rex());
    assert_eq!(&text[done.span.clone()], "{\"name\":\"Rex\",\"legs\":4}");
}

#[test]
fn roots_that_are_no_objects_are_unwrapped() {
    assert_eq!(decode::<Vec<u8>>("{\"value\":[1,2]}").unwrap(), vec![1, 2]);
    assert_eq!(decode::<Severity>("ok: {\"value\":\"blocking\"}").unwrap(), Severity::Blocking);
    assert_eq!(decode::<Option<u8>>("{\"value\":null}").unwrap(), None);
    assert_eq!(decode::<u64>("{\"value\":18446744073709551615}").unwrap(), u64::MAX);
    assert_eq!(decode::<Option<u8>>("{}").unwrap_err().kind(), DecodeErrorKind::Invalid);
}

#[test]
fn nothing_to_find() {
    for (text, kind) in [
        ("", DecodeErrorKind::Empty),
        (" \n\t", DecodeErrorKind::Empty),
        ("API Error: rate limit", DecodeErrorKind::NoJson),
        ("{\"name\":\"Re", DecodeErrorKind::CutShort),
        ("Draft {\"name\":\"Rex\",\"legs\":4}, final {\"name\":\"Rex\"", DecodeErrorKind::CutShort),
        ("{\"name\":\"Rex\"}", DecodeErrorKind::Invalid),
    ] {
        assert_eq!(decode::<Animal>(text).unwrap_err().kind(), kind, "{text}");
    }
}

#[test]
fn a_cut_reply_never_yields_a_value() {
    let whole = "{\"name\":\"Rex\",\"legs\":4}";
    let error = Decoder::new().finish(Finish::Length).decode::<Animal>(whole).unwrap_err();
    assert!(error.is_cut_short());
}

#[test]
fn faults_carry_their_path() {
    let error = decode::<Vec<Animal>>("{\"value\":[{\"name\":\"Rex\",\"legs\":4},{\"name\":\"Pip\",\"legs\":300}]}")
        .unwrap_err();
    let [violation] = error.violations() else { panic!("{error}") };
    assert_eq!(violation.path, "value[1].legs");
}

#[test]
fn rules_run_on_what_was_found() {
    let error = decode::<Animal>("{\"name\":\"Rex\",\"legs\":101}").unwrap_err();
    assert_eq!(error.to_string(), "the reply does not fit the schema: `legs`: expected at most 100, found 101");
}

#[test]
fn errors_do_not_hold_the_reply() {
    let error = decode::<Animal>("a secret that nobody should log").unwrap_err();
    assert!(!format!("{error} {error:?}").contains("secret"));
}
