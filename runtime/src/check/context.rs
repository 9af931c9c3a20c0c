//! What a user's own rule may look at beside the value.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// What a `validate_with` rule may look at beside the value: which attempt this is, and a value
/// of the user's own.
#[derive(Clone)]
pub struct CheckContext {
    attempt: u32,
    value: Option<Arc<dyn Any + Send + Sync>>,
}

impl CheckContext {
    /// The context of the first attempt, without a value.
    #[must_use]
    pub fn new() -> Self {
        Self { attempt: 1, value: None }
    }

    /// With a value for the rules to look at.
    #[must_use]
    pub fn with_value<V: Send + Sync + 'static>(mut self, value: V) -> Self {
        self.value = Some(Arc::new(value));
        self
    }

    /// Of attempt number `attempt`; the first is 1.
    #[must_use]
    pub fn with_attempt(mut self, attempt: u32) -> Self {
        self.attempt = attempt;
        self
    }

    /// The attempt that made the value; the first is 1.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The user's value, if there is one of this type.
    #[must_use]
    pub fn value<V: 'static>(&self) -> Option<&V> {
        self.value.as_deref().and_then(|value| value.downcast_ref())
    }
}

impl Default for CheckContext {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for CheckContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckContext").field("attempt", &self.attempt).finish_non_exhaustive()
    }
}
