//! What the model is told: all that it needs, once, and briefly.

use std::fmt::Write;

use response_schema::ResponseSchema;
use serde::Deserialize;

use super::{BAD, GOOD, Pet, pet, scripted, task, told};

#[test]
fn names_the_path_what_was_expected_and_what_was_found() {
    let (_, requests) = pet([r#"{"name": "Biscuit", "legs": 40, "mood": "cross"}"#, GOOD]);
    let told = told(&requests[1]);
    assert!(told.contains("`mood`: found \"cross\", expected one of \"happy\" or \"grumpy\""), "{told}");
    assert!(told.ends_with("Reply again with the whole JSON value, and with nothing else."), "{told}");
}

#[test]
fn lists_the_values_of_an_enum_and_what_was_perhaps_meant() {
    let (_, requests) = pet([r#"{"name": "Biscuit", "legs": 4, "mood": "grumphy!"}"#, GOOD]);
    let told = told(&requests[1]);
    assert!(told.contains("\"happy\"") && told.contains("\"grumpy\"") && told.contains("\"grumphy!\""), "{told}");
}

#[test]
fn says_everything_once() {
    let (_, requests) = pet([BAD, GOOD]);
    assert_eq!(told(&requests[1]).matches("legs").count(), 1);
}

#[derive(Debug, Deserialize, ResponseSchema)]
#[allow(dead_code)] // never read: no reply is good enough
struct Crowd {
    pets: Vec<Pet>,
}

#[test]
fn stays_within_a_few_hundred_tokens() {
    let mut crowd = "{\"pets\": [".to_owned();
    for i in 0..500 {
        let comma = if i == 0 { "" } else { "," };
        let name = "x".repeat(200);
        let _ = write!(crowd, "{comma}{{\"name\": \"{name}\", \"legs\": {}, \"mood\": \"{name}\"}}", 100 + i);
    }
    crowd.push_str("]}");
    let (clock, model, worker) = scripted([crowd.as_str(), "no JSON"]);
    let error = clock.run(worker.run::<Crowd>(task())).expect_err("no crowd");
    let requests = model.requests();
    let told = told(&requests[1]);
    assert!(told.chars().count() < 2000, "{} characters", told.chars().count());
    assert!(told.contains(" more\n"), "{told}");
    // The reply stays in the conversation as it was.
    assert_eq!(requests[1].messages[2].text(), crowd);
    assert_eq!(error.report().attempts.len(), 2);
}

#[test]
fn a_reply_of_another_kind_is_ordinary_feedback() {
    let (result, requests) = pet([r#"[{"name": "Biscuit"}]"#, GOOD]);
    assert!(result.is_ok());
    let told = told(&requests[1]);
    assert!(told.contains("expected"), "{told}");
}

#[test]
fn where_no_json_was_asked_for_none_is_spoken_of() {
    let (clock, model, worker) = scripted(["", "It is a cat."]);
    assert!(clock.run(worker.run_text(task())).is_ok());
    let requests = model.requests();
    assert_eq!(told(&requests[1]), "Your reply was empty. Please reply again.");
}
