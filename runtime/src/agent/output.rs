//! What a loop's answers are: text, values of a type, or values of a dynamic schema.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use crate::adapter::{ResponseFormat, Route};
use crate::dialect::Refusal;
use crate::partial::Growing;
use crate::schema::ResponseSchema;
use crate::worker::{Dynamic, Read, Text, Typed, Verification, schema_of};

/// What a loop's answers are.
pub trait Output: sealed::Sealed + Send + Sync {
    /// An answer.
    type Value: Send;

    /// The schema that goes with every call, if there is one.
    #[doc(hidden)]
    fn format<R: Route>(&self) -> Option<ResponseFormat>;

    #[doc(hidden)]
    fn reader(&self, verification: Verification) -> Result<impl sealed::Reader<Self::Value> + '_, Refusal>;

    /// An answer before its first piece; `None` where it is text.
    #[doc(hidden)]
    fn growing(&self) -> Option<Growing<Self::Value>>;
}

/// Answers are text.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Words;

/// Answers are values of a type.
#[derive(Debug)]
pub struct Of<T>(PhantomData<fn() -> T>);

/// Answers are values of a schema that is known at run time only.
#[derive(Debug, Clone)]
pub struct Formatted(pub(super) ResponseFormat);

impl<T> Of<T> {
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl Output for Words {
    type Value = String;

    fn format<R: Route>(&self) -> Option<ResponseFormat> {
        None
    }

    fn reader(&self, _: Verification) -> Result<impl sealed::Reader<String> + '_, Refusal> {
        Ok(Text(None))
    }

    fn growing(&self) -> Option<Growing<String>> {
        None
    }
}

impl<T: ResponseSchema + DeserializeOwned + Send> Output for Of<T> {
    type Value = T;

    fn format<R: Route>(&self) -> Option<ResponseFormat> {
        Some(R::format::<T>())
    }

    fn reader(&self, _: Verification) -> Result<impl sealed::Reader<T> + '_, Refusal> {
        Ok(Typed::<T>::new())
    }

    fn growing(&self) -> Option<Growing<T>> {
        Some(Growing::new())
    }
}

impl Output for Formatted {
    type Value = serde_json::Value;

    fn format<R: Route>(&self) -> Option<ResponseFormat> {
        Some(self.0.clone())
    }

    fn reader(&self, verification: Verification) -> Result<impl sealed::Reader<serde_json::Value> + '_, Refusal> {
        Dynamic::new(&self.0, verification)
    }

    fn growing(&self) -> Option<Growing<serde_json::Value>> {
        // A schema that cannot be read ends the run before it is sent.
        schema_of(&self.0).ok().map(|schema| Growing::against(&schema))
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Words {}
    impl<T> Sealed for super::Of<T> {}
    impl Sealed for super::Formatted {}

    /// A reader of these values.
    pub trait Reader<V>: super::Read<Value = V> {}
    impl<V, R: super::Read<Value = V>> Reader<V> for R {}
}
