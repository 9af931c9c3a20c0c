//! One thing that is wrong with a value, and the list of them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{CheckContext, Path};

/// One thing that is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Violation {
    /// Where, in the names of the wire: `labels[3].name`. Empty for the whole reply.
    pub path: String,
    /// What was expected, in words: `at most 100`. Empty where `found` says it all.
    pub expected: String,
    /// What was found, shortened: `340`.
    pub found: String,
    /// What was perhaps meant: `blocking`. Empty where nothing comes near.
    pub hint: String,
}

impl Violation {
    /// What was expected at `path`, and what was found there.
    #[must_use]
    pub fn new(path: impl fmt::Display, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { path: path.to_string(), expected: expected.into(), found: found.into(), hint: String::new() }
    }

    /// Something is wrong at `path`, in the words of whoever noticed: a parser, a user's rule.
    #[must_use]
    pub fn says(path: impl fmt::Display, words: impl Into<String>) -> Self {
        Self::new(path, "", words)
    }

    /// With what was perhaps meant.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: hint.into(), ..self }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "`{}`: ", self.path)?;
        }
        match (self.expected.as_str(), self.found.as_str()) {
            ("", found) => f.write_str(found)?,
            (expected, "") => write!(f, "expected {expected}")?,
            (expected, found) => write!(f, "expected {expected}, found {found}")?,
        }
        if !self.hint.is_empty() {
            write!(f, "; did you mean {}?", self.hint)?;
        }
        Ok(())
    }
}

/// What is wrong with a value: a list in the order of the value, and how many more there were.
#[derive(Debug, Clone, Default)]
pub struct Violations {
    list: Vec<Violation>,
    more: usize,
    context: CheckContext,
}

impl Violations {
    /// How many are kept; the rest is counted.
    pub const CAP: usize = 32;

    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty list, for a check with this context.
    #[must_use]
    pub fn with_context(context: CheckContext) -> Self {
        Self { context, ..Self::default() }
    }

    /// What a rule may look at beside the value.
    #[must_use]
    pub fn context(&self) -> &CheckContext {
        &self.context
    }

    /// Adds one.
    pub fn add(&mut self, at: Path<'_>, expected: impl Into<String>, found: impl Into<String>) {
        self.push(Violation::new(at, expected, found));
    }

    /// Adds one.
    pub fn push(&mut self, violation: Violation) {
        if self.list.len() < Self::CAP {
            self.list.push(violation);
        } else {
            self.more += 1;
        }
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are, those past the cap included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len() + self.more
    }

    /// Those that were kept.
    pub fn iter(&self) -> std::slice::Iter<'_, Violation> {
        self.list.iter()
    }

    /// Those that were kept.
    #[must_use]
    pub fn as_slice(&self) -> &[Violation] {
        &self.list
    }

    /// Those that were kept.
    #[must_use]
    pub fn into_vec(self) -> Vec<Violation> {
        self.list
    }
}

impl<'a> IntoIterator for &'a Violations {
    type Item = &'a Violation;
    type IntoIter = std::slice::Iter<'a, Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, violation) in self.list.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            violation.fmt(f)?;
        }
        if self.more > 0 {
            write!(f, "\n… and {} more", self.more)?;
        }
        Ok(())
    }
}
