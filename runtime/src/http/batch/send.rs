//! From items to batches: parts are formed, noted, uploaded and created, each at most once.

use std::sync::Arc;

use bytes::Bytes;
use serde::de::DeserializeOwned;

use super::handle::Step;
use super::item::At;
use super::job::Job;
use super::part::{Life, Part, mark};
use super::service::{Found, Status};
use super::take::Judged;
use super::{custom_id, moment};
use crate::adapter::{CallError, CallErrorKind};
use crate::error::{Error, ErrorKind};
use crate::schema::ResponseSchema;
use crate::worker::{Trial, Typed};

/// Bytes that an envelope has around its requests, at most.
const ENVELOPE: usize = 4096;

/// How often a batch is created whose creation came to nothing, each time after it was looked for.
const TRIES: u32 = 3;

impl<T: ResponseSchema + DeserializeOwned + Send> Job<T> {
    /// Sends what has to be sent: all tasks at first, later those that have to be asked again. Batches of which it is not
    /// known whether they were created are looked for first.
    ///
    /// # Errors
    ///
    /// If the provider cannot be reached or refuses, or the journal cannot be written. It can be called again.
    pub async fn submit(&mut self) -> Result<(), Error> {
        (self.batch.permit)().map_err(|error| self.failed(error))?;
        for index in 0..self.parts.len() {
            if matches!(self.parts[index].life, Life::Begun | Life::Unclear) {
                self.create(index).await?;
            }
        }
        if self.cancelled {
            self.give_up_waiting();
            return Ok(());
        }
        while let Some(index) = self.form().await? {
            self.create(index).await?;
        }
        Ok(())
    }

    /// Makes a part of items that wait, as many as one batch may hold, and notes it; `None` if none wait.
    async fn form(&mut self) -> Result<Option<usize>, Error> {
        let limits = self.batch.limits;
        let name = mark();
        let (mut chosen, mut bytes) = (Vec::new(), ENVELOPE);
        for index in 0..self.items.len() {
            if chosen.len() >= limits.requests.max(1) {
                break;
            }
            if !matches!(self.items[index].at, At::Waiting) {
                continue;
            }
            let sent = match self.encoded(index) {
                Ok(sent) => sent,
                Err(error) => {
                    self.end_unsent(index, error);
                    continue;
                }
            };
            let size = self.batch.service.line(&custom_id(&name, chosen.len()), &sent).len() + 1;
            if size + ENVELOPE > limits.bytes {
                let words = format!("the request has {size} bytes, and a batch may have {}", limits.bytes);
                self.end_unsent(index, CallError::new(CallErrorKind::InputBlocked, words));
                continue;
            }
            if bytes + size > limits.bytes {
                break;
            }
            if !self.admit(index) {
                continue;
            }
            bytes += size;
            chosen.push(index);
        }
        if chosen.is_empty() {
            return Ok(None);
        }
        let since = moment::now();
        let step = Step::Begun {
            mark: name.clone(),
            route: self.batch.capabilities.route.to_owned(),
            model: self.batch.service.model().to_owned(),
            since,
            items: chosen.iter().map(|&index| (self.items[index].id.clone(), self.items[index].input)).collect(),
        };
        self.note(step).await?;
        let part = self.parts.len();
        for &index in &chosen {
            self.items[index].at = At::Part(part);
        }
        let items = chosen.into_iter().map(Some).collect();
        self.parts.push(Part { mark: name, since, items, file: None, life: Life::Begun, status: None });
        Ok(Some(part))
    }

    /// Counts an item in the budget; one for which there is no room comes to its end.
    fn admit(&mut self, index: usize) -> bool {
        let now = self.settings.clock.now();
        let Some(budget) = &self.settings.budget else { return true };
        let Err(exceeded) = budget.admit(now) else { return true };
        let settings = Arc::clone(&self.settings);
        let mut trial = Trial::begin(&settings, &self.batch.capabilities, None, now);
        if let Some(report) = self.items[index].report.take() {
            trial = trial.going_on(*report);
        }
        self.items[index].done(Err(trial.over_budget(exceeded, false, now)));
        false
    }

