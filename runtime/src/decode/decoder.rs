//! The decoder: settings, the fast path, and the way to the slow one.

use std::ops::{Deref, Range};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::error::{DecodeError, DecodeErrorKind};
use super::locate;
use super::pick::{Answer, Make, Search};
use super::plan::Plan;
use super::prepared::Prepared;
use super::repair::Repair;
use super::target::Target;
use super::text;
use super::tree::Tree;
use crate::check::{CheckContext, Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::shape::is_plain_object;
use crate::schema::survey::is_stated;

/// Decodes a reply with the default settings: [`Leniency::Repair`], finish reason unknown.
///
/// # Errors
///
/// If the text holds no value of the type, or not only one reading of it; see [`DecodeErrorKind`].
pub fn decode<T: ResponseSchema + DeserializeOwned>(text: &str) -> Result<Decoded<T>, DecodeError> {
    Decoder::new().decode(text)
}

/// How far a decoder goes to find a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Leniency {
    /// The whole text is the value, in JSON.
    Strict,
    /// The value stands somewhere in the text, in JSON.
    Extract,
    /// What has one reading only is repaired, and recorded.
    #[default]
    Repair,
}

/// Why the model stopped writing, as the provider reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Finish {
    /// Not known.
    #[default]
    Unknown,
    /// The model ended its reply.
    Stop,
    /// A token limit ended it. Such a reply never yields a value.
    Length,
    /// A content filter ended it. Such a reply never yields a value.
    Filtered,
}

/// A value, and how it was obtained.
///
/// It stands for the value wherever a reference to it will do.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Decoded<T> {
    /// The value.
    pub value: T,
    /// What was changed to obtain it; empty if the reply's JSON was the type's.
    pub repairs: Vec<Repair>,
    /// Where in the text the value stood.
    pub span: Range<usize>,
}

impl<T> Decoded<T> {
    /// Another value in its place, with the same account of how it was obtained.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Decoded<U> {
        Decoded { value: make(self.value), repairs: self.repairs, span: self.span }
    }
}

impl<T> Deref for Decoded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: PartialEq> PartialEq<T> for Decoded<T> {
    fn eq(&self, other: &T) -> bool {
        self.value == *other
    }
}

/// Decodes replies.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Decoder {
    pub(super) leniency: Leniency,
    pub(super) finish: Finish,
    pub(super) context: CheckContext,
}

impl Decoder {
    /// A decoder with the default settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// How far to go to find a value; by default [`Leniency::Repair`].
    pub fn leniency(mut self, leniency: Leniency) -> Self {
        self.leniency = leniency;
        self
    }

    /// Why the model stopped; by default [`Finish::Unknown`].
    pub fn finish(mut self, finish: Finish) -> Self {
        self.finish = finish;
        self
    }

    /// What the user's own rules may look at beside the value.
    pub fn context(mut self, context: CheckContext) -> Self {
        self.context = context;
        self
    }

    /// Decodes a reply.
    ///
    /// # Errors
    ///
    /// If the text holds no value of the type, or not only one reading of it; see [`DecodeErrorKind`].
    pub fn decode<T: ResponseSchema + DeserializeOwned>(&self, text: &str) -> Result<Decoded<T>, DecodeError> {
        self.may_hold_a_value(text)?;
        match read::<T>(text) {
            // A value with the schema of another type has rules that its own cannot check.
            Ok(value) if const { !is_stated(T::SCHEMA) } => self.checked(value, Vec::new(), 0..text.len()),
            _ => self.search_typed(text),
        }
    }

