//! A worker: takes a task, asks the model, stores the result, takes the task off the queue. In that order.

use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::future::try_join_all;
use response_schema::adapter::DynAdapter;
use response_schema::{Error, ErrorKind, Reply, SubTask, Worker};
use response_schema_examples::routes;
use serde_json::json;

use crate::engine::{DELIVERIES, Engine, Problem};
use crate::{Document, Options, Ticket};

/// Works until it is ended, or until nothing is left.
pub(crate) async fn work(options: Options) -> Result<(), Problem> {
    let engine = Engine::open().await?;
    let workers = engine.workers(options.lease).await?;
    let model = Worker::new(routes::open(&options.route)?);
    try_join_all((0..options.at_once).map(|_| hand(&engine, &workers, &model, &options))).await?;
    Ok(())
}

/// One of the worker's hands, which has one task at a time.
async fn hand(
    engine: &Engine,
    workers: &PullConsumer,
    model: &Worker<DynAdapter>,
    options: &Options,
) -> Result<(), Problem> {
    loop {
        match Engine::next(workers).await? {
            Some(task) => one(engine, &task, model, options.lease).await?,
            None if options.drain && Engine::is_drained(workers).await? => return Ok(()),
            None => {}
        }
    }
}

async fn one(engine: &Engine, task: &Message, model: &Worker<DynAdapter>, lease: Duration) -> Result<(), Problem> {
    let document: Document = serde_json::from_slice(&task.payload)?;
    // Whoever had it before may have died between storing the result and taking the task off.
    if !engine.is_done(&document.id).await? {
        let result = keep(task, lease, model.run::<Ticket>(prompt(&document.text))).await?;
        match &result {
            Err(error) if may_pass(error) && task.info()?.delivered < DELIVERIES => {
                eprintln!("{}: {error}; it goes back into the queue", document.id);
                return task.ack_with(AckKind::Nak(Some(lease))).await;
            }
            _ => engine.store(&document.id, line(&document.id, result)).await?,
        }
    }
    // The server's word that it is off: an acknowledgement that got lost would bring the task back.
    task.double_ack().await
}

/// Renews the lease while the work is under way.
async fn keep<T>(task: &Message, lease: Duration, work: impl Future<Output = T>) -> Result<T, Problem> {
    let mut work = std::pin::pin!(work);
    loop {
        match tokio::time::timeout(lease / 3, work.as_mut()).await {
            Ok(done) => return Ok(done),
            Err(_) => task.ack_with(AckKind::Progress).await?,
        }
    }
}

/// Whether the same may go well later: the route's own attempts were not enough.
fn may_pass(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Transport | ErrorKind::RateLimited | ErrorKind::Provider | ErrorKind::Timeout)
}

fn prompt(text: &str) -> SubTask {
    SubTask::new(text).system("Answer with a ticket as JSON.").example(
        "Nobody can log in since 2.14.3!",
        r#"{"summary": "Login fails since 2.14.3.", "severity": "blocking"}"#,
    )
}

fn line(id: &str, result: Result<Reply<Ticket>, Error>) -> String {
    match result {
        Ok(reply) => json!({"id": id, "ticket": reply.value}),
        Err(error) => json!({"id": id, "error": error.to_string()}),
    }
    .to_string()
}
