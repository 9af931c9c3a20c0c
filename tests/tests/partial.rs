//! Values that grow: a reply is cut at every byte, with noise around it, and no snapshot may say what the
//! whole reply does not. serde reads the whole.

use response_schema::decode::Decoder;
use response_schema_tests::fixtures::{self, Fixture};
use response_schema_tests::noise::{Choices, Dice, around, faulty};
use serde_json::Value;

const SAMPLES: u64 = 4;

/// Whether `after` is what `before` may grow into.
fn grows_into(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Null, _) => true,
        (Value::String(before), Value::String(after)) => after.starts_with(before.as_str()),
        (Value::Array(before), Value::Array(after)) => {
            before.len() <= after.len() && before.iter().zip(after).all(|(before, after)| grows_into(before, after))
        }
        (Value::Object(before), Value::Object(after)) => {
            before.iter().all(|(key, value)| after.get(key).is_some_and(|after| grows_into(value, after)))
        }
        _ => before == after,
    }
}

/// The pieces of a text cut before every character that `cut` picks.
fn pieces(text: &str, cut: impl Fn(usize) -> bool) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, _) in text.char_indices().skip(1) {
        if cut(at) {
            pieces.push(&text[start..at]);
            start = at;
        }
    }
    pieces.push(&text[start..]);
    pieces
}

/// The value that is meant: what stands in the wrapper, where the root has one.
fn meant(fixture: &Fixture, text: &str) -> Value {
    let whole: Value = serde_json::from_str(text).expect("JSON");
    let strict: Value = serde_json::from_str(fixture.strict).expect("a schema");
    let one = strict["required"] == serde_json::json!(["value"]);
    let alone = (fixture.snapshots)(&[text]).pop().expect("a snapshot");
    // A struct of one field `value` looks like a wrapper, and is none.
    if one && alone != whole { whole["value"].clone() } else { whole }
}

fn check(fixture: &Fixture, text: &str, pieces: &[&str], whole: &Value) {
    let mut before = Value::Null;
    for (i, now) in (fixture.snapshots)(pieces).into_iter().enumerate() {
        assert!(grows_into(&before, &now), "{}: piece {i} of {text}: {before} became {now}", fixture.name);
        assert!(grows_into(&now, whole), "{}: piece {i} of {text}: {now} is no part of {whole}", fixture.name);
        before = now;
    }
    assert_eq!(&before, whole, "{}: {text}", fixture.name);
}

#[test]
fn snapshots_only_grow_and_end_in_the_whole() {
    for fixture in fixtures::all() {
        for seed in 0..SAMPLES {
            let text = (fixture.sample)(seed);
            let whole = meant(fixture, &text);
            check(fixture, &text, &pieces(&text, |_| true), &whole);
            check(fixture, &text, &pieces(&text, |at| at % 7 == 0), &whole);
        }
    }
}

#[test]
fn noise_around_a_value_changes_nothing() {
    for (i, fixture) in fixtures::all().into_iter().enumerate() {
        let text = (fixture.sample)(i as u64);
        let whole = meant(fixture, &text);
        if whole == serde_json::json!({}) {
            continue;
        }
        let noisy = format!(
            "<think>maybe {{\"value\": 0}} or [1]?</think>As in `{{name}}`, [see], <b>x</b>:\n```json\n{text}\n```\nDone {{}}."
        );
        check(fixture, &noisy, &pieces(&noisy, |_| true), &whole);
    }
}

#[test]
fn every_cut_in_two_tells_the_same() {
    for fixture in fixtures::all().into_iter().step_by(5) {
        let text = (fixture.sample)(11);
        let whole = meant(fixture, &text);
        for (at, _) in text.char_indices() {
            check(fixture, &text, &[&text[..at], &text[at..]], &whole);
        }
    }
}