    /// Decodes a reply that came as bytes.
    ///
    /// Bytes that are not UTF-8 are no obstacle where they stand outside of the value.
    ///
    /// # Errors
    ///
    /// As [`decode`](Self::decode), and [`DecodeErrorKind::NotText`].
    pub fn decode_bytes<T: ResponseSchema + DeserializeOwned>(&self, bytes: &[u8]) -> Result<Decoded<T>, DecodeError> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return self.decode(text);
        }
        let (text, odd) = text::lossy(bytes);
        text::outside(self.decode(&text)?, &odd)
    }

    /// Decodes a reply against a schema that is known at run time: a JSON Schema as a [`Value`], or the
    /// [`ResponseFormat`](crate::adapter::ResponseFormat) of the request.
    ///
    /// The format of a type yields what `serde_json::from_value` takes for the type: without the `{"value": …}`
    /// that stands around a root that is no object. For a type that is at hand, [`decode`](Self::decode) is
    /// faster and knows more: aliases, and rules that a JSON Schema cannot say. A format that was made of a JSON
    /// Schema, and its clones, read that once for all replies; a [`Value`] is read for each.
    ///
    /// The value is held to what strict schemas are made of: types, members, items, choices, unions,
    /// references, bounds, patterns, formats. With the feature `jsonschema` it is held to all that
    /// the schema says.
    ///
    /// # Errors
    ///
    /// If the text holds no value of the schema, or not only one reading of it; see [`DecodeErrorKind`].
    pub fn decode_value<S: Target + ?Sized>(&self, text: &str, schema: &S) -> Result<Decoded<Value>, DecodeError> {
        self.may_hold_a_value(text)?;
        let document = schema.document().map_err(|why| DecodeError::detailed(DecodeErrorKind::Invalid, why))?;
        let read = || Prepared::read(&document, schema.is_wrapped());
        match schema.prepared() {
            Some(kept) => self.search_value(text, kept.get_or_init(|| read().into_owned()), &document),
            None => self.search_value(text, &read(), &document),
        }
    }

    fn search_value(
        &self,
        text: &str,
        schema: &Prepared<'_>,
        #[cfg_attr(not(feature = "jsonschema"), expect(unused_variables))] document: &Value,
    ) -> Result<Decoded<Value>, DecodeError> {
        let make = Make { read: &|json| serde_json::from_str(json), build: &|tree: &Tree<'_>| tree.to_value() };
        let Answer { mut value, repairs, span } = self.search(text, &schema.plan, &make)?;
        #[cfg(feature = "jsonschema")]
        schema.full.check(&value, document)?;
        if schema.plan.wrapped
            && let Some(inner) = value.get_mut("value")
        {
            value = inner.take();
        }
        Ok(Decoded { value, repairs, span })
    }

    /// The slow path of typed decoding.
    #[cold]
    fn search_typed<T: ResponseSchema + DeserializeOwned>(&self, text: &str) -> Result<Decoded<T>, DecodeError> {
        let build = |tree: &Tree<'_>| {
            let mut json = String::new();
            tree.write(&mut json);
            read::<T>(&json).map_err(|error| locate::violation(&json, &error))
        };
        let plan = Plan::of(T::SCHEMA, const { is_stated(T::SCHEMA) });
        let answer = self.search(text, &plan, &Make { read: &read::<T>, build: &build })?;
        self.checked(answer.value, answer.repairs, answer.span)
    }

    fn search<V>(&self, text: &str, plan: &Plan, make: &Make<'_, V>) -> Result<Answer<V>, DecodeError> {
        Search { text, plan, leniency: self.leniency, finish: self.finish, make }.run()
    }

    /// Whether there is any text to look at.
    fn may_hold_a_value(&self, text: &str) -> Result<(), DecodeError> {
        match self.finish {
            Finish::Filtered => Err(DecodeError::new(DecodeErrorKind::Filtered)),
            Finish::Length => Err(DecodeError::new(DecodeErrorKind::CutShort)),
            _ if text.trim().is_empty() => Err(DecodeError::new(DecodeErrorKind::Empty)),
            _ => Ok(()),
        }
    }

    /// The value, if it passes the rules beyond its type.
    pub(super) fn checked<T: ResponseSchema>(
        &self,
        value: T,
        repairs: Vec<Repair>,
        span: Range<usize>,
    ) -> Result<Decoded<T>, DecodeError> {
        let mut found = Violations::with_context(self.context.clone());
        if is_plain_object(T::SCHEMA) {
            value.check(Path::ROOT, &mut found);
        } else {
            value.check(Path::ROOT.key("value"), &mut found);
        }
        if found.is_empty() {
            Ok(Decoded { value, repairs, span })
        } else {
            Err(DecodeError::because(DecodeErrorKind::Invalid, found))
        }
    }
}

/// The `{"value": …}` around a root that is no plain object.
#[derive(Deserialize)]
#[serde(bound = "T: DeserializeOwned")]
struct Wrapped<T> {
    // Named, so that a missing key is an error for an `Option` too.
    #[serde(deserialize_with = "T::deserialize")]
    value: T,
}

/// Reads JSON text of the type, with the `value` wrapper around it where the schema has one.
pub(super) fn read<T: ResponseSchema + DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    // serde's derive takes a list for a struct, field by field. No schema of ours does.
    if !text.trim_ascii_start().starts_with('{') {
        return Err(serde::de::Error::custom("the reply is no JSON object"));
    }
    if const { is_plain_object(T::SCHEMA) } {
        serde_json::from_str(text)
    } else {
        serde_json::from_str::<Wrapped<T>>(text).map(|wrapped| wrapped.value)
    }
}
