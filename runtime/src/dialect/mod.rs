//! What a provider accepts, as data.
//!
//! A [`Dialect`] says for each keyword whether the provider enforces it, which formats it knows
//! and what its limits are. The walks of the schema read it; no provider has code of its own.

mod openai;

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
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::OpenAi {}
}
