//! What tasks may take together.

use std::cmp::Ordering;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::report::millis;
use crate::adapter::Usage;

/// What tasks may take together: calls, tokens, time, money. Clones share what is spent.
///
/// A call is made only while nothing is used up. What is under way is finished, but for the time:
/// it ends like a deadline. So tokens and money may go over by what the calls under way take; calls never do.
///
/// ```
/// use response_schema::worker::{Budget, Prices};
///
/// let budget = Budget::new().max_calls(100).max_cost_usd(2.0).prices(Prices::per_million(0.25, 2.0));
/// assert_eq!(budget.spent().calls, 0);
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Budget {
    limits: Limits,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Clone, Default)]
struct Limits {
    calls: Option<u64>,
    tokens: Option<u64>,
    time: Option<Duration>,
    cost: Option<f64>,
    prices: Option<Prices>,
    model_prices: Vec<(String, Prices)>,
}

impl Limits {
    fn price(&self, model: &str) -> Option<&Prices> {
        self.model_prices.iter().find(|(name, _)| name == model).map(|(_, price)| price).or(self.prices.as_ref())
    }
}

#[derive(Debug, Default)]
struct State {
    spent: Spent,
    /// When the first call was made.
    start: Option<Instant>,
    /// The first model whose reply had no known price.
    unpriced: Option<String>,
}

/// What was spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Spent {
    /// Calls, those under way included.
    pub calls: u64,
    /// Tokens in and out, as far as the providers reported them; its `cost_usd` is the whole cost.
    pub usage: Usage,
    /// Wall time since the first call.
    #[serde(rename = "time_ms", with = "millis")]
    pub time: Duration,
}

/// What tokens cost, in US dollars for a million.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Prices {
    /// Of the prompt.
    pub input: f64,
    /// Of the prompt, from the provider's cache.
    pub cached_input: f64,
    /// Of the reply.
    pub output: f64,
}

impl Prices {
    /// Prices of tokens in and out; cached ones cost as much as others.
    #[must_use]
    pub const fn per_million(input: f64, output: f64) -> Self {
        Self { input, cached_input: input, output }
    }

    /// With another price of cached tokens.
    #[must_use]
    pub const fn cached(mut self, input: f64) -> Self {
        self.cached_input = input;
        self
    }

    /// Half of each: what providers ask for in their batch services.
    #[must_use]
    pub const fn halved(mut self) -> Self {
        self.input /= 2.0;
        self.cached_input /= 2.0;
        self.output /= 2.0;
        self
    }

    #[allow(clippy::cast_precision_loss)] // no bill has so many tokens
    fn of(&self, usage: &Usage) -> f64 {
        let cached = usage.cached_input_tokens.min(usage.input_tokens);
        let fresh = usage.input_tokens - cached;
        (fresh as f64 * self.input + cached as f64 * self.cached_input + usage.output_tokens as f64 * self.output) / 1e6
    }
}

/// What a budget bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BudgetLimit {
    /// The number of calls.
    Calls,
    /// Tokens in and out together.
    Tokens,
    /// Wall time since the first call.
    Time,
    /// Money.
    Cost,
    /// Money, which cannot be counted: a reply has no known price.
    UnknownCost,
}

/// A budget is used up, and what was reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Exceeded {
    /// Which limit it was.
    pub limit: BudgetLimit,
    /// What was spent.
    pub spent: Spent,
    words: String,
}

impl Budget {
    /// No limits yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// At most this many calls, retries included.
    pub fn max_calls(mut self, calls: u64) -> Self {
        self.limits.calls = Some(calls);
        self
    }

    /// At most this many tokens, in and out together.
    pub fn max_tokens(mut self, tokens: u64) -> Self {
        self.limits.tokens = Some(tokens);
        self
    }

    /// At most this much wall time, from the first call on.
    pub fn max_time(mut self, time: Duration) -> Self {
        self.limits.time = Some(time);
        self
    }

    /// At most this much money, in US dollars; none if that is no number. Where the route does not state the cost of a
    /// reply, it is counted with the prices; a reply without either uses the budget up.
    pub fn max_cost_usd(mut self, dollars: f64) -> Self {
        self.limits.cost = Some(dollars);
        self
    }

