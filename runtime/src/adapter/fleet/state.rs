//! Who may call which server now. It waits for nothing and calls nobody, so every rule is plain to see.
//!
//! A server is in, out for a time, or on trial. Callers stand in one queue; whenever a place may have become free, the
//! queue is gone through from its head ([`State::dispatch`]), so that nobody overtakes one who could have had the place.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::sync::Arc;
use std::task::Waker;
use std::time::{Duration, Instant};

use super::Ejection;
use crate::adapter::{CallError, CallErrorKind};

/// The servers, and those who wait for one.
#[derive(Debug)]
pub(super) struct State {
    pub(super) servers: Vec<Server>,
    pub(super) ejection: Ejection,
    queue: VecDeque<Waiter>,
    /// The number of the next one who waits.
    next: u64,
    /// Counts choices: of servers that are equal, the one whose last turn is longest ago is taken.
    turns: u64,
    /// A server's health has changed: those who wait may have to wait for something else.
    stirred: bool,
}

/// One server.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) name: Arc<str>,
    pub(super) limit: Option<usize>,
    pub(super) in_flight: usize,
    pub(super) health: Health,
    /// Faults in a row.
    faults: u32,
    /// Ejections in a row: the time out doubles with each.
    ejections: u32,
    /// Counts ejections for good: one who failed here may come again after the next.
    pub(super) epoch: u64,
    pub(super) last_fault: Option<Fault>,
    turn: u64,
}

/// Whether a server is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Health {
    /// It is.
    In,
    /// Not until then; then one call tries it.
    Out(Instant),
    /// One call tries it.
    OnTrial,
}

/// What went wrong with a server.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    pub(super) kind: CallErrorKind,
    pub(super) status: Option<u16>,
    pub(super) words: String,
    /// How long it asks to be left alone.
    pub(super) pause: Option<Duration>,
}

/// How a call of a server ended, as far as the server's health goes.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It answered.
    Answered,
    /// It is at fault.
    Fault(Fault),
    /// Nobody waited for the end.
    Dropped,
}

/// One who waits for a server.
#[derive(Debug)]
struct Waiter {
    ticket: u64,
    /// Where it failed, and in which epoch.
    tried: Vec<(usize, u64)>,
    granted: Option<usize>,
    waker: Option<Waker>,
}

/// How it stands with one who waits.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It may call this server.
    Granted(usize),
    /// It has to wait, for a place or for a server's return.
    Waits {
        /// When the next server may return.
        back: Option<Instant>,
        /// No server is in that it could wait for.
        stranded: bool,
    },
    /// It failed at every server, and none of them was left out for it: waiting will not help.
    Hopeless,
}

impl Outcome {
    /// What an error says of the server that it came from.
    pub(super) fn of(error: &CallError) -> Self {
        match Fault::of(error) {
            Some(fault) => Self::Fault(fault),
            // The one who asked gave up; whether the server would have answered is not known.
            None if matches!(error.kind(), CallErrorKind::Timeout | CallErrorKind::Cancelled) => Self::Dropped,
            None => Self::Answered,
        }
    }
}

impl Fault {
    /// The fault of the server that an error shows, if it is not the request's own.
    ///
    /// 401, 403 and 404 are among them: what one server of a fleet takes, all take, so one that refuses the key or does
    /// not know the model is set up wrong, and would draw calls to it by being idle.
    pub(super) fn of(error: &CallError) -> Option<Self> {
        let at_fault = match error.kind() {
            CallErrorKind::Transport
            | CallErrorKind::Provider
            | CallErrorKind::RateLimited
            | CallErrorKind::Unauthorized
            | CallErrorKind::Unavailable => true,
            CallErrorKind::InvalidRequest => error.status() == Some(404),
            _ => false,
        };
        at_fault.then(|| Self {
            kind: error.kind(),
            status: error.status(),
            words: with_cause(error),
            pause: error.retry_after(),
        })
    }

    /// Whether it says something about the next request, too. A server that answers with an error may have done so
    /// because of what was asked; it is out after a few of those in a row.
    fn is_plain(&self) -> bool {
        match self.kind {
            CallErrorKind::Provider => matches!(self.status, Some(502..=504 | 529)),
            _ => true,
        }
    }
}

/// An error's words with those of its first cause, which say why a connection failed.
fn with_cause(error: &CallError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(deeper) = cause.and_then(std::error::Error::source) {
        cause = Some(deeper);
    }
    if let Some(cause) = cause {
        text.push_str(": ");
        text.push_str(&cause.to_string());
    }
    text
}

impl State {
    pub(super) fn new(names: impl Iterator<Item = Arc<str>>) -> Self {
        let server = |name| Server {
            name,
            limit: None,
            in_flight: 0,
            health: Health::In,
            faults: 0,
            ejections: 0,
            epoch: 0,
            last_fault: None,
            turn: 0,
        };
        Self {
            servers: names.map(server).collect(),
            ejection: Ejection::default(),
            queue: VecDeque::new(),
            next: 0,
            turns: 0,
            stirred: false,
        }
    }

