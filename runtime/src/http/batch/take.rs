//! From batches to results: each answer is read as a call's reply and judged as a worker's.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;

use super::handle::Step;
use super::item::At;
use super::job::Job;
use super::part::Life;
use super::service::{Answer, Lost, State, Status};
use super::{moment, position};
use crate::adapter::{CallError, CallErrorKind, CallResponse, Message};
use crate::error::Error;
use crate::http::wire::Outgoing;
use crate::many::journal::Saved;
use crate::many::record::{is_final, save};
use crate::schema::ResponseSchema;
use crate::worker::{Read, Reply, Report, RetryPolicy, Settings, Step as Next, Trial, Typed};

/// What became of a result.
pub(super) enum Judged<T> {
    /// It is the end.
    Done(Box<Result<Reply<T>, Error>>),
    /// It is asked again, with these turns at the end of the conversation.
    Again(Vec<Message>, Box<Report>),
}

/// What the results of a part hold for one place.
type Found = Option<Answer>;

impl<T: ResponseSchema + DeserializeOwned + Send> Job<T> {
    /// Takes the results of the batches that have ended.
    ///
    /// # Errors
    ///
    /// If the results cannot be read, or the journal cannot be written. It can be called again.
    pub async fn collect(&mut self) -> Result<(), Error> {
        (self.batch.permit)().map_err(|error| self.failed(error))?;
        for index in 0..self.parts.len() {
            let Life::Created(_) = &self.parts[index].life else { continue };
            let Some(status) = self.parts[index].status.clone().filter(|status| status.state.is_ended()) else {
                continue;
            };
            let answers = self.answers(index, &status).await?;
            self.settle(index, &status, answers).await?;
        }
        Ok(())
    }

    /// The answers of a batch, each at its request's place.
    async fn answers(&mut self, index: usize, status: &Status) -> Result<Vec<Found>, Error> {
        let part = &self.parts[index];
        let mut answers: Vec<Found> = part.items.iter().map(|_| None).collect();
        let mut odd = Vec::new();
        let service = Arc::clone(&self.batch.service);
        let mut each = |line: &[u8]| {
            let Some(line) = service.parse(line) else {
                odd.push(format!("batch {}: a line of the results is none", status.id));
                return;
            };
            let place = position(&part.mark, &line.custom_id).and_then(|position| answers.get_mut(position));
            match place {
                None => odd.push(format!("batch {}: an answer to `{}`, which nobody asked", status.id, line.custom_id)),
                Some(place @ None) => *place = Some(line.answer),
                Some(Some(first)) => {
                    odd.push(format!("batch {}: another answer to `{}`", status.id, line.custom_id));
                    if !is_reply(first) && is_reply(&line.answer) {
                        *first = line.answer;
                    }
                }
            }
        };
        self.batch.service.results(status, &mut each).await.map_err(|error| self.failed(error))?;
        self.oddities.extend(odd);
        Ok(answers)
    }

    /// Gives each item of a part what came of it.
    async fn settle(&mut self, index: usize, status: &Status, answers: Vec<Found>) -> Result<(), Error> {
        let settings = Arc::clone(&self.settings);
        let never = Arc::new(Settings { policy: RetryPolicy::NEVER, ..self.batch.settings.clone() });
        let (mark, since) = (self.parts[index].mark.clone(), self.parts[index].since);
        let reader = Typed::<T>::new();
        // All requests of a part carry the same schema.
        let mut sent: Option<Outgoing> = None;
        let mut saved = Vec::new();
        for (position, answer) in answers.into_iter().enumerate() {
            let Some(item) = self.parts[index].items[position] else { continue };
            if !matches!(self.items[item].at, At::Part(at) if at == index) {
                continue;
            }
            if sent.is_none() {
                sent = self.encoded(item).ok();
            }
            let result = match (&answer, &sent) {
                (Some(answer), Some(sent)) => self.batch.service.read(answer, sent),
                _ => Err(missing(status, position)),
            };
            // What was lost is sent again as it was, or is at its end: there is no reply that a retry could mend.
            let mut policy = &settings;
            let result = match result {
                Ok(response) => Ok(response),
                Err(lost) => {
                    if lost.again && !self.cancelled && self.items[item].lost < self.batch.resubmit {
                        self.items[item].lost += 1;
                        saved.extend(self.again(item, &mark, None)?);
                        continue;
                    }
                    if lost.again {
                        policy = &never;
                    }
                    Err(lost.error)
                }
            };
            if let (Some(budget), Ok(CallResponse { usage, model, .. })) = (&settings.budget, &result) {
                budget.charge(usage, model, settings.clock.now());
            }
            let lost = self.items[item].lost;
            let result = match result {
                Ok(mut response) => {
                    response.retries = lost;
                    Ok(response)
                }
                Err(error) => Err(error.with_retries(lost)),
            };
            match self.judge_since(policy, item, result, &reader, since) {
                Judged::Again(turns, report) if !self.cancelled => {
                    self.items[item].lost = 0;
                    saved.extend(self.again(item, &mark, Some((turns, report)))?);
                }
                Judged::Again(_, report) => {
                    let error = CallError::new(CallErrorKind::Cancelled, "the job was cancelled before its retry");
                    self.items[item].done(Err(Error::of_call(error, *report)));
                }
                Judged::Done(mut result) => {
                    let item = &mut self.items[item];
                    if let Some(journal) = self.journal.as_ref().filter(|_| is_final(&result)) {
                        saved.push(save(journal, &mut item.id, item.input, &mut result));
                    }
                    item.done(*result);
                }
            }
        }
        for saved in saved {
            saved.await.map_err(Error::of_journal)?;
        }
        self.note(Step::Taken { mark }).await?;
        self.parts[index].life = Life::Over;
        Ok(())
    }

