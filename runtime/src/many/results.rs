//! A run that goes on.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use serde::{Deserialize, Serialize};

use super::journal::{self, Header, Journal, JournalError, Saved};
use super::record::{is_final, recall, save};
use super::summary::{Ended, Summary};
use super::{Input, Kept, Many, Mark};
use crate::adapter::{CallRequest, Need, ResponseFormat, Route};
use crate::error::{Error, ErrorKind};
use crate::tool::causes;
use crate::worker::{Permit, Read, Reply, Report, Settings, Turn, ask, parts};

/// Items that wait for the disk or to be reported; no further input is taken then.
const BACKLOG: usize = 1024;

/// In an ordered run, items behind the first one that is not finished: so many times those under way.
const AHEAD: u64 = 8;

/// One item, finished.
#[derive(Debug)]
#[non_exhaustive]
pub struct Item<T> {
    /// Its input's id; for one without, a mark of what was asked.
    pub id: String,
    /// Its input's place in the run, from 0.
    pub index: u64,
    /// What became of it.
    pub outcome: Result<Reply<T>, Error>,
    /// Where that is from.
    pub source: Source,
}

/// Where the result of an item is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Source {
    /// It was asked for in this run.
    Fresh,
    /// It was finished in an earlier run.
    Journal,
    /// The reply to the same request was in a [cache](super::Cached).
    Cache,
}

/// The results of a run: a `Stream` of [`Item`]s, and [`next`](Self::next) for those who need no more.
///
/// Items are started as the results are waited for. Dropping it cancels what is under way; what is not in the
/// journal by then is asked again.
pub struct Results<'r, T> {
    /// No more are taken once it is `None`.
    inputs: Option<Pin<Box<dyn Stream<Item = Input> + Send + 'r>>>,
    ask: Box<dyn Fn(Next, Option<Permit>) -> Asking<'r, T> + Send + 'r>,
    format: ResponseFormat,
    reader: Arc<dyn Read<Value = T> + 'r>,
    settings: Arc<Settings>,
    journal: Option<Journal>,
    /// The next to be asked, in line for its turn.
    in_line: Option<(Turn, Next)>,
    under_way: FuturesUnordered<Asking<'r, T>>,
    /// In the order in which they reach the disk.
    saving: VecDeque<(Saved, Item<T>)>,
    /// What is finished and comes next.
    ready: VecDeque<Item<T>>,
    /// In an ordered run, what is finished behind an item that is not, by its place; `None` for what was not even started.
    held: BTreeMap<u64, Option<Item<T>>>,
    next_input: u64,
    /// In an ordered run, the place of the first item that is not finished.
    next_ready: u64,
    concurrency: usize,
    ordered: bool,
    retry_failed: bool,
    give_up_after: u32,
    lost_in_a_row: u32,
    summary: Summary,
}

type Asking<'r, T> = Pin<Box<dyn Future<Output = Asked<T>> + Send + 'r>>;

/// An item that is about to be asked for.
struct Next {
    id: String,
    index: u64,
    mark: Option<Mark>,
    need: Need,
    call: CallRequest,
}

/// An item that was asked for.
struct Asked<T> {
    item: Item<T>,
    mark: Option<Mark>,
}