/// Noise around values and faults in them: whatever decoding makes of the reply, no snapshot says anything else.
#[test]
fn no_snapshot_says_what_decoding_does_not() {
    let rounds = std::env::var("PROMISE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(6);
    let mut read = 0;
    // What serde writes has to be what it read, to be compared with.
    for (i, fixture) in fixtures::all().into_iter().enumerate().filter(|(_, one)| one.two_sided && one.lossless) {
        for round in 0..rounds {
            let mut dice = Dice::new(i as u64 * 1000 + round);
            let sample = (fixture.sample)(dice.below(1 << 16) as u64);
            let document = serde_json::from_str(&sample).expect("JSON");
            let text = if dice.once_in(2) { sample } else { faulty(&document, &mut dice) };
            let text = around(&text, &mut dice);
            let Ok(decoded) = (fixture.decode)(&Decoder::new(), text.as_bytes()) else { continue };
            let whole = meant(fixture, &decoded.value);
            let size = dice.below(9) + 1;
            let mut before = Value::Null;
            for now in (fixture.snapshots)(&pieces(&text, |at| at % size == 0)) {
                assert!(grows_into(&now, &whole), "{}: {now} is no part of {whole}: {text}", fixture.name);
                assert!(grows_into(&before, &now), "{}: {before} became {now}: {text}", fixture.name);
                before = now;
            }
            read += 1;
        }
    }
    assert!(read > 500, "{read}");
}

/// Types whose snapshots are told one by one.
mod told {
    use response_schema::ResponseSchema;
    use response_schema::partial::{Growing, State};
    use serde_json::json;

    #[derive(ResponseSchema)]
    #[allow(dead_code, reason = "only their schemas are asked for")]
    struct Report {
        title: String,
        severity: Severity,
        score: f64,
        tags: Vec<String>,
        parts: Vec<Part>,
    }

    #[derive(ResponseSchema)]
    #[allow(dead_code, reason = "only their schemas are asked for")]
    #[serde(rename_all = "lowercase")]
    enum Severity {
        High,
        Higher,
    }

    #[derive(ResponseSchema)]
    #[allow(dead_code, reason = "only their schemas are asked for")]
    #[serde(tag = "kind", rename_all = "lowercase")]
    enum Part {
        Text { text: String },
        Textual { text: String },
    }

    #[test]
    fn numbers_and_choices_wait_until_they_are_complete() {
        let mut report = Growing::<Report>::new();
        assert!(report.push("{\"title\": \"").is_some());
        assert_eq!(report.push("A \\u00").map(|now| now.to_json()), Some(json!({ "title": "A " })));
        let now = report.push("e9\", \"severity\": \"high").expect("the rest of the title");
        assert_eq!(now.to_json(), json!({ "title": "A \u{e9}" }));
        assert!(now.get("severity").is_none());
        drop(now);
        assert!(report.push("er").is_none());
        assert_eq!(report.push("\", \"score\": 1").map(|now| now.to_json()["severity"].clone()), Some(json!("higher")));
        assert!(report.push("2.").is_none());
        assert_eq!(report.push("5,").map(|now| now.to_json()["score"].clone()), Some(json!(12.5)));
        let now = report.push("\"tags\": [\"a\", \"b").expect("tags");
        let tags: Vec<_> = now.get("tags").expect("begun").items().map(|tag| (tag.as_str(), tag.state())).collect();
        assert_eq!(tags, [(Some("a"), State::Done), (Some("b"), State::Growing)]);
        let paths: Vec<_> = now.changed().into_iter().map(|change| change.path).collect();
        assert_eq!(paths, ["tags", "tags[0]", "tags[1]"]);
        drop(now);
        let now = report.push("\"], \"parts\": [{\"kind\": \"text").expect("an object");
        assert_eq!(now.to_json()["parts"], json!([{}]));
    }

    /// Decoding may mend what the schema has no room for, drop it, or refuse the whole; until then nobody knows.
    #[test]
    fn what_the_schema_has_no_room_for_is_not_shown() {
        let mut report = Growing::<Report>::new();
        let now = report.push(
            r#"{"zz": {"title": 1}, "title": 5, "severity": "HIGH", "score": "1.5", "tags": ["a", 2, "c"], "parts": {"kind": "text"}}"#,
        );
        assert_eq!(
            now.expect("the tags").to_json(),
            json!({"tags": ["a"]}),
            "what follows an element would stand elsewhere"
        );
        let mut report = Growing::<Report>::new();
        let now =
            report.push(r#"{"title": "x", "severity": "high", "score": 1e2, "tags": [], "parts": [{"kind": "text"}]"#);
        let whole = json!({"title": "x", "severity": "high", "score": 100.0, "tags": [], "parts": [{"kind": "text"}]});
        assert_eq!(now.expect("all of it").to_json(), whole);
        let mut list = Growing::<Vec<u8>>::new();
        assert_eq!(list.push(r#"{"value": [1, 2.0, 3]}"#).map(|now| now.to_json()), Some(json!([1])));
    }

    /// Places are looked up by the paths that changes have.
    #[test]
    fn every_change_leads_to_its_place() {
        #[derive(ResponseSchema)]
        #[allow(dead_code, reason = "only its schema is asked for")]
        struct Odd {
            #[serde(rename = "a b")]
            spaced: Vec<Part>,
            #[serde(rename = "a")]
            short: String,
            #[serde(rename = "a.b")]
            dotted: String,
        }
        let mut odd = Growing::<Odd>::new();
        let text =
            r#"{"a b": [{"kind": "text", "text": "x"}, {"kind": "textual", "text": "y"}], "a": "1", "a.b": "2"}"#;
        let now = odd.push(text).expect("news");
        let paths: Vec<_> = now.changed().into_iter().map(|change| change.path).collect();
        assert_eq!(paths.last().map(String::as_str), Some("[\"a.b\"]"));
        for change in now.changed() {
            let place = now.at(&change.path).unwrap_or_else(|| panic!("{}", change.path));
            assert_eq!((place.state(), change.state), (State::Done, State::Done));
        }
        let words = |path: &str| now.at(path).and_then(|place| place.as_str().map(str::to_owned));
        assert_eq!(words("[\"a b\"][1].text").as_deref(), Some("y"));
        assert_eq!((words("a").as_deref(), words("[\"a.b\"]").as_deref()), (Some("1"), Some("2")));
        assert!(now.at("").is_some());
        for nowhere in ["b", "a.b", "a[0]", "[\"a b\"][2]", "[\"a b\"].text", "[", "."] {
            assert!(now.at(nowhere).is_none(), "{nowhere}");
        }
        drop(now);
        assert_eq!((odd.snapshot().state("a"), odd.snapshot().state("b")), (State::Done, State::Pending));
    }

    #[test]
    fn keys_that_are_not_known_may_come_first() {
        let mut report = Growing::<Report>::new();
        assert!(report.push("{\"thoughts\": {\"a\": [1]}, ").is_none());
        assert_eq!(report.push("\"title\": \"A").map(|now| now.to_json()), Some(json!({"title": "A"})));
    }

    #[test]
    fn a_value_behind_a_finished_one_replaces_it() {
        let mut list = Growing::<Vec<u8>>::new();
        let first = list.push("Draft: {\"value\": [1]} Final: ").expect("the draft");
        assert_eq!((first.to_json(), first.drafts()), (json!([1]), 0));
        drop(first);
        let second = list.push("{\"value\": [2, 3").expect("the answer");
        assert_eq!((second.to_json(), second.drafts()), (json!([2]), 1));
    }

    #[test]
    fn what_is_no_json_stands_still() {
        let mut list = Growing::<Vec<u8>>::new();
        assert_eq!(list.push("{\"value\": [1, 2,").map(|now| now.to_json()), Some(json!([1, 2])));
        assert!(list.push(" three, 4]}").is_none());
        assert_eq!(list.snapshot().to_json(), json!([1, 2]));
    }

    #[test]
    fn a_snapshot_that_is_kept_stays_as_it_was() {
        let mut list = Growing::<Vec<u8>>::new();
        let before = list.push("{\"value\": [1, ").expect("one");
        assert!(list.push("2]}").is_some());
        assert_eq!(before.to_json(), json!([1]));
    }

    #[test]
    fn elements_of_an_array_are_no_answer() {
        let mut list = Growing::<Vec<u8>>::new();
        assert!(list.push("[{\"value\": [1]}, {\"value\": [2]}] ").is_none());
        assert_eq!(list.push("{\"value\": [3]}").map(|now| now.to_json()), Some(json!([3])));
    }
}
