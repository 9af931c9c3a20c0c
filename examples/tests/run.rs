//! The example programs run, and print what they promise.
//!
//! `cargo test` builds them beside this test; with `--test run` alone build them first.

mod program;

use std::process::{Command, Output};

/// Runs an example program; no route of it needs a network here.
fn run(name: &str, arguments: &[&str]) -> Output {
    Command::new(program::path(name)).args(arguments).env("RESPONSE_SCHEMA_NO_REAL_CALLS", "1").output().expect("runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

#[test]
fn ticket_runs_offline_and_prints_reports() {
    let output = run("ticket", &["--route", "offline"]);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}{}", text(&output.stderr));
    assert_eq!(shown.matches("route      offline (sampler)").count(), 10, "{shown}");
    assert_eq!(shown.matches("guarantee  enforced").count(), 10, "{shown}");
}

#[test]
fn ticket_lists_the_routes_when_there_is_no_such_one() {
    let output = run("ticket", &["--route", "pigeon"]);
    assert!(!output.status.success());
    let shown = text(&output.stderr);
    assert!(shown.contains("there is no route `pigeon`") && shown.contains("offline"), "{shown}");
}

#[test]
fn triage_prints_a_table_with_the_route_that_was_passed_over() {
    let output = run("triage", &[]);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}{}", text(&output.stderr));
    assert!(shown.contains("enforced schemas: `busy` does"), "{shown}");
    assert!(shown.contains("plain    its guarantee for schemas is `hint`"), "{shown}");
    assert_eq!(shown.matches("busy (no room, come back tomorrow)").count(), 4, "{shown}");
    assert!(shown.contains("\n4 calls"), "{shown}");
}

#[test]
fn research_calls_its_tools_and_plans() {
    let output = run("research", &[]);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}{}", text(&output.stderr));
    assert!(shown.contains("turn 1     search (Done)\nturn 1     search (Done)"), "{shown}");
    assert!(shown.contains("turn 2     read_abstract (Failed)"), "{shown}");
    assert!(shown.contains("title: \"Masks at the speed of thought\""), "{shown}");
}

/// The model is small: that it calls tools and ends in a plan is asserted, not what it says.
#[test]
#[cfg(all(feature = "embedded", feature = "http"))]
fn research_runs_on_a_real_model() {
    use response_schema::adapter::Embedded;
    use response_schema_tests_routes::llama::{self, Llama};

    let model = Embedded::builder().model_file().expect("the weights");
    let server = Llama::start(std::path::Path::new(env!("CARGO_TARGET_TMPDIR")), &model, Some(llama::TOOLS));
    let route = format!("llama-cpp@{}", server.url());
    let output = Command::new(program::path("research")).arg(route).output().expect("runs");
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}{}", text(&output.stderr));
    assert!(shown.contains("Plan {") && shown.contains("turn 1     "), "{shown}");
    assert!(shown.contains("guarantee  enforced"), "{shown}");
}

/// What was tried is told with the error.
#[test]
#[cfg(feature = "embedded")]
fn research_says_what_a_route_cannot_do() {
    let output = run("research", &["embedded"]);
    let told = text(&output.stderr);
    assert!(!output.status.success() && told.starts_with("error: ") && told.contains("tools"), "{told}");
    assert!(!told.contains("Report {"), "{told}");
}

#[test]
fn review_asks_a_sub_agent() {
    let output = run("review", &[]);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}{}", text(&output.stderr));
    assert!(shown.contains("accept: false") && shown.contains("review (Done)"), "{shown}");
    assert_eq!(shown.matches("route      scripted").count(), 2, "{shown}");
}

#[test]
fn live_tells_each_change_where_there_is_no_terminal() {
    let output = run("live", &["offline"]);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}{}", text(&output.stderr));
    assert!(shown.starts_with("done  summary\ndone  severity\n"), "{shown}");
    assert!(shown.contains("Ticket {"), "{shown}");
}
