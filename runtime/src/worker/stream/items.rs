//! Elements of a list, each as soon as it is complete.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use serde::de::DeserializeOwned;

use super::{ReplyStream, Restart, Update};
use crate::adapter::Route;
use crate::decode::Decoder;
use crate::error::Error;
use crate::partial::{Partial, PartialValue, State};
use crate::schema::ResponseSchema;
use crate::schema::shape::is_plain_object;
use crate::worker::{Outcome, Report, WorkerRequest};

/// The elements of a list, each as soon as it is complete: [`Item`]s, of which [`Item::Done`] or an error is the last.
///
/// Every element is handed over once, in order, decoded and checked by itself. What only the whole list can tell (its length, a reply that
/// is cut short) is known at the end.
pub struct ItemStream<'w, R, T> {
    reply: ReplyStream<'w, R, Vec<T>>,
    ready: VecDeque<Item<T>>,
    /// How many elements were handed over, or lie ready.
    taken: usize,
    /// An element was not good: the rest waits for the whole.
    held: bool,
}

/// What there is to tell of a list that is being written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Item<T> {
    /// An element, and its place in the list.
    Element(usize, T),
    /// The attempt came to nothing, and another begins: its elements are void.
    Restarted(Restart),
    /// The list is complete, and this is how it was had.
    Done(Box<Report>),
}

impl<'w, R: Route, T: ResponseSchema + DeserializeOwned + Send> ItemStream<'w, R, T> {
    pub(in crate::worker) fn of(reply: ReplyStream<'w, R, Vec<T>>) -> Self {
        Self { reply, ready: VecDeque::new(), taken: 0, held: false }
    }

    /// Asks with all settings at their defaults.
    pub(crate) fn plain(route: &'w R, request: WorkerRequest) -> Self {
        Self::of(ReplyStream::plain(route, request))
    }

    /// What there is to tell next; `None` behind the end.
    pub async fn next(&mut self) -> Option<Result<Item<T>, Error>> {
        std::future::poll_fn(|context| self.step(context)).await
    }

    fn step(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Item<T>, Error>>> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Poll::Ready(Some(Ok(item)));
            }
            let Poll::Ready(update) = Pin::new(&mut self.reply).poll_next(context) else { return Poll::Pending };
            match update {
                None => return Poll::Ready(None),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                Some(Ok(Update::Partial(list))) => self.take(&list),
                Some(Ok(Update::Restarted(restart))) => {
                    (self.taken, self.held) = (0, false);
                    return Poll::Ready(Some(Ok(Item::Restarted(restart))));
                }
                Some(Ok(Update::Done(reply))) => {
                    let rest = reply.value.into_iter().enumerate().skip(self.taken);
                    self.ready.extend(rest.map(|(place, element)| Item::Element(place, element)));
                    self.ready.push_back(Item::Done(Box::new(reply.report)));
                }
            }
        }
    }

    /// Takes the elements that are complete now.
    fn take(&mut self, list: &Partial<Vec<T>>) {
        // A list that replaces a draft has other elements; which of them is meant, the whole tells.
        if list.drafts() > 0 && !self.held {
            if self.taken > 0 {
                self.ready.push_back(Item::Restarted(Restart {
                    outcome: Outcome::Invalid,
                    problem: "another list followed the first".to_owned(),
                    violations: Vec::new(),
                }));
            }
            (self.taken, self.held) = (0, true);
        }
        let Some(value) = list.value().filter(|_| !self.held) else { return };
        for item in value.items().skip(self.taken).take_while(|item| item.state() == State::Done) {
            let Some(element) = read(item) else {
                self.held = true;
                return;
            };
            self.ready.push_back(Item::Element(self.taken, element));
            self.taken += 1;
        }
    }
}

/// An element, decoded and checked; `None` if it is not as it should be.
fn read<T: ResponseSchema + DeserializeOwned>(item: PartialValue<'_>) -> Option<T> {
    let text = item.json()?;
    let decoded = if is_plain_object(T::SCHEMA) {
        Decoder::new().decode(text)
    } else {
        Decoder::new().decode(&format!("{{\"value\":{text}}}"))
    };
    decoded.ok().map(|decoded| decoded.value)
}

impl<R: Route, T: ResponseSchema + DeserializeOwned + Send> Stream for ItemStream<'_, R, T> {
    type Item = Result<Item<T>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.step(context)
    }
}

impl<R, T> Unpin for ItemStream<'_, R, T> {}

impl<R, T> fmt::Debug for ItemStream<'_, R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ItemStream").field("taken", &self.taken).finish_non_exhaustive()
    }
}
