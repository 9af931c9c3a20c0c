//! The page: each place of the ticket is painted when it changes, and only then.
//!
//! A reply that streams is a `Stream`, so it needs no more than a name for each of its updates to go out as server-sent
//! events. Who closes the page drops it, and the model stops.

use std::convert::Infallible;
use std::error::Error;

use axum::Router;
use axum::extract::Query;
use axum::response::Html;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use futures_util::StreamExt;
use response_schema::Worker;
use response_schema::adapter::DynAdapter;
use response_schema::partial::{Partial, State};
use response_schema::worker::Update;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{REPORT, Ticket, task};

/// What the page asks for.
#[derive(Deserialize)]
struct Asked {
    report: String,
}

/// Serves the page until the program is stopped.
pub(crate) fn serve(worker: Worker<DynAdapter>, port: u16) -> Result<(), Box<dyn Error>> {
    // It lives as long as the program does, so replies may borrow it.
    let worker: &'static Worker<DynAdapter> = Box::leak(Box::new(worker));
    let page = include_str!("page.html").replace("{{report}}", REPORT);
    let show = move || std::future::ready(Html(page));
    let read = move |Query(asked): Query<Asked>| {
        let updates = worker.stream::<Ticket>(task(&asked.report)).map(|update| Ok::<_, Infallible>(event(update)));
        std::future::ready(Sse::new(updates).keep_alive(KeepAlive::default()))
    };
    let app = Router::new().route("/", get(show)).route("/ticket", get(read));
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
        println!("http://{}", listener.local_addr()?);
        Ok(axum::serve(listener, app).await?)
    })
}

/// An update as the page reads it.
fn event(update: Result<Update<Ticket>, response_schema::Error>) -> Event {
    let (name, data) = match update {
        Ok(Update::Partial(ticket)) => ("changes", changes(&ticket)),
        Ok(Update::Restarted(why)) => ("restart", json!({ "problem": why.problem })),
        Ok(Update::Done(reply)) => ("done", json!({ "value": reply.value, "report": reply.report.to_string() })),
        Ok(_) => ("other", Value::Null),
        Err(error) => ("failed", json!({ "problem": error.to_string() })),
    };
    Event::default().event(name).data(data.to_string())
}

/// The places that have changed, with what stands there now.
fn changes(ticket: &Partial<Ticket>) -> Value {
    let changes = ticket.changed().into_iter().map(|change| {
        let value = ticket.at(&change.path).map(|place| place.to_json());
        // What a list holds has places of its own.
        let value = value.filter(|value| !value.is_object() && !value.is_array());
        json!({ "path": change.path, "done": change.state == State::Done, "value": value })
    });
    Value::Array(changes.collect())
}