    /// An item comes to its end before it is sent.
    fn end_unsent(&mut self, index: usize, error: CallError) {
        let settings = Arc::clone(&self.settings);
        let result = match self.judge(&settings, index, Err(error), &Typed::<T>::new()) {
            Judged::Done(result) => *result,
            // What cannot be sent is as bad the second time.
            Judged::Again(_, report) => {
                Err(self.error(ErrorKind::InvalidRequest, "it cannot be sent").with_report(*report))
            }
        };
        self.items[index].done(result);
    }

    /// Creates the batch of a part, unless it is there already.
    async fn create(&mut self, index: usize) -> Result<(), Error> {
        let mut tries = 0;
        loop {
            if self.parts[index].life == Life::Unclear && self.is_found(index).await? {
                return Ok(());
            }
            let Some(lines) = self.lines(index) else {
                // Its items are done, or no tasks of this job any more, and nothing was created.
                return self.over(index).await;
            };
            let Part { mark, file, .. } = &self.parts[index];
            let mark = mark.clone();
            let mut file = file.clone();
            if file.is_none() {
                file = self.batch.service.upload(&mark, &lines).await.map_err(|error| self.failed(error))?;
                if let Some(file) = &file {
                    self.note(Step::Uploaded { mark: mark.clone(), file: file.clone() }).await?;
                }
                self.parts[index].file.clone_from(&file);
            }
            // From here on it may be there: also if this future is dropped.
            self.parts[index].life = Life::Unclear;
            match self.batch.service.create(&mark, file.as_deref(), &lines).await {
                Ok(status) if !status.id.is_empty() => return self.created(index, status).await,
                Ok(_) => {
                    let words = "created a batch and did not say under which id";
                    let error = CallError::new(CallErrorKind::Provider, words);
                    return Err(self.failed(error));
                }
                Err(failure) if failure.refused => {
                    self.over(index).await?;
                    return Err(self.failed(failure.error));
                }
                Err(failure) => {
                    tries += 1;
                    if tries >= TRIES {
                        return Err(self.failed(failure.error));
                    }
                }
            }
        }
    }

    /// The lines of a part as they are sent; `None` if none of its items waits for it any more.
    fn lines(&self, index: usize) -> Option<Vec<Bytes>> {
        let part = &self.parts[index];
        let mut lines = Vec::with_capacity(part.items.len());
        for (position, item) in part.items.iter().enumerate() {
            let Some(item) = item.filter(|&item| matches!(self.items[item].at, At::Part(at) if at == index)) else {
                continue;
            };
            let sent = self.encoded(item).ok()?;
            lines.push(Bytes::from(self.batch.service.line(&custom_id(&part.mark, position), &sent)));
        }
        (!lines.is_empty()).then_some(lines)
    }

    /// Looks for the batch of a part. It is found also if that will be known only later.
    async fn is_found(&mut self, index: usize) -> Result<bool, Error> {
        let part = &self.parts[index];
        let count = part.items.len();
        match self.batch.service.find(&part.mark, part.since, count).await.map_err(|error| self.failed(error))? {
            Found::Here(status) => {
                self.created(index, status).await?;
                Ok(true)
            }
            Found::Perhaps(others) => {
                // Those that are known to be of other parts are none of this one.
                let known = |id: &String| self.parts.iter().any(|part| part.life == Life::Created(id.clone()));
                Ok(!others.iter().all(known))
            }
            Found::Nowhere => Ok(false),
        }
    }

    async fn created(&mut self, index: usize, status: Status) -> Result<(), Error> {
        let (mark, batch) = (self.parts[index].mark.clone(), status.id.clone());
        self.parts[index].life = Life::Created(batch.clone());
        self.parts[index].status = Some(status);
        self.note(Step::Created { mark, batch }).await
    }

    /// Nothing came or will come of a part.
    async fn over(&mut self, index: usize) -> Result<(), Error> {
        let mark = self.parts[index].mark.clone();
        self.note(Step::Refused { mark: mark.clone() }).await?;
        self.parts[index].life = Life::Over;
        self.free(&mark);
        Ok(())
    }

    /// Items that wait while no further batch is made come to their end.
    fn give_up_waiting(&mut self) {
        for index in 0..self.items.len() {
            if matches!(self.items[index].at, At::Waiting) {
                let words = "the job was cancelled before it was its turn";
                self.end_unsent(index, CallError::new(CallErrorKind::Cancelled, words));
            }
        }
    }
}
