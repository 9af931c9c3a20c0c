//! Why no value came out.

use std::fmt;

use crate::check::{Violation, Violations};

/// Why no value came out of a reply.
///
/// Neither `Display` nor `Debug` hold the reply itself; violations quote what was found,
/// shortened.
pub struct DecodeError(Box<Repr>);

struct Repr {
    kind: DecodeErrorKind,
    detail: String,
    violations: Violations,
}

/// What kind of fault a reply had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// There was no text.
    Empty,
    /// There was text, and no JSON in it.
    NoJson,
    /// All there was, was reasoning.
    ReasoningOnly,
    /// The reply ends inside its value, or the provider says that it was cut.
    CutShort,
    /// The provider withheld the reply, or parts of it.
    Filtered,
    /// The reply's JSON has faults that leave no reading, or are not to be repaired.
    Malformed,
    /// More than one reading is possible.
    Ambiguous,
    /// The JSON is not what the schema asks for, or breaks a rule.
    Invalid,
    /// The bytes are no text.
    NotText,
}

impl DecodeErrorKind {
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Empty => "the reply is empty",
            Self::NoJson => "the reply holds no JSON",
            Self::ReasoningOnly => "the reply holds reasoning, and no answer after it",
            Self::CutShort => "the reply was cut short",
            Self::Filtered => "the reply was withheld by a content filter",
            Self::Malformed => "the reply's JSON is malformed",
            Self::Ambiguous => "the reply has more than one reading",
            Self::Invalid => "the reply does not fit the schema",
            Self::NotText => "the reply is not valid UTF-8",
        }
    }
}

impl DecodeError {
    pub(crate) fn new(kind: DecodeErrorKind) -> Self {
        Self(Box::new(Repr { kind, detail: String::new(), violations: Violations::new() }))
    }

    pub(crate) fn detailed(kind: DecodeErrorKind, detail: impl Into<String>) -> Self {
        Self(Box::new(Repr { kind, detail: detail.into(), violations: Violations::new() }))
    }

    pub(crate) fn because(kind: DecodeErrorKind, violations: Violations) -> Self {
        Self(Box::new(Repr { kind, detail: String::new(), violations }))
    }

    /// What kind of fault it was.
    #[must_use]
    pub fn kind(&self) -> DecodeErrorKind {
        self.0.kind
    }

    /// What is to be said beside the kind and the violations; often nothing.
    pub(crate) fn detail(&self) -> &str {
        &self.0.detail
    }

    /// What was wrong and where, in the order of the reply; empty if there was nothing to look at.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        self.0.violations.as_slice()
    }

    /// How many violations there were, those included that [`violations`](Self::violations) leaves out.
    #[must_use]
    pub fn violation_count(&self) -> usize {
        self.0.violations.len()
    }

    /// Whether the reply was cut short, so that more room might help.
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        self.0.kind == DecodeErrorKind::CutShort
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Repr { kind, detail, violations } = &*self.0;
        f.write_str(kind.words())?;
        if !detail.is_empty() {
            write!(f, ": {detail}")?;
        }
        match violations.as_slice() {
            [] => Ok(()),
            [one] if violations.len() == 1 => write!(f, ": {one}"),
            _ => write!(f, ":\n{violations}"),
        }
    }
}

impl fmt::Debug for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Repr { kind, detail, violations } = &*self.0;
        f.debug_struct("DecodeError")
            .field("kind", kind)
            .field("detail", detail)
            .field("violations", &violations.as_slice())
            .finish()
    }
}

impl std::error::Error for DecodeError {}
