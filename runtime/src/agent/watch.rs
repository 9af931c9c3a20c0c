//! Who a run is told to.
//!
//! A run is the same whether it is read while it happens or not: it tells a [`Watch`] what happens, and has its calls made by
//! that. [`Silent`] just makes them. [`Telling`] has them streamed, and puts what there is to tell in a queue; the run
//! waits there until that was read, so it is never ahead of its reader by more than one turn's tools.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use super::stream::LoopUpdate;
use crate::adapter::{CallError, CallRequest, CallResponse, Route, StreamEvent, ToolCall, ToolResult};
use crate::partial::Growing;
use crate::worker::{Attempt, Outcome, Restart, Settings, StreamedAttempt, late};

/// Who a run is told to.
pub(super) trait Watch: Send + Sync {
    /// Makes a call. `shows` says whether its text may be the answer.
    fn call<R: Route>(
        &self,
        route: &R,
        settings: &Settings,
        request: CallRequest,
        shows: bool,
    ) -> impl Future<Output = Result<CallResponse, CallError>> + Send;

    /// The model has called these.
    fn called(&self, calls: &[ToolCall]) {
        let _ = calls;
    }

    /// A tool has ended so.
    fn answered(&self, result: &ToolResult) {
        let _ = result;
    }

    /// This attempt was not accepted, and another follows.
    fn restarted(&self, attempt: &Attempt) {
        let _ = attempt;
    }
}

/// Nobody.
pub(super) struct Silent;

impl Watch for Silent {
    fn call<R: Route>(
        &self,
        route: &R,
        _: &Settings,
        request: CallRequest,
        _: bool,
    ) -> impl Future<Output = Result<CallResponse, CallError>> + Send {
        route.call(request)
    }
}

/// The reader of a [`LoopStream`].
pub(super) struct Telling<T>(Mutex<State<T>>);

struct State<T> {
    /// The answer as far as it is known; `None` where it is text.
    growing: Option<Growing<T>>,
    /// Something of the answer was shown that is not void yet.
    shown: bool,
    updates: VecDeque<LoopUpdate<T>>,
}

impl<T> Telling<T> {
    pub(super) fn new(growing: Option<Growing<T>>) -> Self {
        Self(Mutex::new(State { growing, shown: false, updates: VecDeque::new() }))
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next thing to tell.
    pub(super) fn take(&self) -> Option<LoopUpdate<T>> {
        self.state().updates.pop_front()
    }

    pub(super) fn is_read(&self) -> bool {
        self.state().updates.is_empty()
    }

    /// Waits until everything was read. The reader polls again once it wants more, so nobody need be woken.
    async fn read(&self) {
        std::future::poll_fn(|_| if self.is_read() { Poll::Ready(()) } else { Poll::Pending }).await;
    }
}

impl<T> State<T> {
    /// More of the text of an answer.
    fn text(&mut self, piece: String) {
        let update = match &mut self.growing {
            Some(growing) => growing.push(&piece).map(LoopUpdate::Partial),
            None => Some(LoopUpdate::Text(piece)),
        };
        self.shown |= update.is_some();
        self.updates.extend(update);
    }

    /// What was shown is void.
    fn restart(&mut self, why: impl FnOnce() -> Restart) {
        if let Some(growing) = &mut self.growing {
            growing.begin_anew();
        }
        self.shown = false;
        self.updates.push_back(LoopUpdate::Restarted(why()));
    }
}

impl<T: Send> Watch for Telling<T> {
    async fn call<R: Route>(
        &self,
        route: &R,
        settings: &Settings,
        request: CallRequest,
        shows: bool,
    ) -> Result<CallResponse, CallError> {
        self.read().await;
        // The time for the whole is the run's business.
        let mut reply = StreamedAttempt::begin(route, settings, request, None);
        let shows = shows && !reply.is_in_one_piece();
        loop {
            let event = std::future::poll_fn(|context| reply.poll_next(settings, context)).await;
            match event.unwrap_or_else(|| Err(late(settings.timeout)))? {
                StreamEvent::Done(response) => return Ok(*response),
                StreamEvent::Text(piece) if shows => self.state().text(piece),
                StreamEvent::Restart { kind, reason } if shows => {
                    self.state().restart(|| Restart::within_the_route(kind, reason));
                }
                _ => {}
            }
            self.read().await;
        }
    }

    fn called(&self, calls: &[ToolCall]) {
        let mut state = self.state();
        if state.shown {
            state.restart(Restart::for_tools);
        }
        state.updates.extend(calls.iter().cloned().map(LoopUpdate::ToolCalled));
    }

    fn answered(&self, result: &ToolResult) {
        self.state().updates.push_back(LoopUpdate::ToolAnswered(result.clone()));
    }

    fn restarted(&self, attempt: &Attempt) {
        self.state().restart(|| Restart::after(attempt));
    }
}

impl Restart {
    /// The model has called tools after what was shown.
    fn for_tools() -> Self {
        let problem = "the model has called tools, so its words before them are no answer".to_owned();
        Self { outcome: Outcome::ToolCalls, problem, violations: Vec::new() }
    }
}