    /// What tokens cost, where nothing else is known.
    pub fn prices(mut self, prices: Prices) -> Self {
        self.limits.prices = Some(prices);
        self
    }

    /// What tokens of one model cost, by the name that the provider answers with.
    pub fn prices_of(mut self, model: impl Into<String>, prices: Prices) -> Self {
        self.limits.model_prices.push((model.into(), prices));
        self
    }

    /// What is spent so far; the time is that of the last call's end.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.state().spent
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call that is about to be made, if there is room for it.
    pub(crate) fn admit(&self, now: Instant) -> Result<(), Exceeded> {
        let mut state = self.state();
        self.look(&mut state, now)?;
        state.start.get_or_insert(now);
        state.spent.calls += 1;
        Ok(())
    }

    /// Whether there is room for a call.
    pub(crate) fn check(&self, now: Instant) -> Result<(), Exceeded> {
        self.look(&mut self.state(), now)
    }

    fn look(&self, state: &mut State, now: Instant) -> Result<(), Exceeded> {
        let Limits { calls, tokens, time, cost, .. } = &self.limits;
        if let Some(start) = state.start {
            state.spent.time = now.saturating_duration_since(start);
        }
        let spent = state.spent;
        let used = spent.usage.input_tokens.saturating_add(spent.usage.output_tokens);
        let money = spent.usage.cost_usd.unwrap_or(0.0);
        let (limit, words) = if let Some(most) = calls.filter(|&most| spent.calls >= most) {
            (BudgetLimit::Calls, format!("{} of {most} calls are made", spent.calls))
        } else if let Some(most) = tokens.filter(|&most| used >= most) {
            (BudgetLimit::Tokens, format!("{used} of {most} tokens are used"))
        } else if time.is_some_and(|most| spent.time >= most) {
            (BudgetLimit::Time, self.time_words(spent.time))
        } else if let Some(most) = cost.filter(|most| money.partial_cmp(most).is_none_or(Ordering::is_ge)) {
            (BudgetLimit::Cost, format!("{money:.4} of {most:.4} USD are spent"))
        } else if let (Some(_), Some(model)) = (cost, &state.unpriced) {
            (
                BudgetLimit::UnknownCost,
                format!("what a reply of `{model}` costs is not known; give the budget its price"),
            )
        } else {
            return Ok(());
        };
        Err(Exceeded { limit, spent, words })
    }

    /// That its time is over, and what was spent until then.
    pub(crate) fn out_of_time(&self, now: Instant) -> Exceeded {
        let mut state = self.state();
        if let Some(start) = state.start {
            state.spent.time = now.saturating_duration_since(start);
        }
        Exceeded { limit: BudgetLimit::Time, spent: state.spent, words: self.time_words(state.spent.time) }
    }

    fn time_words(&self, took: Duration) -> String {
        let most = self.limits.time.unwrap_or_default().as_secs_f64();
        format!("{:.2} of {most:.2} s have passed", took.as_secs_f64())
    }

    /// Counts what a call took.
    pub(crate) fn charge(&self, usage: &Usage, model: &str, now: Instant) {
        let price = self.limits.price(model);
        let mut state = self.state();
        let mut usage = *usage;
        usage.cost_usd = usage.cost_usd.or_else(|| price.map(|price| price.of(&usage)));
        if usage.cost_usd.is_none() {
            state.unpriced.get_or_insert_with(|| model.to_owned());
        }
        state.spent.usage += usage;
        if let Some(start) = state.start {
            state.spent.time = now.saturating_duration_since(start);
        }
    }

    /// What a reply of this model costs, as far as the prices say.
    #[cfg(feature = "many")]
    pub(crate) fn price(&self, usage: &Usage, model: &str) -> Option<f64> {
        self.limits.price(model).map(|price| price.of(usage))
    }

    /// When its time is over, for calls made now.
    pub(crate) fn deadline(&self, now: Instant) -> Option<Instant> {
        let start = self.state().start.unwrap_or(now);
        start.checked_add(self.limits.time?)
    }
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the budget is used up: {}", self.words)
    }
}

impl std::error::Error for Exceeded {}
