//! The routes that the example programs can take.
//!
//! A table: a route is one line, behind the feature that brings it.

use std::fmt::Write;

use response_schema::adapter::DynAdapter;
use response_schema::testing::Offline;

/// A route that a program can take.
#[derive(Debug)]
pub struct Entry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a line.
    pub what: &'static str,
    open: fn() -> Result<DynAdapter, String>,
}

/// The routes; the first is the default.
pub const ROUTES: &[Entry] = &[
    #[cfg(feature = "embedded")]
    Entry { name: "embedded", what: "a small model in this process, fetched once; no key, no server", open: embedded },
    Entry { name: "offline", what: "no model: random replies that satisfy the schema", open: offline },
];

/// Opens a route.
///
/// # Errors
///
/// If there is no route of this name, with the names that there are, or if it cannot be opened.
pub fn open(name: &str) -> Result<DynAdapter, String> {
    let entry = ROUTES.iter().find(|entry| entry.name == name).ok_or_else(|| unknown(name))?;
    (entry.open)().map_err(|why| format!("the route `{name}` cannot be taken: {why}"))
}

fn unknown(name: &str) -> String {
    let mut text = format!("there is no route `{name}`; there are");
    for Entry { name, what, .. } in ROUTES {
        let _ = write!(text, "\n  {name:12} {what}");
    }
    text
}

#[cfg(feature = "embedded")]
fn embedded() -> Result<DynAdapter, String> {
    response_schema::adapter::Embedded::smollm2().map(DynAdapter::new).map_err(|error| error.to_string())
}

#[allow(clippy::unnecessary_wraps)] // like the others
fn offline() -> Result<DynAdapter, String> {
    Ok(DynAdapter::new(Offline::seeded(7)))
}
