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
//! assert!(snapshot.get("confidence").is_none(), "it may become 95");
//! ```

mod streamed;
mod value;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

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
        Self { growth: Arc::new(Growth::new(T::SCHEMA)), of: PhantomData }
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

impl<T: ResponseSchema + ?Sized> Partial<T> {
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

    /// What is known, as JSON. What has not begun is left out; a text that grows stands there as far as it is known.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        self.value().map_or(serde_json::Value::Null, |value| value.to_json())
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
