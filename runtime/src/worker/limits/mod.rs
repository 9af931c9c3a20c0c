//! How fast calls may go out.
//!
//! Three things bound it, and a call goes out when all of them have room:
//!
//! - **Rates**: requests and tokens for a minute, as configured. Each is a bucket that fills at its rate and holds
//!   little, so that no minute has more than its limit but for a few percent. A call takes its tokens out as estimated, and
//!   settles the difference when its usage is known; the estimate learns from that.
//! - **The provider's word** ([`RateLimits`]): what its headers say is left, and how fast that comes back. It says when it has
//!   all of it back: the rate is what is missing, over that time, so it makes no difference whether a provider
//!   counts by the minute or by the day.
//! - **A window** of calls under way. There is none until a provider says that there are too many requests. Then it is half
//!   of what was under way, and grows by one with each round of good replies. What was sent before a
//!   halving cannot cause another.
//!
//! Those who wait stand in line: only the first of them holds a timer. A call that was refused for its number waits for another
//! turn, some times, before that is its end.

mod bucket;
mod line;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::clock::SharedClock;
use crate::adapter::{CallError, CallErrorKind, CallRequest, CallResponse, Message, RateLimits};
use bucket::Bucket;
use line::Line;
pub(crate) use line::Turn;

/// How often a call is sent again that was refused because there were too many.
pub(super) const AGAIN: u32 = 5;

/// What goes along with a conversation, the schema first of all, in bytes; what it really is the estimate learns.
const AROUND: usize = 512;

/// Calls under way while it is not known yet how many tokens one takes.
const UNKNOWN: usize = 8;

/// The pause after a refusal that asks for none; it doubles with each in a row.
const PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// How fast calls may go out: requests and tokens for a minute, and what the provider says itself. Clones share it, so one
/// is for all workers that use the same account.
///
/// ```
/// use response_schema::worker::Limits;
///
/// let limits = Limits::per_minute().requests(500).tokens(200_000);
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct Limits {
    requests: Option<u32>,
    tokens: Option<u32>,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    line: Line,
    requests: Dimension,
    tokens: Dimension,
    /// Calls under way.
    under_way: usize,
    /// How many may be.
    window: Option<f64>,
    halved: Option<Instant>,
    /// The provider asked for silence until then.
    silence: Option<Instant>,
    refused_in_a_row: u32,
    estimate: Estimate,
}

/// One thing that is counted: as it is configured, and as the provider says.
#[derive(Default)]
struct Dimension {
    own: Option<Bucket>,
    told: Option<Bucket>,
}

/// How many tokens a call takes.
struct Estimate {
    known: bool,
    /// Tokens in for a byte of the conversation.
    per_byte: f64,
    /// Tokens out.
    output: f64,
}

/// The right to make one call. It is under way as long as this lives.
pub(crate) struct Permit {
    limits: Limits,
    bytes: usize,
    tokens: f64,
    since: Instant,
}

/// What keeps a call from going out.
enum Wait {
    /// The time.
    Until(Instant),
    /// Calls that are under way.
    Others,
}

impl Limits {
    /// No limits of one's own yet; the provider's word counts without any.
    pub fn per_minute() -> Self {
        Self::default()
    }

    /// At most this many requests in a minute, further attempts included; one at least.
    pub fn requests(mut self, most: u32) -> Self {
        self.requests = Some(most.max(1));
        self
    }

    /// At most this many tokens in a minute, in and out together; one at least.
    pub fn tokens(mut self, most: u32) -> Self {
        self.tokens = Some(most.max(1));
        self
    }

    /// How many calls may be under way at once, if a provider has said that there were too many.
    #[must_use]
    pub fn window(&self) -> Option<usize> {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it is at least 1
        self.state().window.map(|window| window as usize)
    }