    /// Joins the queue, and tells its ticket.
    pub(super) fn join(&mut self, tried: Vec<(usize, u64)>) -> u64 {
        let ticket = self.next;
        self.next += 1;
        self.queue.push_back(Waiter { ticket, tried, granted: None, waker: None });
        ticket
    }

    /// Leaves the queue, and gives back the place that was granted, if one was.
    pub(super) fn leave(&mut self, ticket: u64) -> Option<usize> {
        let at = self.place(ticket)?;
        self.queue.remove(at)?.granted
    }

    fn place(&self, ticket: u64) -> Option<usize> {
        self.queue.binary_search_by_key(&ticket, |waiter| waiter.ticket).ok()
    }

    /// How it stands with one who waits; its waker is kept if it has to go on waiting.
    pub(super) fn look(&mut self, ticket: u64, waker: &Waker) -> Standing {
        let Some(at) = self.place(ticket) else { return Standing::Hopeless };
        let waiter = &mut self.queue[at];
        if let Some(server) = waiter.granted {
            return Standing::Granted(server);
        }
        waiter.waker = Some(waker.clone());
        let waiter = &self.queue[at];
        let mut open = self.servers.iter().enumerate().filter(|(index, server)| !waiter.has_failed_at(*index, server));
        let (mut back, mut stranded, mut hopeless) = (None, true, true);
        for (_, server) in open.by_ref() {
            hopeless = false;
            match server.health {
                Health::In => stranded = false,
                Health::OnTrial => {}
                Health::Out(until) => back = Some(back.map_or(until, |back: Instant| back.min(until))),
            }
        }
        if hopeless { Standing::Hopeless } else { Standing::Waits { back, stranded } }
    }

    /// Gives free places to those who wait, from the head of the queue on, and tells whom to wake.
    pub(super) fn dispatch(&mut self, now: Instant) -> Vec<Waker> {
        let mut wake = Vec::new();
        if std::mem::take(&mut self.stirred) {
            wake.extend(self.queue.iter_mut().filter_map(|waiter| waiter.waker.take()));
        }
        for waiter in self.queue.iter_mut().filter(|waiter| waiter.granted.is_none()) {
            let free = |(_, server): &(usize, &Server)| server.has_room(now);
            if !self.servers.iter().enumerate().any(|server| free(&server)) {
                break;
            }
            let widest = self.servers.iter().filter_map(|server| server.limit).max().unwrap_or(1);
            let best = self
                .servers
                .iter()
                .enumerate()
                .filter(free)
                .filter(|(index, server)| !waiter.has_failed_at(*index, server))
                .min_by(|(_, one), (_, other)| one.compare(other, widest));
            if let Some((index, _)) = best {
                self.turns += 1;
                self.servers[index].take(self.turns);
                waiter.granted = Some(index);
                wake.extend(waiter.waker.take());
            }
        }
        wake
    }

    /// A call of this server has ended.
    pub(super) fn ended(&mut self, index: usize, outcome: Outcome, now: Instant) {
        let ejection = self.ejection;
        let server = &mut self.servers[index];
        server.in_flight -= 1;
        let before = server.health;
        let on_trial = before == Health::OnTrial;
        match outcome {
            Outcome::Answered => {
                // One who was on its way since before the ejection proves nothing of what came after.
                if !matches!(server.health, Health::Out(_)) {
                    server.health = Health::In;
                    (server.faults, server.ejections) = (0, 0);
                }
            }
            // The next one tries it.
            Outcome::Dropped if on_trial => server.health = Health::Out(now),
            Outcome::Dropped => {}
            Outcome::Fault(fault) => {
                server.faults = server.faults.saturating_add(1);
                let eject = on_trial || fault.is_plain() || server.faults >= ejection.after;
                if eject && !matches!(server.health, Health::Out(_)) {
                    let time = ejection.time_out(server.ejections).max(fault.pause.unwrap_or_default());
                    server.health = Health::Out(now.checked_add(time).unwrap_or(now + ejection.longest));
                    server.ejections = server.ejections.saturating_add(1);
                    server.epoch += 1;
                    server.faults = 0;
                }
                server.last_fault = Some(fault);
            }
        }
        self.stirred |= server.health != before;
    }
}

impl Waiter {
    fn has_failed_at(&self, index: usize, server: &Server) -> bool {
        self.tried.contains(&(index, server.epoch))
    }
}

impl Server {
    fn has_room(&self, now: Instant) -> bool {
        match self.health {
            Health::In => self.limit.is_none_or(|limit| self.in_flight < limit),
            Health::Out(until) => until <= now,
            Health::OnTrial => false,
        }
    }

    fn take(&mut self, turn: u64) {
        self.in_flight += 1;
        self.turn = turn;
        if let Health::Out(_) = self.health {
            self.health = Health::OnTrial;
        }
    }

    /// The less loaded one first. Load is calls in flight against the limit, so that a server that may have twice as
    /// many gets twice as many.
    fn compare(&self, other: &Self, widest: usize) -> Ordering {
        let of = |server: &Self| (server.in_flight as u128 + 1, server.limit.unwrap_or(widest).max(1) as u128);
        let ((mine, my_limit), (theirs, their_limit)) = (of(self), of(other));
        (mine * their_limit).cmp(&(theirs * my_limit)).then(self.turn.cmp(&other.turn))
    }
}
