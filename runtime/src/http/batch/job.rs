//! A job: tasks, the batches that they go into, and what came of them.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::Batch;
use super::handle::{Handle, NOTE, Step};
use super::item::{At, Item};
use super::part::{Life, Part};
use super::service::{Counts, State};
use crate::adapter::{CallError, CallRequest};
use crate::error::{Error, ErrorKind};
use crate::http::wire::Outgoing;
use crate::many::journal::{Header, Saved};
use crate::many::record::recall;
use crate::many::{Fingerprint, Journal, Mark};
use crate::schema::ResponseSchema;
use crate::worker::{Reply, Report, Settings, Typed, WorkerRequest};

/// Tasks that go through a provider's batches; made by [`Batch::job`].
///
/// [`run`](Self::run) does all of it. Who wants to do something else meanwhile calls [`submit`](Self::submit),
/// [`poll`](Self::poll) and [`collect`](Self::collect) one after the other, again and again until
/// [`is_finished`](Self::is_finished); each of them may be called at any time, does what there is to do, and can be
/// dropped.
pub struct Job<T> {
    pub(super) batch: Batch<T>,
    pub(super) settings: Arc<Settings>,
    pub(super) items: Vec<Item<T>>,
    pub(super) parts: Vec<Part>,
    pub(super) steps: Vec<Step>,
    pub(super) journal: Option<Journal>,
    pub(super) oddities: Vec<String>,
    /// No further batch is made.
    pub(super) cancelled: bool,
}

/// How it stands with a [`Job`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Batches that were made, or are about to be.
    pub batches: usize,
    /// Those of them that have ended.
    pub ended: usize,
    /// The providers' counts of the requests of all of them.
    pub requests: Counts,
    /// Tasks.
    pub tasks: usize,
    /// Tasks whose result is there.
    pub finished: usize,
}

impl<T: ResponseSchema + DeserializeOwned + Send> Job<T> {
    pub(super) fn new(batch: &Batch<T>, tasks: impl Iterator<Item = (String, WorkerRequest)>) -> Result<Self, Error> {
        let report = || Report::new(&batch.capabilities, None);
        let (mut items, mut known) = (Vec::new(), HashSet::new());
        let mut need = batch.settings.need.clone();
        for (id, mut task) in tasks {
            need = need.and(std::mem::take(&mut task.need));
            if !known.insert(id.clone()) {
                let words = format!("two tasks have the id `{id}`; give each an id of its own");
                return Err(Error::new(ErrorKind::InvalidRequest, words, report()));
            }
            let input = Mark::of(&task);
            let request = CallRequest::from(task).with_response_schema(batch.format.clone());
            items.push(Item { id, input, request, turns: Vec::new(), report: None, lost: 0, at: At::Waiting });
        }
        let refusal = need.refuse(&batch.capabilities, Some(&batch.format), |format| (batch.guarantee)(format));
        refusal.map_err(|words| Error::new(ErrorKind::NotEnforced, words, report()))?;
        Ok(Self {
            batch: batch.clone(),
            settings: Arc::new(batch.settings.clone()),
            items,
            parts: Vec::new(),
            steps: Vec::new(),
            journal: None,
            oddities: Vec::new(),
            cancelled: false,
        })
    }

    /// With a journal in this file. What it has is not asked again, batches that it knows are gone on with, and every step
    /// is in it before the next is made.
    ///
    /// # Errors
    ///
    /// If the journal cannot be opened, or is of another schema.
    pub fn journal(self, path: impl Into<PathBuf>) -> Result<Self, Error> {
        let header = Header::of(&self.batch.format).map_err(|refusal| self.error(ErrorKind::SchemaRefused, refusal))?;
        let journal = Journal::open(path, &header).map_err(Error::of_journal)?;
        self.with_journal(journal)
    }

