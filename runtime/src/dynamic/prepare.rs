//! What a route sends for a schema that is known at run time only.

use serde_json::Value;

use super::departure::{Departures, Fate, Verdict};
use super::rewrite::{Wanted, rewrite};
use super::{AsSchema, Departure};
use crate::dialect::Dialect;

/// What a route sends for a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prepared {
    /// The schema.
    pub schema: Value,
    /// Whether it goes out as strict. Otherwise it goes out as a hint, as it was given.
    pub strict: bool,
    /// What the dialect thinks of the schema as it was given.
    pub verdict: Verdict,
}

/// What a route sends for a schema.
///
/// A dialect that can also take a schema as a hint gets it as it was given, unless it is strict-compatible: every object
/// closed, every property required, no `oneOf` and no `allOf`; keywords that are not enforced are said in descriptions
/// then. A dialect that takes strict schemas alone gets the schema as [`lower`](super::lower) writes it.
///
/// # Errors
///
/// The departures that stay, if the dialect takes strict schemas alone.
pub fn prepare<S: AsSchema + ?Sized>(schema: &S, dialect: Dialect) -> Result<Prepared, Departures> {
    let given = schema.as_schema();
    let written = rewrite(given, &dialect, Wanted::Both);
    let stays = |departure: &Departure| departure.fate() == Fate::Stays;
    let structural = |departure: &Departure| departure.rule.is_structural();
    let refused = written.found.iter().any(stays);
    if dialect.hints {
        let strict = !refused && !written.found.iter().any(structural);
        let schema = if strict { written.schema() } else { given.clone() };
        return Ok(Prepared { schema, strict, verdict: Verdict::of(written.found) });
    }
    if refused {
        return Err(Departures::new(written.found.into_iter().filter(stays).collect()));
    }
    Ok(Prepared { schema: written.schema(), strict: true, verdict: Verdict::of(written.found) })
}