impl<'r, T: Send + 'r> Results<'r, T> {
    pub(super) fn start<R: Route>(many: Many<'r, R, T>) -> Result<Self, Error> {
        let Many {
            route,
            settings,
            format,
            reader,
            inputs,
            concurrency,
            ordered,
            journal,
            retry_failed,
            give_up_after,
        } = many;
        let reader = reader?;
        let journal = match journal {
            None => None,
            Some(kept) => {
                let header = Header::of(&format)
                    .map_err(|refusal| Error::new(ErrorKind::SchemaRefused, refusal.to_string(), Report::unsent()))?;
                let opened = match kept {
                    Kept::At(path) => Journal::open(path, &header),
                    Kept::Open(journal) => journal.expect(&header).map(|()| journal),
                };
                Some(opened.map_err(unkept)?)
            }
        };
        let settings = Arc::new(settings);
        let shared = (Arc::clone(&settings), Arc::clone(&reader));
        let ask = move |next: Next, permit: Option<Permit>| -> Asking<'r, T> {
            let (settings, reader) = shared.clone();
            Box::pin(async move {
                let Next { id, index, mark, need, call } = next;
                let outcome = ask(route, &settings, &need, call, &*reader, permit).await;
                Asked { item: Item { id, index, outcome, source: Source::Fresh }, mark }
            })
        };
        Ok(Self {
            inputs: Some(inputs),
            ask: Box::new(ask),
            format,
            reader,
            summary: Summary::new(settings.clock.now(), journal.as_ref()),
            settings,
            journal,
            in_line: None,
            under_way: FuturesUnordered::new(),
            saving: VecDeque::new(),
            ready: VecDeque::new(),
            held: BTreeMap::new(),
            next_input: 0,
            next_ready: 0,
            concurrency,
            ordered,
            retry_failed,
            give_up_after: give_up_after.unwrap_or(u32::MAX),
            lost_in_a_row: 0,
        })
    }

    /// The next finished item; `None` behind the end.
    pub async fn next(&mut self) -> Option<Item<T>> {
        std::future::poll_fn(|context| self.step(context)).await
    }

    /// What has come of it so far; after the last item, of the run.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// How many items are under way.
    #[must_use]
    pub fn under_way(&self) -> usize {
        self.under_way.len()
    }

    /// Takes no further input. What is under way comes to its end, and is reported; what waits in line for its turn is not
    /// started.
    pub fn stop(&mut self) {
        if self.inputs.is_some() || self.in_line.is_some() {
            self.end(Ended::Stopped);
        }
    }

    /// Waits for the end, and drops the items.
    pub async fn finish(mut self) -> Summary {
        while self.next().await.is_some() {}
        self.summary
    }

    fn step(&mut self, context: &mut Context<'_>) -> Poll<Option<Item<T>>> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                self.summary.count(&item, &self.settings);
                return Poll::Ready(Some(item));
            }
            let saved = self.saved(context);
            let finished = self.finished(context);
            let begun = self.begun(context);
            if saved || finished || begun {
                continue;
            }
            let over =
                self.inputs.is_none() && self.in_line.is_none() && self.under_way.is_empty() && self.saving.is_empty();
            if over {
                self.summary.complete();
                return Poll::Ready(None);
            }
            if let Some((saved, _)) = self.saving.back().filter(|_| self.under_way.is_empty() || self.is_full()) {
                saved.hurry();
            }
            return Poll::Pending;
        }
    }

    /// An item is finished, or was not even started.
    fn ready(&mut self, index: u64, item: Option<Item<T>>) {
        if self.ordered && index != self.next_ready {
            self.held.insert(index, item);
            return;
        }
        self.ready.extend(item);
        self.next_ready += 1;
        while let Some(next) = self.held.remove(&self.next_ready) {
            self.ready.extend(next);
            self.next_ready += 1;
        }
    }

    /// Takes those that have reached the disk.
    fn saved(&mut self, context: &mut Context<'_>) -> bool {
        let mut any = false;
        while let Some((saved, _)) = self.saving.front_mut() {
            let Poll::Ready(result) = Pin::new(saved).poll(context) else { break };
            let Some((_, mut item)) = self.saving.pop_front() else { break };
            if let Err(error) = result {
                let report = match item.outcome {
                    Ok(reply) => reply.report,
                    Err(error) => error.into_report(),
                };
                self.end(Ended::Journal(causes(&error)));
                item.outcome = Err(unkept(error).with_report(report));
            }
            self.ready(item.index, Some(item));
            any = true;
        }
        any
    }

    /// Takes those that have come to an end.
    fn finished(&mut self, context: &mut Context<'_>) -> bool {
        let Poll::Ready(Some(Asked { mut item, mark })) = self.under_way.poll_next_unpin(context) else { return false };
        match &item.outcome {
            Ok(reply) if reply.report.cached => item.source = Source::Cache,
            Err(error) if error.kind() == ErrorKind::BudgetExceeded => {
                let started = !error.report().attempts.is_empty();
                let words = error.budget().map(ToString::to_string).unwrap_or_default();
                self.end(Ended::Budget(words));
                if !started {
                    self.ready(item.index, None);
                    return true;
                }
            }
            _ => {}
        }
        self.count_lost(&item);
        match (&self.journal, mark) {
            (Some(journal), Some(mark)) if is_final(&item.outcome) => {
                let saved = save(journal, &mut item.id, mark, &mut item.outcome);
                self.saving.push_back((saved, item));
            }
            _ => self.ready(item.index, Some(item)),
        }
        true
    }

    /// Failures of the way there, one after the other, mean that it is of no use to go on.
    fn count_lost(&mut self, item: &Item<T>) {
        self.lost_in_a_row = if is_final(&item.outcome) { 0 } else { self.lost_in_a_row + 1 };
        if let Err(error) = &item.outcome
            && self.lost_in_a_row >= self.give_up_after
        {
            self.end(Ended::GaveUp(causes(error)));
        }
    }

    /// Whether so many items wait for the disk or to be reported that no further input is taken.
    fn is_full(&self) -> bool {
        let waiting = self.saving.len() + self.ready.len() + self.held.len();
        let ahead = self.next_input - self.next_ready;
        waiting >= BACKLOG.max(4 * self.concurrency) || self.ordered && ahead >= AHEAD * self.concurrency as u64
    }

    /// Takes the next input, if there is room for it.
    fn begun(&mut self, context: &mut Context<'_>) -> bool {
        if self.under_way.len() >= self.concurrency || self.is_full() {
            return false;
        }
        if let Some((mut turn, next)) = self.in_line.take() {
            return match Pin::new(&mut turn).poll(context) {
                Poll::Ready(permit) => {
                    self.under_way.push((self.ask)(next, Some(permit)));
                    true
                }
                Poll::Pending => {
                    self.in_line = Some((turn, next));
                    false
                }
            };
        }
        let Some(inputs) = &mut self.inputs else { return false };
        match inputs.as_mut().poll_next(context) {
            Poll::Pending => return false,
            Poll::Ready(None) => self.inputs = None,
            Poll::Ready(Some(input)) => self.begin(input),
        }
        true
    }

    /// Recalls an item, or asks for it.
    fn begin(&mut self, Input { id, asked }: Input) {
        let index = self.next_input;
        self.next_input += 1;
        let item = |id, outcome, source| Some(Item { id, index, outcome, source });
        let request = match asked {
            Ok(request) => request,
            Err(why) => {
                let id = id.unwrap_or_else(|| format!("input {}", index + 1));
                let error = Error::new(ErrorKind::InvalidInput, why, Report::unsent());
                self.ready(index, item(id, Err(error), Source::Fresh));
                return;
            }
        };
        let mark = (self.journal.is_some() || id.is_none()).then(|| Mark::of(&request));
        let id = id.or_else(|| mark.map(|mark| mark.to_string())).unwrap_or_default();
        if let (Some(journal), Some(mark)) = (&self.journal, mark) {
            loop {
                match journal.take(&id, mark) {
                    Ok(None) => break,
                    Ok(Some(entry)) => {
                        let again = self.retry_failed && matches!(entry.outcome, journal::Outcome::Failure { .. });
                        let outcome = recall(entry, &*self.reader, &self.settings).filter(|_| !again);
                        if let Some(outcome) = outcome {
                            self.ready(index, item(id, outcome, Source::Journal));
                            return;
                        }
                    }
                    Err(error) => {
                        self.end(Ended::Journal(causes(&error)));
                        self.ready(index, item(id, Err(unkept(error)), Source::Fresh));
                        return;
                    }
                }
            }
        }
        if let Some(exceeded) =
            self.settings.budget.as_ref().and_then(|budget| budget.check(self.settings.clock.now()).err())
        {
            self.end(Ended::Budget(exceeded.to_string()));
            self.ready(index, None);
            return;
        }
        let (need, mut call) = parts(request);
        call.response_schema = Some(self.format.clone());
        let next = Next { id, index, mark, need, call };
        match &self.settings.limits {
            Some(limits) => self.in_line = Some((limits.turn(&self.settings.clock, &next.call), next)),
            None => self.under_way.push((self.ask)(next, None)),
        }
    }

    /// Takes no further input, for this reason; the first one counts.
    fn end(&mut self, why: Ended) {
        self.inputs = None;
        if let Some((_, next)) = self.in_line.take() {
            self.ready(next.index, None);
        }
        self.summary.end(why);
    }
}

fn unkept(error: JournalError) -> Error {
    Error::of_journal(error)
}

impl<'r, T: Send + 'r> Stream for Results<'r, T> {
    type Item = Item<T>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Item<T>>> {
        self.step(context)
    }
}

impl<T> Unpin for Results<'_, T> {}

impl<T> fmt::Debug for Results<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Results").field("summary", &self.summary).finish_non_exhaustive()
    }
}
