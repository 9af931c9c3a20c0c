//! Types that are compiled in, for `--type`.

use response_schema::ResponseSchema;
use response_schema::adapter::ResponseFormat;
use response_schema::dialect::Dialect;
use serde::Deserialize;
use serde_json::Value;

/// A support ticket.
#[derive(Deserialize, ResponseSchema)]
#[allow(dead_code)] // its schema is what counts
struct Ticket {
    /// One sentence.
    #[response(max_length = 160)]
    summary: String,
    severity: Severity,
    #[response(min = 0, max = 100)]
    confidence: u8,
    labels: Vec<String>,
    build: Option<String>,
}

#[derive(Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code)] // its schema is what counts
enum Severity {
    Low,
    High,
}

/// An outline: it contains itself, which not everybody takes.
#[derive(Deserialize, ResponseSchema)]
#[allow(dead_code)] // its schema is what counts
struct Outline {
    heading: String,
    below: Vec<Outline>,
}

/// A type by its name.
pub(crate) struct Typed {
    name: &'static str,
    format: fn() -> ResponseFormat,
}

const ALL: &[Typed] = &[
    Typed { name: "Ticket", format: ResponseFormat::of::<Ticket> },
    Typed { name: "Outline", format: ResponseFormat::of::<Outline> },
];

pub(crate) fn named(name: &str) -> Result<&'static Typed, String> {
    ALL.iter()
        .find(|typed| typed.name == name)
        .ok_or_else(|| format!("there is no type `{name}`; there are {}", names()))
}

pub(crate) fn names() -> String {
    ALL.iter().map(|typed| typed.name).collect::<Vec<_>>().join(", ")
}

impl Typed {
    /// The schema for a provider, or why it refuses the type.
    pub(crate) fn schema(&self, dialect: &Dialect) -> Result<Value, String> {
        let wire = (self.format)().wire(dialect).map_err(|refusal| refusal.to_string())?;
        serde_json::from_str(&wire.json).map_err(|error| error.to_string())
    }
}
