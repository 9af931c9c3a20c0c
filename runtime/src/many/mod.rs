//! Many inputs, one schema: bounded, resumable, counted.
//!
//! ```
//! use response_schema::ResponseSchema;
//! use response_schema::adapter::Adapter as _;
//! use response_schema::testing::Offline;
//!
//! # #[cfg(feature = "derive")] {
//! /// What a message is about.
//! #[derive(Debug, serde::Deserialize, ResponseSchema)]
//! struct Topic { topic: String, urgent: bool }
//!
//! # pollster::block_on(async {
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("topics.jsonl");
//! let model = Offline::seeded(7);
//! let messages = [("mail-1", "Nobody can log in!"), ("mail-2", "Do you have a discount for schools?")];
//! let mut results = model.extract_many::<Topic>(messages).concurrency(64).journal(&path).start()?;
//! while let Some(item) = results.next().await {
//!     match item.outcome {
//!         Ok(reply) => println!("{}: {:?}", item.id, reply.value),
//!         Err(error) => println!("{}: {error}", item.id),
//!     }
//! }
//! println!("{}", results.summary());
//! # assert_eq!(results.summary().valid, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
//! # }
//! ```
//!
//! # The way of an item
//!
//! ```text
//!  inputs ─► journal has it? ─yes─► decode again ────────────────────────────────┐
//!                 │no                                                            ▼
//!                 └─► under way (concurrency, limits, budget) ─► append ─► synced ─► reported
//! ```
//!
//! - **Inputs** are taken one by one as there is room, from an iterator or a stream, however long. Nothing is held for those that
//!   are reported.
//! - **Under way** are as many as [`concurrency`](Many::concurrency) says. Each is a task of the
//!   [`Worker`](crate::Worker): checked, and asked once more where that helps. An item that ends badly is an item
//!   with an error; the others go on.
//! - **Saving** takes no place among those under way: a slow disk delays reports, and not calls. What waits for the disk, or
//!   in an [`ordered`](Many::ordered) run for an earlier item, is bounded, and then no further input is taken.
//! - **Reported** is what is in the journal, and only then. So after a kill at any moment a run that is started again
//!   with the same inputs reports the same items, and asks for those only that were not in the journal: of what was paid, at most
//!   those are paid once more that were under way or had not reached the disk.
//!
//! # What a journal takes
//!
//! Valid replies, and failures that would be the same another time: refusals, filtered and blocked ones, replies that
//! were not valid after the worker's retries. Failures of the way there (no connection, too many requests, a deadline, a bad
//! key, a budget) are reported and not kept, so the next run asks again. [`retry_failed`](Many::retry_failed) asks again
//! for the others, too.
//!
//! Replies are kept as text, and decoded again by the same decoder, rules of one's own included. One that does not
//! pass any more is asked for again.
//!
//! # What ends a run early
//!
//! A [`Budget`] that is used up, a journal that cannot be written, failures of the way there
//! [one after the other](Many::give_up_after), and [`Results::stop`]. No further input is taken then, what is under way comes
//! to its end, and [`Summary::ended`] says which it was. All of it is resumed by the same call.

mod cache;
mod input;
pub mod journal;
mod latency;
mod lines;
mod mark;
pub(crate) mod record;
mod results;
mod rows;
mod summary;

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use futures_core::Stream;
use futures_util::StreamExt as _;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::adapter::{ResponseFormat, Route};
use crate::error::{Error, ErrorKind};
use crate::schema::ResponseSchema;
use crate::worker::{Budget, Clock, Dynamic, Limits, Read, Report, Settings, SharedClock, Typed};

pub use cache::Cached;
pub use input::Input;
pub(crate) use input::listed;
pub use journal::{Journal, JournalError};
pub use latency::Latency;
pub use mark::{Fingerprint, Mark};
pub use results::{Item, Results, Source};
pub use rows::{Row, RowError, Rows};
pub use summary::{Ended, Summary};

/// Under way at once, if nothing else is said.
const CONCURRENCY: usize = 16;

/// Failures of the way there, one after the other, that end a run if nothing else is said.
const GIVE_UP: u32 = 100;

/// A run over many inputs, before it is started.
#[must_use = "nothing is asked before `start`"]
pub struct Many<'r, R, T> {
    route: &'r R,
    settings: Settings,
    format: ResponseFormat,
    /// What the route cannot carry at all.
    reader: Result<Arc<dyn Read<Value = T> + 'r>, Error>,
    inputs: Pin<Box<dyn Stream<Item = Input> + Send + 'r>>,
    concurrency: usize,
    ordered: bool,
    journal: Option<Kept>,
    retry_failed: bool,
    give_up_after: Option<u32>,
}

