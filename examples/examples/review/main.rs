//! A coding command line as a sub-agent: a loop hands a change to a reviewer, and answers with a verdict.
//!
//! ```text
//! cargo run --example review                                    # scripted: nothing is started
//! cargo run --example review --features cli,http -- openai:gpt-5.6 claude-cli
//! ```

#![allow(clippy::print_stdout, reason = "it is a program")]

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use response_schema::adapter::{DynAdapter, ToolCall};
use response_schema::testing::{Scripted, Turn};
use response_schema::{AgentLoop, ResponseSchema, SubTask, Tool, Worker};
use response_schema_examples::{exit, routes, wait};
use serde::{Deserialize, Serialize};

/// Has a change reviewed by a colleague who can read code.
#[derive(Deserialize, ResponseSchema)]
struct ReviewRequest {
    /// The change, as a diff.
    diff: String,
    /// What to look at.
    focus: Option<String>,
}

/// What a reviewer found.
#[derive(Debug, Serialize, Deserialize, ResponseSchema)]
struct Review {
    /// One finding each, the worst first; empty if the change is good.
    #[response(max_items = 10)]
    findings: Vec<Finding>,
}

#[derive(Debug, Serialize, Deserialize, ResponseSchema)]
struct Finding {
    severity: Severity,
    /// What is wrong, in one sentence.
    problem: String,
}

#[derive(Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
enum Severity {
    Nit,
    Fault,
    Danger,
}

/// Whether the change may go in.
#[derive(Debug, Deserialize, ResponseSchema)]
struct Verdict {
    accept: bool,
    /// One sentence for the author.
    reason: String,
}

const DIFF: &str = "\
--- a/src/pay.rs
+++ b/src/pay.rs
-    if amount > balance { return Err(Overdrawn) }
+    if amount > balance { log::warn!(\"overdrawn\") }
     balance -= amount;";

fn main() -> ExitCode {
    exit(run())
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut names = std::env::args().skip(1);
    let model = names.next().map_or_else(|| Ok(manager()), |name| routes::open(&name))?;
    let reviewer = names.next().map_or_else(|| Ok(reviewer()), |name| routes::open(&name))?;

    let review = Tool::worker::<ReviewRequest, Review, _, _>("review", Worker::new(reviewer), |request| {
        let focus = request.focus.unwrap_or_else(|| "correctness".to_owned());
        SubTask::new(format!("Review this change for {focus}.\n\n{}", request.diff))
            .system("You review code. You change nothing.")
    });
    let mut agent = AgentLoop::new(model).tool(review).timeout(Duration::from_mins(5)).response_schema::<Verdict>();

    let verdict = wait(agent.run(format!("May this go in?\n\n{DIFF}")))?;

    println!("{:#?}\n", verdict.value);
    for used in verdict.report.turns.iter().flat_map(|turn| &turn.tools) {
        println!("{} ({:?})", used.name, used.outcome);
        if let Some(report) = &used.report {
            println!("{report}\n");
        }
    }
    println!("{}", verdict.report);
    Ok(())
}

fn manager() -> DynAdapter {
    let arguments = serde_json::json!({ "diff": DIFF, "focus": "lost money" }).to_string();
    Scripted::new([
        Turn::calls([ToolCall::new("1", "review", arguments)]),
        Turn::text(r#"{"accept": false, "reason": "An overdrawn account would go below zero."}"#),
    ])
    .into()
}

fn reviewer() -> DynAdapter {
    Scripted::new([r#"{"findings": [{"severity": "danger", "problem": "The check only logs; the money is gone."}]}"#])
        .into()
}