    /// An item has to be sent again.
    fn again(
        &mut self,
        index: usize,
        of: &str,
        more: Option<(Vec<Message>, Box<Report>)>,
    ) -> Result<Option<Saved>, Error> {
        let item = &mut self.items[index];
        if let Some((turns, report)) = more {
            item.turns.extend(turns);
            item.report = Some(report);
        }
        item.at = At::Waiting;
        let step = Step::Again {
            of: of.to_owned(),
            id: item.id.clone(),
            input: item.input,
            lost: item.lost,
            turns: item.turns.clone(),
            report: item.report.clone(),
        };
        self.noted(step)
    }

    fn judge_since<R: Read<Value = T>>(
        &mut self,
        settings: &Settings,
        index: usize,
        result: Result<CallResponse, CallError>,
        reader: &R,
        since: u64,
    ) -> Judged<T> {
        let now = settings.clock.now();
        let took = Duration::from_secs(moment::now().saturating_sub(since));
        let begun = now.checked_sub(took).unwrap_or(now);
        self.judge_at(settings, index, result, reader, (begun, now))
    }

    /// What a worker makes of a result.
    pub(super) fn judge<R: Read<Value = T>>(
        &mut self,
        settings: &Settings,
        index: usize,
        result: Result<CallResponse, CallError>,
        reader: &R,
    ) -> Judged<T> {
        let now = settings.clock.now();
        self.judge_at(settings, index, result, reader, (now, now))
    }

    fn judge_at<R: Read<Value = T>>(
        &mut self,
        settings: &Settings,
        index: usize,
        result: Result<CallResponse, CallError>,
        reader: &R,
        (begun, now): (Instant, Instant),
    ) -> Judged<T> {
        let least = settings.need.schema();
        let mut trial = Trial::begin(settings, &self.batch.capabilities, None, begun).demanding(least);
        if let Some(report) = self.items[index].report.take() {
            trial = trial.going_on(*report);
        }
        match trial.judge(result, now, reader) {
            Next::Done(reply) => Judged::Done(Box::new(Ok(reply))),
            Next::Failed(error) => Judged::Done(Box::new(Err(error))),
            Next::Again(turns) => Judged::Again(turns, Box::new(trial.into_report())),
        }
    }
}

/// Whether an answer is one that a call could have had, and no error.
fn is_reply(answer: &Answer) -> bool {
    matches!(answer, Answer::Body { status: 200..=299, .. })
}

/// Why nothing is there for the request at this place.
fn missing(status: &Status, position: usize) -> Lost {
    let own = status.faults.iter().find(|(line, _)| *line == position);
    let (kind, words, again) = match (&status.state, own) {
        (State::Failed(_), Some((_, words))) => {
            (CallErrorKind::InvalidRequest, format!("the provider refused it: {words}"), false)
        }
        // Another request's fault: this one may go well without it.
        (State::Failed(words), None) if !status.faults.is_empty() => {
            (CallErrorKind::InvalidRequest, format!("the provider refused its batch: {words}"), true)
        }
        (State::Failed(words), None) => {
            let limited = words.contains("limit");
            let kind = if limited { CallErrorKind::RateLimited } else { CallErrorKind::InvalidRequest };
            (kind, format!("the provider refused its batch: {words}"), false)
        }
        (State::Expired, _) => {
            (CallErrorKind::Timeout, "the batch expired, and its results hold nothing for it".to_owned(), true)
        }
        (State::Cancelled, _) => {
            (CallErrorKind::Cancelled, "the batch was cancelled, and its results hold nothing for it".to_owned(), false)
        }
        _ => (CallErrorKind::Provider, "the results of its batch hold nothing for it".to_owned(), true),
    };
    Lost { error: CallError::new(kind, words), again }
}
