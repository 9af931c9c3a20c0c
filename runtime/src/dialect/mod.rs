//! What a provider accepts, as data.
//!
//! A [`Dialect`] says for each keyword whether the provider enforces it, which formats it knows
//! and what its limits are. The walks of the schema read it; no provider has code of its own.

mod guidance;
mod openai;

use std::fmt;

use crate::schema::limits;
use crate::schema::{ResponseSchema, SchemaRef};

pub use guidance::Guidance;
pub use openai::OpenAi;

/// What one provider accepts.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Dialect {
    /// The provider's name, for messages.
    pub name: &'static str,
    /// What becomes of each keyword.
    pub keywords: Keywords,
    /// The values of `format` that are enforced.
    pub formats: &'static [&'static str],
    /// How large a schema may be.
    pub limits: Limits,
}

/// What becomes of each keyword that a rule may use.
#[derive(Debug, Clone, Copy)]
pub struct Keywords {
    /// `minimum` and `maximum`.
    pub bounds: Support,
    /// `exclusiveMinimum` and `exclusiveMaximum`.
    pub exclusive_bounds: Support,
    /// `multipleOf`.
    pub multiple_of: Support,
    /// `minLength` and `maxLength`.
    pub lengths: Support,
    /// `pattern`.
    pub pattern: Support,
    /// `minItems` and `maxItems`.
    pub items: Support,
}

/// What becomes of a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// It stands in the schema.
    Sent,
    /// The provider refuses or ignores it: it becomes a sentence of the description, and is
    /// checked after parsing.
    Described,
}

impl Support {
    pub(crate) const fn sent(self) -> bool {
        matches!(self, Self::Sent)
    }
}

/// How large a schema may be. `usize::MAX` stands for no limit.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Object properties in the whole schema.
    pub properties: usize,
    /// Objects on a path, the root included.
    pub depth: usize,
    /// Enum values in the whole schema.
    pub enum_values: usize,
    /// Bytes of property names, definition names and enum values together.
    pub names: usize,
    /// Values in one string enum from which on [`enum_text`](Self::enum_text) holds.
    pub large_enum: usize,
    /// Bytes of the values of one string enum with more than [`large_enum`](Self::large_enum) values.
    pub enum_text: usize,
}

/// A dialect as a type, so that the compiler can check a schema against it.
pub trait Spec: sealed::Sealed + Send + Sync + 'static {
    /// What the provider accepts.
    const DIALECT: Dialect;

    /// Whether the provider accepts the schema of `T`; the same check as [`verify`], at run time.
    ///
    /// # Errors
    ///
    /// What it would refuse, and the way out.
    fn accepts<T: ResponseSchema + ?Sized>() -> Result<(), Refusal>
    where
        Self: Sized,
    {
        Self::DIALECT.accepts(T::SCHEMA)
    }
}

impl Dialect {
    /// Whether the provider accepts a schema.
    ///
    /// # Errors
    ///
    /// What it would refuse, and the way out.
    pub fn accepts(&self, schema: SchemaRef) -> Result<(), Refusal> {
        limits::problem_on_heap(schema, self)
            .map_or(Ok(()), |problem| Err(Refusal { dialect: self.name, text: problem.as_str().to_owned() }))
    }
}

/// Compiles if the dialect `D` accepts the schema of `T`, and else says why not, on the line that
/// asks. It is for constants; at run time ask [`Spec::accepts`].
///
/// # Panics
///
/// In const evaluation, with the text of the refusal, if the dialect refuses the schema.
///
/// ```
/// # use response_schema::dialect;
/// const _: () = response_schema::verify::<Vec<bool>, dialect::OpenAi>();
/// ```
#[track_caller]
pub const fn verify<T: ResponseSchema + ?Sized, D: Spec>() {
    if let Some(problem) = limits::problem(T::SCHEMA, &D::DIALECT) {
        panic!("{}", problem.as_str());
    }
}

/// Why a provider would refuse a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    dialect: &'static str,
    text: String,
}

impl Refusal {
    /// The provider that would refuse.
    #[must_use]
    pub fn dialect(&self) -> &'static str {
        self.dialect
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Refusal {}

mod sealed {
    pub trait Sealed {}
}

/// What every dialect's marker has of its own, so that no trait need be in scope.
macro_rules! markers {
    ($($marker:ident),* $(,)?) => {$(
        impl sealed::Sealed for $marker {}

        impl $marker {
            /// Whether the provider accepts the schema of `T`; the same check as [`verify`], at run time.
            ///
            /// ```
            /// use response_schema::dialect;
            #[doc = concat!("assert!(dialect::", stringify!($marker), "::accepts::<Vec<bool>>().is_ok());")]
            /// ```
            ///
            /// # Errors
            ///
            /// What it would refuse, and the way out.
            pub fn accepts<T: ResponseSchema + ?Sized>() -> Result<(), Refusal> {
                <Self as Spec>::accepts::<T>()
            }
        }
    )*};
}

markers!(Guidance, OpenAi);