    /// With a journal that is open already.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn with_journal(mut self, journal: Journal) -> Result<Self, Error> {
        let reader = Typed::<T>::new();
        for item in &mut self.items {
            while let Some(entry) = journal.take(&item.id, item.input).map_err(Error::of_journal)? {
                if let Some(result) = recall(entry, &reader, &self.settings) {
                    item.done(result);
                    break;
                }
            }
        }
        let steps = journal.notes().iter().filter(|(name, _)| name == NOTE).map(|(_, step)| step.clone());
        self.replay(steps.collect())?;
        self.journal = Some(journal);
        Ok(self)
    }

    /// The steps so far, to go on from in another process with [`Batch::resume`]. With a journal there is no need for it.
    ///
    /// # Errors
    ///
    /// If the schema cannot be used at all.
    pub fn handle(&self) -> Result<Handle, Error> {
        // Results are in this process only; in another one they are taken again.
        let kept = self.steps.iter().filter(|step| !matches!(step, Step::Taken { .. }));
        let format = &self.batch.format;
        Ok(Handle {
            schema: Fingerprint::of(format).map_err(|refusal| self.error(ErrorKind::SchemaRefused, refusal))?,
            route: self.batch.capabilities.route.to_owned(),
            model: self.batch.service.model().to_owned(),
            steps: kept
                .map(serde_json::to_value)
                .collect::<Result<_, _>>()
                .map_err(|error| self.error(ErrorKind::InvalidRequest, format!("a step cannot be written: {error}")))?,
        })
    }

    pub(super) fn take_up(mut self, handle: &Handle) -> Result<Self, Error> {
        let schema = Fingerprint::of(&self.batch.format);
        let schema = schema.map_err(|refusal| self.error(ErrorKind::SchemaRefused, refusal))?;
        if schema != handle.schema {
            let words = "the handle is of another schema: values of two schemas are not mixed";
            return Err(self.error(ErrorKind::InvalidRequest, words));
        }
        self.replay(handle.steps.clone())?;
        Ok(self)
    }

    /// Puts the job where these steps left it.
    fn replay(&mut self, steps: Vec<serde_json::Value>) -> Result<(), Error> {
        let places: HashMap<(String, Mark), usize> =
            self.items.iter().enumerate().map(|(index, item)| ((item.id.clone(), item.input), index)).collect();
        for step in steps {
            let step: Step = serde_json::from_value(step)
                .map_err(|error| self.error(ErrorKind::InvalidRequest, format!("a step cannot be read: {error}")))?;
            match &step {
                Step::Begun { mark, route, model, since, items } => {
                    let here = (self.batch.capabilities.route, self.batch.service.model());
                    if (route.as_str(), model.as_str()) != here {
                        let words = format!(
                            "a batch was begun on `{route}` with the model `{model}`, and this is `{}` with `{}`; go on \
                             there, or begin another journal",
                            here.0, here.1
                        );
                        return Err(self.error(ErrorKind::InvalidRequest, words));
                    }
                    let part = self.parts.len();
                    let items: Vec<_> = items.iter().map(|item| places.get(item).copied()).collect();
                    for &index in items.iter().flatten() {
                        let item = &mut self.items[index];
                        if !item.is_done() {
                            item.at = At::Part(part);
                        }
                    }
                    self.parts.push(Part {
                        mark: mark.clone(),
                        since: *since,
                        items,
                        file: None,
                        life: Life::Unclear,
                        status: None,
                    });
                }
                Step::Uploaded { mark, file } => {
                    self.with_part(mark, |part| part.file = Some(file.clone()));
                }
                Step::Created { mark, batch } => {
                    self.with_part(mark, |part| part.life = Life::Created(batch.clone()));
                }
                Step::Refused { mark } | Step::Taken { mark } => {
                    self.with_part(mark, |part| part.life = Life::Over);
                    self.free(mark);
                }
                Step::Again { id, input, lost, turns, report, .. } => {
                    if let Some(&index) = places.get(&(id.clone(), *input)) {
                        let item = &mut self.items[index];
                        item.turns.clone_from(turns);
                        item.report.clone_from(report);
                        item.lost = *lost;
                        if !item.is_done() {
                            item.at = At::Waiting;
                        }
                    }
                }
            }
            self.steps.push(step);
        }
        Ok(())
    }

    fn with_part(&mut self, mark: &str, change: impl FnOnce(&mut Part)) {
        if let Some(part) = self.parts.iter_mut().find(|part| part.mark == mark) {
            change(part);
        }
    }

    /// Lets the items of a part go that have not come to their end: they have to be sent.
    pub(super) fn free(&mut self, mark: &str) {
        let Some(index) = self.parts.iter().position(|part| part.mark == mark) else { return };
        for item in &mut self.items {
            if matches!(item.at, At::Part(at) if at == index) {
                item.at = At::Waiting;
            }
        }
    }

    /// Notes a step. It is done when it is on disk.
    pub(super) async fn note(&mut self, step: Step) -> Result<(), Error> {
        match self.noted(step)? {
            Some(saved) => saved.await.map_err(Error::of_journal),
            None => Ok(()),
        }
    }

    /// Notes a step, and leaves the waiting for the disk to the caller.
    pub(super) fn noted(&mut self, step: Step) -> Result<Option<Saved>, Error> {
        let saved = match &self.journal {
            Some(journal) => {
                let about = serde_json::to_value(&step).map_err(|error| {
                    self.error(ErrorKind::InvalidRequest, format!("a step cannot be written: {error}"))
                })?;
                Some(journal.note(NOTE, &about))
            }
            None => None,
        };
        self.steps.push(step);
        Ok(saved)
    }

    pub(super) fn error(&self, kind: ErrorKind, words: impl fmt::Display) -> Error {
        Error::new(kind, words.to_string(), Report::new(&self.batch.capabilities, None))
    }

    pub(super) fn failed(&self, error: CallError) -> Error {
        Error::of_call(error, Report::new(&self.batch.capabilities, None))
    }

    /// The request of an item, as a call would send it.
    pub(super) fn encoded(&self, index: usize) -> Result<Outgoing, CallError> {
        self.batch.service.encode(&self.items[index].whole())
    }

    /// Asks how it stands with the batches that have not ended.
    ///
    /// # Errors
    ///
    /// If the provider cannot be asked. It can be tried again.
    pub async fn poll(&mut self) -> Result<Progress, Error> {
        (self.batch.permit)().map_err(|error| self.failed(error))?;
        for index in 0..self.parts.len() {
            let part = &self.parts[index];
            let Life::Created(id) = &part.life else { continue };
            if part.status.as_ref().is_some_and(|status| status.state.is_ended()) {
                continue;
            }
            let status = self.batch.service.status(id).await.map_err(|error| self.failed(error))?;
            self.parts[index].status = Some(status);
        }
        Ok(self.progress())
    }

    /// How it stood when it was last asked.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let mut progress = Progress {
            batches: self.parts.len(),
            tasks: self.items.len(),
            finished: self.items.iter().filter(|item| item.is_done()).count(),
            ..Progress::default()
        };
        for part in &self.parts {
            let status = part.status.as_ref();
            let ended = part.life == Life::Over || status.is_some_and(|status| status.state.is_ended());
            progress.ended += usize::from(ended);
            if let Some(status) = status {
                progress.requests.total += status.counts.total;
                progress.requests.succeeded += status.counts.succeeded;
                progress.requests.failed += status.counts.failed;
            }
        }
        progress
    }

    /// The batches so far: the provider's id, once there is one, and where each is in its life, once it was asked.
    pub fn batches(&self) -> impl Iterator<Item = (Option<&str>, Option<&State>)> {
        self.parts.iter().map(|part| {
            let id = match &part.life {
                Life::Created(id) => Some(id.as_str()),
                _ => part.status.as_ref().map(|status| status.id.as_str()),
            };
            (id, part.status.as_ref().map(|status| &status.state))
        })
    }

    /// Asks for the end of all batches. What was answered by then is still a result; the rest becomes errors once the
    /// batches have ended and were collected. No further batch is made.
    ///
    /// # Errors
    ///
    /// If the provider cannot be asked. It can be tried again.
    pub async fn cancel(&mut self) -> Result<(), Error> {
        (self.batch.permit)().map_err(|error| self.failed(error))?;
        self.cancelled = true;
        for index in 0..self.parts.len() {
            let part = &self.parts[index];
            let Life::Created(id) = &part.life else { continue };
            if part.status.as_ref().is_some_and(|status| status.state.is_ended()) {
                continue;
            }
            let status = self.batch.service.cancel(id).await.map_err(|error| self.failed(error))?;
            self.parts[index].status = Some(status);
        }
        Ok(())
    }

    /// Sends, waits and takes until each task has its result.
    ///
    /// # Errors
    ///
    /// If the provider cannot be reached or refuses, or the journal cannot be written. All that was done is kept: it can be
    /// called again.
    pub async fn run(&mut self) -> Result<(), Error> {
        loop {
            self.submit().await?;
            if self.is_finished() {
                return Ok(());
            }
            self.poll().await?;
            self.collect().await?;
            if self.is_finished() {
                return Ok(());
            }
            // What has to be asked again goes out at once.
            let waits = self.items.iter().any(|item| matches!(item.at, At::Waiting)) && !self.cancelled;
            if !waits {
                let clock = &self.settings.clock;
                if let Some(until) = clock.now().checked_add(self.batch.every) {
                    clock.sleep_until(until).await;
                }
            }
        }
    }

    /// Whether each task has its result.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.items.iter().all(Item::is_done)
    }

    /// The results, in the order of the tasks: each task's id, and what came of it, if that is known yet.
    pub fn results(&self) -> impl Iterator<Item = (&str, Option<&Result<Reply<T>, Error>>)> {
        self.items.iter().map(|item| {
            let result = match &item.at {
                At::Done(result) => Some(&**result),
                _ => None,
            };
            (item.id.as_str(), result)
        })
    }

    /// The results that are there, in the order of the tasks.
    #[must_use]
    pub fn into_results(self) -> Vec<(String, Result<Reply<T>, Error>)> {
        let done = self.items.into_iter().filter_map(|item| match item.at {
            At::Done(result) => Some((item.id, *result)),
            _ => None,
        });
        done.collect()
    }

    /// What was odd about the results: answers that came twice, or to what nobody had asked, lines that are none.
    #[must_use]
    pub fn oddities(&self) -> &[String] {
        &self.oddities
    }
}

impl<T> fmt::Debug for Job<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("items", &self.items.len())
            .field("parts", &self.parts)
            .field("oddities", &self.oddities)
            .finish_non_exhaustive()
    }
}
