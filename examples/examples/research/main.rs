//! A loop with three tools and a plan at its end.
//!
//! ```text
//! cargo run --example research                                    # a scripted model: no key, no network
//! cargo run --example research --features http -- openai:gpt-5.6  # a real one
//! ```

#![allow(clippy::print_stdout, reason = "it is a program")]

use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use response_schema::adapter::{AssistantMessage, DynAdapter, Message, Parameters, ToolCall, ToolChoice, ToolResult};
use response_schema::agent::History;
use response_schema::testing::{Scripted, Turn};
use response_schema::{AgentLoop, ResponseSchema, Tool, tool};
use response_schema_examples::{exit, routes, wait};
use serde::Deserialize;

/// What the tools know.
struct Library {
    papers: BTreeMap<&'static str, &'static str>,
}

/// Finds the titles of papers about a subject.
#[tool]
async fn search(
    library: &Library,
    /// A word of the title.
    word: String,
) -> Vec<String> {
    let word = word.to_lowercase();
    library
        .papers
        .keys()
        .filter(|title| title.to_lowercase().contains(&word))
        .map(|title| (*title).to_owned())
        .collect()
}

/// Reads a paper's abstract.
#[tool]
async fn read_abstract(
    library: &Library,
    /// The title, as `search` gives it.
    title: String,
) -> Result<&'static str, String> {
    library.papers.get(&*title).copied().ok_or_else(|| format!("there is no paper `{title}`; search for it first"))
}

/// Counts the words of a text.
#[derive(Deserialize, ResponseSchema)]
struct CountWords {
    text: String,
}

/// What to read, and why.
#[derive(Debug, Deserialize, ResponseSchema)]
struct Plan {
    /// What is asked, in one sentence.
    question: String,
    /// In the order of reading.
    #[response(min_items = 1, max_items = 5)]
    readings: Vec<Reading>,
}

#[derive(Debug, Deserialize, ResponseSchema)]
struct Reading {
    title: String,
    /// Why it is worth the time, in one sentence.
    because: String,
}

fn main() -> ExitCode {
    exit(run())
}

fn run() -> Result<(), Box<dyn Error>> {
    let route = std::env::args().nth(1);
    let model = route.map_or_else(|| Ok(script()), |name| routes::open(&name))?;
    let library = Library {
        papers: BTreeMap::from([
            ("Grammars for decoding", "A grammar is compiled to a mask over the model's vocabulary."),
            ("Masks at the speed of thought", "Masks are made while the previous token is computed."),
            ("On the taste of pears", "Ripe pears are sweeter."),
        ]),
    };
    let count = Tool::new("count_words", |input: CountWords| async move { input.text.split_whitespace().count() });
    // A small model that is left alone writes on and on.
    let mut parameters = Parameters::default();
    parameters.max_tokens = Some(4000);
    let mut agent = AgentLoop::new(model)
        .resume(shown())
        .tool(search_tool(&library))
        .tool(read_abstract_tool(&library))
        .tool(count)
        // A plan rests on something: at least one of them is called.
        .tool_choice(ToolChoice::Required)
        .max_turns(8)
        .parameters(parameters)
        .timeout(Duration::from_mins(3))
        .response_schema::<Plan>();

    let plan = wait(agent.run("How is text held to a grammar while a model writes it?"))?;

    println!("{:#?}\n", plan.value);
    for (turn, calls) in plan.report.turns.iter().enumerate() {
        for used in &calls.tools {
            println!("turn {}     {} ({:?})", turn + 1, used.name, used.outcome);
        }
    }
    println!("{}", plan.report);
    Ok(())
}

/// How it is done: a small model calls tools only when it has seen that.
fn shown() -> History {
    let search = ToolCall::new("shown-1", "search", r#"{"word": "pears"}"#);
    let read = ToolCall::new("shown-2", "read_abstract", r#"{"title": "On the taste of pears"}"#);
    let plan = r#"{"question": "What do pears taste of?", "readings": [
        {"title": "On the taste of pears", "because": "It says when they are sweet."}]}"#;
    History::from_messages([
        Message::user("What do pears taste of?"),
        AssistantMessage::new("", vec![search.clone()]).into(),
        ToolResult::new(&search, r#"["On the taste of pears"]"#).into(),
        AssistantMessage::new("", vec![read.clone()]).into(),
        ToolResult::new(&read, "Ripe pears are sweeter.").into(),
        Message::assistant(plan),
    ])
}

/// A model that plays its part, mistakes included.
fn script() -> DynAdapter {
    let call = ToolCall::new;
    Scripted::new([
        Turn::calls([call("1", "search", r#"{"word": "grammar"}"#), call("2", "search", r#"{"word": "masks"}"#)]),
        Turn::calls([
            call("3", "read_abstract", r#"{"title": "Grammars"}"#),
            call("4", "read_abstract", r#"{"title": "Masks at the speed of thought"}"#),
        ]),
        Turn::calls([call("5", "read_abstract", r#"{"title": "Grammars for decoding"}"#)]),
        Turn::text(
            r#"{"question": "How is text held to a grammar while it is written?", "readings": [
                {"title": "Grammars for decoding", "because": "It says how a grammar becomes a mask."},
                {"title": "Masks at the speed of thought", "because": "It says what that costs."}]}"#,
        ),
    ])
    .into()
}