    /// The turn of a call; it waits for all that came before it.
    pub(crate) fn turn(&self, clock: &SharedClock, request: &CallRequest) -> Turn {
        let text: usize = request.messages.iter().map(|message: &Message| message.text().len()).sum();
        Turn::new(self.clone(), clock.clone(), text + AROUND)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Lets a call go out, if there is room for it.
    fn start(&mut self, limits: &Limits, bytes: usize, now: Instant) -> Result<f64, Wait> {
        let own = |dimension: &mut Dimension, limit: Option<u32>| {
            if dimension.own.is_none() {
                dimension.own = limit.map(|limit| Bucket::per_minute(limit, now));
            }
        };
        own(&mut self.requests, limits.requests);
        own(&mut self.tokens, limits.tokens);
        if let Some(silence) = self.silence.filter(|&silence| now < silence) {
            return Err(Wait::Until(silence));
        }
        let unsure = !self.estimate.known && self.tokens.own.is_some() && self.under_way >= UNKNOWN;
        #[allow(clippy::cast_precision_loss)] // nobody has so many calls under way
        let full = self.window.is_some_and(|window| self.under_way as f64 + 1.0 > window);
        if (full || unsure) && self.under_way > 0 {
            return Err(Wait::Others);
        }
        let tokens = self.estimate.of(bytes);
        let room = self.requests.when(1.0, now).max(self.tokens.when(tokens, now));
        if let Some(room) = room.filter(|&room| now < room) {
            return Err(Wait::Until(room));
        }
        self.requests.take(1.0, now);
        self.tokens.take(tokens, now);
        self.under_way += 1;
        Ok(tokens)
    }

    /// The provider has said that there are too many.
    fn refused(&mut self, since: Instant, pause: Option<Duration>, now: Instant) {
        if self.halved.is_none_or(|halved| since >= halved) {
            #[allow(clippy::cast_precision_loss)] // nobody has so many calls under way
            let under_way = self.under_way.max(1) as f64;
            self.window = Some((self.window.map_or(under_way, |window| window.min(under_way)) / 2.0).max(1.0));
            self.halved = Some(now);
            self.refused_in_a_row += 1;
        }
        let own =
            PAUSE.saturating_mul(2_u32.saturating_pow(self.refused_in_a_row.saturating_sub(1))).min(LONGEST_PAUSE);
        let until = now.checked_add(pause.unwrap_or(own));
        self.silence = self.silence.max(until);
    }

    fn learn(&mut self, told: &RateLimits, now: Instant) {
        for (dimension, quota) in [(&mut self.requests, told.requests), (&mut self.tokens, told.tokens)] {
            if let Some(quota) = quota {
                match &mut dimension.told {
                    Some(bucket) => bucket.hear(quota, now),
                    none => *none = Some(Bucket::told(quota, now)),
                }
            }
        }
    }
}

impl Dimension {
    /// When there is room for so much; `None` if nothing bounds it.
    fn when(&mut self, much: f64, now: Instant) -> Option<Instant> {
        let [own, told] =
            [&mut self.own, &mut self.told].map(|bucket| bucket.as_mut().map(|bucket| bucket.when(much, now)));
        own.max(told)
    }

    fn take(&mut self, much: f64, now: Instant) {
        for bucket in [&mut self.own, &mut self.told].into_iter().flatten() {
            bucket.take(much, now);
        }
    }
}

impl Default for Estimate {
    /// Four bytes a token, and a short reply.
    fn default() -> Self {
        Self { known: false, per_byte: 0.25, output: 256.0 }
    }
}

impl Estimate {
    #[allow(clippy::cast_precision_loss)] // no conversation has so many bytes
    fn of(&self, bytes: usize) -> f64 {
        (bytes as f64).mul_add(self.per_byte, self.output)
    }

    /// A call of so many bytes took so many tokens.
    #[allow(clippy::cast_precision_loss)] // no reply has so many tokens
    fn learn(&mut self, bytes: usize, input: u64, output: u64) {
        // The first counts as it is; later ones move the estimate slowly.
        let part = if self.known { 1.0 / 16.0 } else { 1.0 };
        self.known = true;
        self.per_byte += (input as f64 / bytes.max(1) as f64 - self.per_byte) * part;
        self.output += (output as f64 - self.output) * part;
    }
}

impl Permit {
    /// Counts what the call took, and what the provider said.
    pub(crate) fn settle(self, result: Option<&Result<CallResponse, CallError>>, now: Instant) {
        let mut state = self.limits.state();
        let (usage, told) = match result {
            Some(Ok(response)) => (Some(response.usage), response.rate_limits.as_deref()),
            Some(Err(error)) => (error.usage(), error.rate_limits()),
            None => (None, None),
        };
        if let Some(told) = told {
            state.learn(told, now);
        }
        if let Some(usage) = usage.filter(|usage| usage.input_tokens + usage.output_tokens > 0) {
            state.estimate.learn(self.bytes, usage.input_tokens, usage.output_tokens);
            #[allow(clippy::cast_precision_loss)] // no call takes so many tokens
            let took = usage.input_tokens.saturating_add(usage.output_tokens) as f64;
            if let Some(own) = &mut state.tokens.own {
                own.take(took - self.tokens, now);
            }
        }
        match result {
            // Nobody was asked.
            Some(Ok(response)) if response.cached => {
                state.requests.take(-1.0, now);
                state.tokens.take(-self.tokens, now);
            }
            Some(Err(error)) if error.kind() == CallErrorKind::RateLimited => {
                state.refused(self.since, error.retry_after(), now);
            }
            Some(_) if told.is_some_and(|told| told.throttled > 0) => {
                state.refused(self.since, Some(Duration::ZERO), now);
            }
            Some(Ok(_)) => {
                state.refused_in_a_row = 0;
                if let Some(window) = &mut state.window {
                    *window += 1.0 / *window;
                }
            }
            _ => {}
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = self.limits.state();
        state.under_way -= 1;
        state.line.wake();
    }
}

impl fmt::Debug for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits").field("requests", &self.requests).field("tokens", &self.tokens).finish_non_exhaustive()
    }
}
