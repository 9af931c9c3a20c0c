//! The model that a route asks.

use crate::adapter::{CallError, CallErrorKind};
use crate::http::body::Body;

/// The model that a route asks.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    route: &'static str,
    name: String,
    required: bool,
}

impl Model {
    /// None yet, and there must be one.
    pub(crate) fn required(route: &'static str) -> Self {
        Self { route, name: String::new(), required: true }
    }

    /// None, which will do: the server has one model.
    pub(crate) fn any(route: &'static str) -> Self {
        Self { route, name: String::new(), required: false }
    }

    pub(crate) fn set(&mut self, name: impl Into<String>) {
        self.name = name.into();
    }

    pub(crate) fn route(&self) -> &'static str {
        self.route
    }

    /// The model's name; empty where none was named.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The model's name, which must be there.
    pub(crate) fn named(&self) -> Result<&str, CallError> {
        if self.name.is_empty() && self.required {
            return Err(CallError::new(
                CallErrorKind::InvalidRequest,
                format!("{} needs a model; name one with `.model(\"…\")`", self.route),
            ));
        }
        Ok(&self.name)
    }

    /// Writes it into a body, under the name that nearly all wires give it.
    pub(crate) fn write(&self, body: &mut Body<'_>) -> Result<(), CallError> {
        if body.is_replaced("model") {
            return Ok(());
        }
        let name = self.named()?;
        body.optional("model", (!name.is_empty()).then_some(name))
    }
}
