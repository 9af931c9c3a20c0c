//! The queue, as NATS keeps it: a stream of tasks from which each is taken once, and a bucket of results.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::kv::{self, CreateErrorKind, Store};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context, Message};
use futures_util::StreamExt as _;

use crate::Document;

pub(crate) type Problem = Box<dyn std::error::Error + Send + Sync>;

const TASKS: &str = "tickets-todo";
const RESULTS: &str = "tickets-done";
const WORKERS: &str = "workers";

/// How often a task is given to a worker at most.
pub(crate) const DELIVERIES: i64 = 5;

/// A task that was added twice within this time is one.
const SAME: Duration = Duration::from_hours(24);

/// The queue. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Engine {
    context: Context,
    tasks: Stream,
    results: Store,
}

impl Engine {
    /// The queue at `NATS_URL`; it is made if it is not there yet.
    pub(crate) async fn open() -> Result<Self, Problem> {
        let url = std::env::var("NATS_URL").unwrap_or_else(|_| "nats://127.0.0.1:4222".to_owned());
        let client = async_nats::connect(&url)
            .await
            .map_err(|error| format!("there is no NATS server at {url} ({error}); start one: nats-server -js"))?;
        let context = jetstream::new(client);
        // A task goes when a worker has acknowledged it, and not before.
        let tasks = Config {
            name: TASKS.to_owned(),
            subjects: vec![TASKS.to_owned()],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            duplicate_window: SAME,
            ..Config::default()
        };
        let results = kv::Config { bucket: RESULTS.to_owned(), storage: StorageType::File, ..kv::Config::default() };
        let tasks = context.get_or_create_stream(tasks).await?;
        let results = match context.get_key_value(RESULTS).await {
            Ok(store) => store,
            Err(_) => context.create_key_value(results).await?,
        };
        Ok(Self { context, tasks, results })
    }

    /// Adds a task, unless it is there already or done; whether it was added.
    pub(crate) async fn add(&self, document: &Document) -> Result<bool, Problem> {
        if self.is_done(&document.id).await? {
            return Ok(false);
        }
        let message =
            PublishMessage::build().payload(serde_json::to_vec(document)?.into()).message_id(key(&document.id));
        // The server has it on disk when it answers.
        let stored = self.context.send_publish(TASKS, message).await?.await?;
        Ok(!stored.duplicate)
    }

    /// The workers' side of the queue, with this lease.
    pub(crate) async fn workers(&self, lease: Duration) -> Result<PullConsumer, Problem> {
        let config = pull::Config {
            durable_name: Some(WORKERS.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: lease,
            max_deliver: DELIVERIES,
            ..pull::Config::default()
        };
        Ok(self.tasks.create_consumer(config).await?)
    }

    /// The next task; `None` if none came within a second. One at a time: a task that waits in a worker's memory would
    /// wait in vain if the worker died, and its lease would run out while it waits.
    pub(crate) async fn next(workers: &PullConsumer) -> Result<Option<Message>, Problem> {
        let mut messages = workers.fetch().max_messages(1).expires(Duration::from_secs(1)).messages().await?;
        messages.next().await.transpose()
    }

    pub(crate) async fn is_done(&self, id: &str) -> Result<bool, Problem> {
        Ok(self.results.get(key(id)).await?.is_some())
    }

    /// Stores a result, unless there is one.
    pub(crate) async fn store(&self, id: &str, line: String) -> Result<(), Problem> {
        match self.results.create(key(id), line.into()).await {
            Err(error) if error.kind() != CreateErrorKind::AlreadyExists => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Hands over each result, and counts them.
    pub(crate) async fn results(&self, mut each: impl FnMut(&str) -> Result<(), Problem>) -> Result<usize, Problem> {
        let (mut keys, mut count) = (self.results.keys().await?, 0);
        while let Some(key) = keys.next().await.transpose()? {
            if let Some(line) = self.results.get(key).await? {
                each(std::str::from_utf8(&line)?)?;
                count += 1;
            }
        }
        Ok(count)
    }

    /// How many tasks are in the queue, in hand or not.
    pub(crate) async fn left(&self) -> Result<u64, Problem> {
        Ok(self.tasks.get_info().await?.state.messages)
    }

    /// Whether nothing is left that a worker could get.
    pub(crate) async fn is_drained(workers: &PullConsumer) -> Result<bool, Problem> {
        let info = workers.get_info().await?;
        Ok(info.num_pending == 0 && info.num_ack_pending == 0)
    }
}

/// An id as a key: NATS takes few characters there.
fn key(id: &str) -> String {
    use std::fmt::Write as _;
    id.bytes().fold(String::with_capacity(2 * id.len()), |mut key, byte| {
        let _ = write!(key, "{byte:02x}");
        key
    })
}
