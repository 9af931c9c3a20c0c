//! A loop with three tools and a plan at its end.
//!
//! ```text
//! cargo run --example research                                    # a scripted model: no key, no network
//! cargo run --example research --features http -- openai:gpt-5.6  # a real one
//! ```

#![allow(clippy::print_stdout, reason = "it is a program")]

use std::collections::BTreeMap;
use std::error::Error;

use response_schema::adapter::{DynAdapter, ToolCall};
use response_schema::testing::{Scripted, Turn};
use response_schema::{AgentLoop, ResponseSchema, Tool, tool};
use response_schema_examples::{routes, wait};
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

fn main() -> Result<(), Box<dyn Error>> {
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
    let mut agent = AgentLoop::new(model)
        .system("You plan readings. Use the tools; never name a paper that they do not know.")
        .tool(search_tool(&library))
        .tool(read_abstract_tool(&library))
        .tool(count)
        .max_turns(8)
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
