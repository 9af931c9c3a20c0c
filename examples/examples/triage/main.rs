//! Messages sorted by urgency on whichever route does: a route by need, an explicit fallback, and the
//! report of each reply as a row of a table.
//!
//! ```text
//! cargo run --example triage                      # no model, no network
//! cargo run --release --example triage -- embedded # the same with a real model at the end of the chain
//! ```

mod table;

use std::process::ExitCode;
use std::time::Duration;

use response_schema::adapter::{CallErrorKind, Enforcement, Need, Router};
use response_schema::testing::{Scripted, Turn};
use response_schema::worker::{Budget, RetryPolicy};
use response_schema::{ResponseSchema, SubTask, Worker};
use response_schema_examples::{routes, wait};
use serde::Deserialize;

/// Where a message goes, and how soon.
#[derive(Debug, Deserialize, ResponseSchema)]
struct Verdict {
    team: Team,
    urgency: Urgency,
    /// Whether a person must look at it before anything is answered.
    needs_person: bool,
}

#[derive(Debug, Clone, Copy, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
enum Team {
    Billing,
    Support,
    Sales,
}

#[derive(Debug, Clone, Copy, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
enum Urgency {
    Today,
    Week,
    Whenever,
}

const MESSAGES: &[&str] = &[
    "We were charged twice for November, please refund one of the two.",
    "Nobody in our office can log in since this morning!",
    "Do you have a discount for schools? No hurry.",
    "The export has been empty since Tuesday, our accountant is waiting.",
];

const WORKED: &[(&str, &str)] = &[
    ("The invoice has the wrong address.", r#"{"team": "billing", "urgency": "week", "needs_person": false}"#),
    ("Our shop is down!", r#"{"team": "support", "urgency": "today", "needs_person": true}"#),
    ("What does the large plan cost?", r#"{"team": "sales", "urgency": "whenever", "needs_person": false}"#),
];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            table::problem(&problem);
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let last = std::env::args().nth(1).unwrap_or_else(|| "offline".to_owned());
    // Two routes that play a part: one that shows the schema to its model and no more, and one that
    // has no room today. In a program of yours they would be two providers.
    let plain = Scripted::new(["I would say billing."]).guarantee(Enforcement::Hint);
    let busy = Scripted::new([""; 0]).then(Turn::error(CallErrorKind::RateLimited, "no room, come back tomorrow"));
    let routes = Router::new().route("plain", plain).route("busy", busy).route(last.as_str(), routes::open(&last)?);

    // By need, before anything is sent. A need that no route meets is an error with each one's reason.
    let chosen = routes.select(Need::enforced().carrying::<Verdict>()).map_err(|none| none.to_string())?;
    let none = routes.select(Need::enforced().streaming()).err();
    table::choice(chosen.name().unwrap_or_default(), none.as_ref());

    // A chain only where it is asked for; which routes were passed over, each report says.
    let chain = routes.fallback(["busy", last.as_str()]).map_err(|unknown| unknown.to_string())?;
    let budget = Budget::new().max_calls(20).max_time(Duration::from_mins(5));
    let worker = Worker::new(chain)
        .require(Need::enforced())
        .timeout(Duration::from_mins(1))
        .retry(RetryPolicy::default())
        .budget(budget.clone());
    let mut rows = Vec::new();
    for message in MESSAGES {
        let mut task = SubTask::new(*message).system("Sort the message.");
        for (message, verdict) in WORKED {
            task = task.example(*message, *verdict);
        }
        rows.push((*message, wait(worker.run::<Verdict>(task))));
    }
    table::show(&rows);
    table::spent(&budget.spent());
    if rows.iter().any(|(_, result)| result.is_err()) {
        Err("not all messages could be sorted".to_owned())
    } else {
        Ok(())
    }
}
