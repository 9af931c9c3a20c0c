//! What has come of a run.

use std::fmt;
use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};

use super::journal::Journal;
use super::latency::Latency;
use super::results::{Item, Source};
use crate::adapter::Usage;
use crate::error::ErrorKind;
use crate::worker::{Report, Settings, millis};

/// What has come of a run so far. `Display` is a few aligned lines for a terminal.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// Why no further input was taken; nothing as long as there may be some.
    pub ended: Option<Ended>,
    /// Items with a valid value.
    pub valid: u64,
    /// Items without one, by the kind of failure.
    #[serde(serialize_with = "by_kind")]
    pub failed: Vec<(ErrorKind, u64)>,
    /// Of all these, those that were finished in an earlier run.
    pub from_journal: u64,
    /// Of all these, those whose reply was in a cache.
    pub from_cache: u64,
    /// Further attempts of the worker in this run.
    pub retries: u64,
    /// Requests that routes sent again in this run.
    pub transport_retries: u64,
    /// Valid values of this run that decoding had to mend.
    pub repaired: u64,
    /// What this run took: tokens, and money as far as it is known, by the provider or by the budget's prices.
    pub usage: Usage,
    /// What was spent on items that were finished in earlier runs.
    pub earlier: Usage,
    /// How long items of this run took, their turn in line not counted.
    pub latency: Latency,
    /// Wall time since the start.
    #[serde(rename = "elapsed_ms", with = "millis")]
    pub elapsed: Duration,
    /// Lines of the journal that were passed over: torn or changed.
    pub damaged: u64,
    #[serde(skip)]
    start: Instant,
}

/// Why a run takes no further input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "why", content = "words", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ended {
    /// There is none.
    Complete,
    /// The budget is used up: what was reached.
    Budget(String),
    /// The journal cannot be read or written: why.
    Journal(String),
    /// Too many items in a row failed on the way there: the last of these failures.
    GaveUp(String),
    /// It was told to stop.
    Stopped,
}

impl Summary {
    pub(super) fn new(start: Instant, journal: Option<&Journal>) -> Self {
        Self {
            ended: None,
            valid: 0,
            failed: Vec::new(),
            from_journal: 0,
            from_cache: 0,
            retries: 0,
            transport_retries: 0,
            repaired: 0,
            usage: Usage::default(),
            earlier: Usage::default(),
            latency: Latency::default(),
            elapsed: Duration::ZERO,
            damaged: journal.map_or(0, |journal| journal.damaged().len() as u64),
            start,
        }
    }

    /// All items that were reported.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.valid + self.failures()
    }

    /// Items without a value.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.failed.iter().map(|(_, count)| count).sum()
    }

    /// Whether all inputs were taken.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.ended == Some(Ended::Complete)
    }

    pub(super) fn count<T>(&mut self, item: &Item<T>, settings: &Settings) {
        let report = match &item.outcome {
            Ok(reply) => {
                self.valid += 1;
                &reply.report
            }
            Err(error) => {
                match self.failed.iter_mut().find(|(kind, _)| *kind == error.kind()) {
                    Some((_, count)) => *count += 1,
                    None => self.failed.push((error.kind(), 1)),
                }
                error.report()
            }
        };
        self.elapsed = settings.clock.now().saturating_duration_since(self.start);
        let usage = priced(report, settings);
        match item.source {
            Source::Journal => {
                self.from_journal += 1;
                self.earlier += usage;
                return;
            }
            Source::Cache => self.from_cache += 1,
            Source::Fresh => {}
        }
        self.usage += usage;
        self.retries += report.attempts.len().saturating_sub(1) as u64;
        self.transport_retries +=
            report.attempts.iter().map(|attempt| u64::from(attempt.transport_retries)).sum::<u64>();
        self.repaired += u64::from(item.outcome.is_ok() && !report.repairs.is_empty());
        if !report.attempts.is_empty() {
            self.latency.add(report.duration);
        }
    }

    pub(super) fn end(&mut self, why: Ended) {
        self.ended.get_or_insert(why);
    }

    pub(super) fn complete(&mut self) {
        self.end(Ended::Complete);
    }
}

/// What a task took, with its price where that is known.
fn priced(report: &Report, settings: &Settings) -> Usage {
    let mut usage = report.usage;
    let budget = settings.budget.as_ref().filter(|_| !report.cached);
    usage.cost_usd = usage.cost_usd.or_else(|| budget.and_then(|budget| budget.price(&usage, &report.model)));
    usage
}

fn by_kind<S: Serializer>(failed: &[(ErrorKind, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(failed.iter().map(|(kind, count)| (kind, count)))
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Complete => f.write_str("all inputs are done"),
            Self::Budget(words) | Self::Journal(words) => f.write_str(words),
            Self::GaveUp(words) => write!(f, "too many failures in a row; the last one: {words}"),
            Self::Stopped => f.write_str("it was told to stop"),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { valid, from_journal, from_cache, retries, transport_retries, repaired, damaged, .. } = self;
        write!(f, "items      {}: {valid} valid", self.items())?;
        for (kind, count) in &self.failed {
            write!(f, ", {count} {}", name(*kind))?;
        }
        if *from_journal + *from_cache > 0 {
            write!(f, "\nbefore     {from_journal} from the journal, {from_cache} from the cache")?;
        }
        if *retries + *transport_retries + *repaired > 0 {
            write!(
                f,
                "\nagain      {retries} retries, {transport_retries} requests sent again, {repaired} replies repaired"
            )?;
        }
        write!(f, "\ntokens     {} in, {} out", self.usage.input_tokens, self.usage.output_tokens)?;
        if let Some(cost) = self.usage.cost_usd {
            write!(f, ", {cost:.4} USD")?;
        }
        if let Some(cost) = self.earlier.cost_usd {
            write!(f, " ({cost:.4} USD in earlier runs)")?;
        }
        write!(f, "\ntime       {:.2} s", self.elapsed.as_secs_f64())?;
        let percentiles = [("half", 0.5), ("90 %", 0.9), ("99 %", 0.99)];
        for (name, part) in percentiles {
            if let Some(time) = self.latency.quantile(part) {
                write!(f, ", {name} within {:.2} s", time.as_secs_f64())?;
            }
        }
        if *damaged > 0 {
            write!(f, "\njournal    {damaged} lines were torn or changed, and passed over")?;
        }
        match &self.ended {
            None | Some(Ended::Complete) => Ok(()),
            Some(ended) => write!(f, "\nended      {ended}"),
        }
    }
}

/// The kind as it stands in records.
fn name(kind: ErrorKind) -> String {
    serde_json::to_string(&kind).map(|name| name.trim_matches('"').replace('_', " ")).unwrap_or_default()
}