/// Where the journal is.
enum Kept {
    At(PathBuf),
    Open(Journal),
}

impl<'r, R: Route, T: Send + 'r> Many<'r, R, T> {
    fn new(
        route: &'r R,
        settings: Settings,
        format: ResponseFormat,
        reader: Result<Arc<dyn Read<Value = T> + 'r>, Error>,
        inputs: impl Stream<Item: Into<Input>> + Send + 'r,
    ) -> Self {
        Self {
            route,
            settings,
            format,
            reader,
            inputs: Box::pin(inputs.map(Into::into)),
            concurrency: CONCURRENCY,
            ordered: false,
            journal: None,
            retry_failed: false,
            give_up_after: Some(GIVE_UP),
        }
    }

    /// With so many items under way at once; 16 without it, and never less than one.
    pub fn concurrency(mut self, most: usize) -> Self {
        self.concurrency = most.max(1);
        self
    }

    /// With results in the order of the inputs. An item that takes long holds those behind it back; up to eight times as many
    /// as may be under way wait for it.
    pub fn ordered(mut self) -> Self {
        self.ordered = true;
        self
    }

    /// With a journal in this file: what is in it is not asked again, and what is finished gets into it before it is
    /// reported.
    pub fn journal(mut self, path: impl Into<PathBuf>) -> Self {
        self.journal = Some(Kept::At(path.into()));
        self
    }

    /// With a journal that is open already. It must be one for the same schema.
    pub fn with_journal(mut self, journal: Journal) -> Self {
        self.journal = Some(Kept::Open(journal));
        self
    }

    /// Asks again for items whose failure is in the journal.
    pub fn retry_failed(mut self) -> Self {
        self.retry_failed = true;
        self
    }

    /// Ends the run after so many failures of the way there, one after the other: a bad key, a provider that is down.
    /// 100 without it; `None` goes on whatever happens.
    pub fn give_up_after(mut self, failures: Option<u32>) -> Self {
        self.give_up_after = failures;
        self
    }

    /// With limits of how fast calls go out. Clones of them are shared with other runs and workers.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = Some(limits);
        self
    }

    /// With a budget for the whole run, in place of the worker's own. When it is used up no further item is started.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.settings.budget = Some(budget);
        self
    }

    /// With a deadline for each item; see [`Worker::timeout`](crate::Worker::timeout). The wait for its turn does not count.
    pub fn timeout(mut self, timeout: std::time::Duration) -> Self {
        self.settings.timeout = Some(timeout);
        self
    }

    /// With another clock, for tests.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.settings.clock = SharedClock::new(clock);
        self
    }

    /// Opens the journal. Nothing is asked before the results are waited for.
    ///
    /// # Errors
    ///
    /// If the journal cannot be opened, or the schema cannot be used at all.
    pub fn start(self) -> Result<Results<'r, T>, Error> {
        Results::start(self)
    }
}

impl<'r, R: Route, T: ResponseSchema + DeserializeOwned + Send + 'r> Many<'r, R, T> {
    /// A run for values of a type; the caller has checked it.
    pub(crate) fn typed(route: &'r R, settings: Settings, inputs: impl Stream<Item: Into<Input>> + Send + 'r) -> Self {
        Self::new(route, settings, R::format::<T>(), Ok(Arc::new(Typed::<T>::new())), inputs)
    }
}

impl<'r, R: Route> Many<'r, R, Value> {
    /// A run for values of a schema that is known at run time only.
    pub(crate) fn dynamic(
        route: &'r R,
        settings: Settings,
        format: ResponseFormat,
        inputs: impl Stream<Item: Into<Input>> + Send + 'r,
    ) -> Self {
        let reader = match Dynamic::new(&format, settings.verification) {
            Ok(reader) => Ok(Arc::new(reader.into_owned()) as _),
            Err(refusal) => {
                let report = Report::new(&route.capabilities(), route.name());
                Err(Error::new(ErrorKind::SchemaRefused, refusal.to_string(), report))
            }
        };
        Self::new(route, settings, format, reader, inputs)
    }
}

impl<R, T> std::fmt::Debug for Many<'_, R, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Many")
            .field("format", &self.format)
            .field("concurrency", &self.concurrency)
            .field("ordered", &self.ordered)
            .finish_non_exhaustive()
    }
}
