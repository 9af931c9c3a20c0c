//! Values that grow while the model writes.
//!
//! A [`Partial`] is what is known of a `T` at one moment of its reply. Nothing in it is a guess:
//! numbers, booleans, `null` and the values of enums are there once they are complete, and a text may
//! still grow, which its [`state`](PartialValue::state) says.
//!
//! ```
//! use response_schema::ResponseSchema;
//! use response_schema::partial::{Growing, State};
//!
//! #[derive(ResponseSchema)]
//! struct Ticket {
//!     summary: String,
//!     confidence: u8,
//! }
//!
//! let mut ticket = Growing::<Ticket>::new();
//! assert!(ticket.push("Sure: {\"summary\": \"Login fai").is_some());
//! let snapshot = ticket.push("ls\", \"confidence\": 9").expect("news");
//! let summary = snapshot.get("summary").expect("begun");
//! assert_eq!((summary.as_str(), summary.state()), (Some("Login fails"), State::Done));
//! assert_eq!(snapshot.state("confidence"), State::Pending, "it may become 95");
//! ```
//!
//! # Its three forms
//!
//! [`Partial::fields`] is the companion type that `#[response(partial)]` makes, with what `#[response(stream = "…")]`
//! says of each field. [`Partial::get`] and [`Partial::to_json`] need no attribute, and show every text as it grows.
//! [`Partial::changed`] is for those who paint: the places that moved, each to be looked up with [`Partial::at`].
//!
//! # What it costs
//!
//! Each byte is read once, and a snapshot is a pointer. One that is still held when the next piece comes costs a
//! copy, for it stays as it was: take the values out, and drop it.

mod streamed;
mod value;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde_json::Value;

use crate::decode::grow::Growth;
use crate::schema::ResponseSchema;

pub use streamed::Streamed;
pub use value::{Change, PartialValue, State};

/// Takes the text of a reply piece by piece, and hands out what is known.
pub struct Growing<T: ?Sized> {
    growth: Arc<Growth>,
    of: PhantomData<fn() -> T>,
}

/// What is known of a `T` at one moment of its reply.
///
/// It is cheap to take and to drop. Keeping one while more text comes costs a copy of what is known at that
/// moment; to keep the past, keep its values.
pub struct Partial<T: ?Sized> {
    growth: Arc<Growth>,
    of: PhantomData<fn() -> T>,
}

impl<T: ResponseSchema + ?Sized> Growing<T> {
    /// Before the first piece.
    #[must_use]
    pub fn new() -> Self {
        Self::of(Growth::new(T::SCHEMA))
    }
}

impl Growing<Value> {
    /// Before the first piece of a value whose schema is known at run time only.
    ///
    /// ```
    /// use response_schema::partial::Growing;
    /// use serde_json::json;
    ///
    /// let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    /// let mut value = Growing::against(&schema);
    /// let snapshot = value.push(r#"{"name": "Bis"#).expect("news");
    /// assert_eq!(snapshot.to_json(), json!({"name": "Bis"}));
    /// ```
    #[must_use]
    pub fn against(schema: &Value) -> Self {
        Self::of(Growth::against(schema))
    }
}

impl<T: ?Sized> Growing<T> {
    fn of(growth: Growth) -> Self {
        Self { growth: Arc::new(growth), of: PhantomData }
    }

    /// Forgets all pieces.
    pub(crate) fn begin_anew(&mut self) {
        *self = Self::of(self.growth.anew());
    }

    /// Takes a piece of the reply's text, cut anywhere between two characters. What is known then comes back, if there is
    /// anything new to see.
    pub fn push(&mut self, piece: &str) -> Option<Partial<T>> {
        let news = Arc::make_mut(&mut self.growth).push(piece);
        news.then(|| self.snapshot())
    }

    /// What is known.
    #[must_use]
    pub fn snapshot(&self) -> Partial<T> {
        Partial { growth: Arc::clone(&self.growth), of: PhantomData }
    }

    /// The text so far.
    #[must_use]
    pub fn text(&self) -> &str {
        self.growth.text()
    }
}

impl<T: ?Sized> Partial<T> {
    /// What is known, if it has begun.
    #[must_use]
    pub fn value(&self) -> Option<PartialValue<'_>> {
        let root = PartialValue::root(&self.growth)?;
        if self.growth.is_wrapped() { root.get("value") } else { Some(root) }
    }

    /// A field of an object, if it has begun.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<PartialValue<'_>> {
        self.value()?.get(key)
    }

    /// How much of a field is there.
    #[must_use]
    pub fn state(&self, key: &str) -> State {
        self.get(key).map_or(State::Pending, |value| value.state())
    }

    /// What stands at a place that [`changed`](Self::changed) names: `labels[2]`; the whole at an empty one. `None` if it
    /// has not begun.
    #[must_use]
    pub fn at(&self, path: &str) -> Option<PartialValue<'_>> {
        value::at(self.value()?, path)
    }

    /// What is known, as JSON. What has not begun is left out; a text that grows stands there as far as it is known.
    #[must_use]
    pub fn to_json(&self) -> Value {
        self.value().map_or(Value::Null, |value| value.to_json())
    }

    /// What is known, in the type's partial form.
    #[must_use]
    pub fn fields(&self) -> Option<T::Partial>
    where
        T: Streamed,
    {
        T::partial(self.value()?)
    }

    /// What has changed since the snapshot before, each place once, in the order of its first change.
    #[must_use]
    pub fn changed(&self) -> Vec<Change> {
        value::changes(&self.growth)
    }

    /// How many values of the same reply this one has replaced: 0 unless the model wrote a draft first.
    #[must_use]
    pub fn drafts(&self) -> usize {
        self.growth.generation()
    }
}

impl<T: ResponseSchema + ?Sized> Default for Growing<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: ?Sized> Clone for Partial<T> {
    fn clone(&self) -> Self {
        Self { growth: Arc::clone(&self.growth), of: PhantomData }
    }
}

/// The value is not in the `Debug` form.
impl<T: ?Sized> fmt::Debug for Partial<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Partial({} bytes of text)", self.growth.text().len())
    }
}

/// The text is not in the `Debug` form.
impl<T: ?Sized> fmt::Debug for Growing<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Growing({} bytes of text)", self.growth.text().len())
    }
}
