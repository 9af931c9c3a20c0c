//! What is read of a dynamic schema: once for a reply, or once for all of a format's.

use serde_json::Value;

#[cfg(feature = "jsonschema")]
use super::full::Full;
use super::plan::Plan;

/// A dynamic schema, ready for replies.
#[derive(Debug)]
pub struct Prepared<'s> {
    /// What guides the search and the repairs.
    pub(super) plan: Plan<'s>,
    /// What holds values to all that the schema says.
    #[cfg(feature = "jsonschema")]
    pub(super) full: Full,
}

impl<'s> Prepared<'s> {
    pub(super) fn read(schema: &'s Value, wrapped: bool) -> Self {
        Self {
            plan: Plan::read(schema).wrapped(wrapped),
            #[cfg(feature = "jsonschema")]
            full: Full::default(),
        }
    }

    /// The same with texts of its own, to be kept.
    pub(super) fn into_owned(self) -> Prepared<'static> {
        Prepared {
            plan: self.plan.into_owned(),
            #[cfg(feature = "jsonschema")]
            full: self.full,
        }
    }
}
