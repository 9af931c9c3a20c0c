//! Real replies on disk, for tests that need no network.
//!
//! A [`Recording`] wraps a route and writes each exchange into a file, the cassette; a [`Replay`]
//! answers from it. The file is JSON for people to read and for diffs: no times, no marks that change from
//! run to run, exchanges in the order of their requests' text, and secrets replaced.

mod record;
mod replay;
mod scrub;
pub(crate) mod wire;

use std::fmt::Display;
use std::io::{Error, ErrorKind, Result};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::adapter::Enforcement;

pub use record::Recording;
pub use replay::Replay;

const VERSION: u32 = 1;

/// The file.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Cassette {
    version: u32,
    /// The route that was recorded.
    route: String,
    /// The dialect in which schemas stand in it.
    dialect: String,
    schema: Enforcement,
    tools: Option<Enforcement>,
    tools_with_schema: bool,
    exchanges: Vec<Exchange>,
}

/// One request, and what came back.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Exchange {
    request: Value,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Response(Value),
    Error(Value),
}

impl Cassette {
    fn load(path: &Path) -> Result<Self> {
        let named = |kind, words: &dyn Display| Error::new(kind, format!("cassette `{}`: {words}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| named(error.kind(), &error))?;
        let cassette: Self = serde_json::from_str(&text).map_err(|error| named(ErrorKind::InvalidData, &error))?;
        if cassette.version != VERSION {
            let words = format!("version {} of the format, and {VERSION} is known; record it again", cassette.version);
            return Err(named(ErrorKind::InvalidData, &words));
        }
        Ok(cassette)
    }

    /// Writes the file, whole or not at all.
    fn save(&self, path: &Path) -> Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        if let Some(directory) = path.parent() {
            std::fs::create_dir_all(directory)?;
        }
        let mut half = path.as_os_str().to_owned();
        half.push(".half");
        std::fs::write(&half, text)?;
        std::fs::rename(&half, path)
    }

    /// Puts an exchange behind those whose requests' text comes before or is the same.
    fn add(&mut self, exchange: Exchange) {
        let key = exchange.request.to_string();
        let at = self.exchanges.partition_point(|known| known.request.to_string().cmp(&key).is_le());
        self.exchanges.insert(at, exchange);
    }
}
