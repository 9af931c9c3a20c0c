//! The schema that a request carries.

use std::borrow::Cow;
use std::fmt;

use crate::dialect::{Dialect, Refusal, Spec};
use crate::schema::{ResponseSchema, SchemaRef, json_for, name, render_document};

/// The schema that a request carries, with its name.
#[derive(Clone)]
pub struct ResponseFormat {
    name: &'static str,
    root: SchemaRef,
    /// The text for one dialect, made at compile time.
    ready: Option<Ready>,
}

#[derive(Clone, Copy)]
struct Ready {
    dialect: &'static str,
    text: &'static str,
}

impl ResponseFormat {
    /// The schema of `T`, for any route; its text is made when a route asks for it.
    #[must_use]
    pub fn of<T: ResponseSchema>() -> Self {
        Self { name: name::<T>(), root: T::SCHEMA, ready: None }
    }

    /// The schema of `T` with its text for the dialect `D`, a constant of the program.
    #[must_use]
    pub(crate) fn ready<T: ResponseSchema, D: Spec>() -> Self {
        Self { ready: Some(Ready { dialect: D::DIALECT.name, text: json_for::<T, D>() }), ..Self::of::<T>() }
    }

    /// The schema's name on the wire; it fits `[A-Za-z0-9_-]{1,64}`.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name
    }

    /// The schema's JSON text for a dialect.
    ///
    /// # Errors
    ///
    /// What the dialect refuses, and the way out.
    pub fn json(&self, dialect: &Dialect) -> Result<Cow<'static, str>, Refusal> {
        match self.ready {
            Some(ready) if ready.dialect == dialect.name => Ok(Cow::Borrowed(ready.text)),
            _ => render_document(self.root, dialect).map(Cow::Owned),
        }
    }
}

impl fmt::Debug for ResponseFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseFormat").field("name", &self.name).finish_non_exhaustive()
    }
}
