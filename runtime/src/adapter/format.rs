//! The schema that a request carries.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::decode::Prepared;
use crate::dialect::{Dialect, Refusal, Spec};
use crate::dynamic::prepare;
use crate::schema::shape::is_plain_object;
use crate::schema::{ResponseSchema, SchemaRef, json_for, name, render_document};

/// The name of a schema that has none.
const UNNAMED: &str = "response";

/// The schema that a request carries, with its name. Cheap to clone.
#[derive(Clone)]
pub struct ResponseFormat(Form);

#[derive(Clone)]
enum Form {
    /// The schema of a Rust type.
    Typed {
        name: &'static str,
        root: SchemaRef,
        /// The text for one dialect, made at compile time.
        ready: Option<Ready>,
    },
    /// A schema that is known at run time only.
    Dynamic { name: Arc<str>, given: Arc<Given> },
}

/// A schema that is known at run time only, and what decoding read of it: once for all replies.
struct Given {
    schema: Value,
    prepared: OnceLock<Prepared<'static>>,
}

#[derive(Clone, Copy)]
struct Ready {
    dialect: &'static str,
    text: &'static str,
}

/// A schema in the form that one dialect takes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct WireSchema {
    /// The JSON text.
    pub json: Cow<'static, str>,
    /// Whether it is all that the dialect's strict mode asks for. Otherwise it can only go out as a
    /// hint.
    pub strict: bool,
}

impl ResponseFormat {
    /// The schema of `T`, for any route; its text is made when a route asks for it.
    #[must_use]
    pub fn of<T: ResponseSchema + ?Sized>() -> Self {
        Self(Form::Typed { name: name::<T>(), root: T::SCHEMA, ready: None })
    }

    /// The schema of `T` with its text for the dialect `D`, a constant of the program.
    #[must_use]
    pub(crate) fn ready<T: ResponseSchema + ?Sized, D: Spec>() -> Self {
        let ready = Some(Ready { dialect: D::DIALECT.name, text: json_for::<T, D>() });
        Self(Form::Typed { name: name::<T>(), root: T::SCHEMA, ready })
    }

    /// A JSON Schema that is known at run time only. Its `title`, made to fit, is its name on the
    /// wire; without one that is `response`.
    #[must_use]
    pub fn from_schema(schema: impl Into<Value>) -> Self {
        let schema = schema.into();
        let name = schema.get("title").and_then(Value::as_str).map_or_else(|| UNNAMED.to_owned(), fit);
        let given = Given { schema, prepared: OnceLock::new() };
        Self(Form::Dynamic { name: name.into(), given: Arc::new(given) })
    }

    /// The schema of a Rust type, if it is one.
    pub(crate) fn root(&self) -> Option<SchemaRef> {
        match &self.0 {
            Form::Typed { root, .. } => Some(*root),
            Form::Dynamic { .. } => None,
        }
    }

    /// The JSON Schema as it was given, if it is known at run time only.
    pub(crate) fn given(&self) -> Option<&Value> {
        match &self.0 {
            Form::Typed { .. } => None,
            Form::Dynamic { given, .. } => Some(&given.schema),
        }
    }

    /// Where decoding keeps what it read of the schema.
    pub(crate) fn prepared(&self) -> Option<&OnceLock<Prepared<'static>>> {
        match &self.0 {
            Form::Typed { .. } => None,
            Form::Dynamic { given, .. } => Some(&given.prepared),
        }
    }

    /// The schema of a type of the crate `schemars`.
    #[cfg(feature = "schemars")]
    #[must_use]
    pub fn from_type<T: schemars::JsonSchema + ?Sized>() -> Self {
        Self::from_schema(schemars::SchemaGenerator::default().into_root_schema_for::<T>())
    }

    /// The schema's name on the wire; it fits `[A-Za-z0-9_-]{1,64}`.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.0 {
            Form::Typed { name, .. } => name,
            Form::Dynamic { name, .. } => name,
        }
    }

    /// The schema as a JSON document, with every rule as a keyword.
    ///
    /// # Errors
    ///
    /// If the type has no schema at all.
    pub(crate) fn document(&self) -> Result<Cow<'_, Value>, String> {
        match &self.0 {
            Form::Typed { root, .. } => {
                let text = render_document(*root, &Dialect::GUIDANCE).map_err(|refusal| refusal.to_string())?;
                serde_json::from_str(&text).map(Cow::Owned).map_err(|error| error.to_string())
            }
            Form::Dynamic { given, .. } => Ok(Cow::Borrowed(&given.schema)),
        }
    }

    /// Whether the schema has `{"value": …}` around what is meant: that of a type that is no plain object.
    pub(crate) fn is_wrapped(&self) -> bool {
        matches!(&self.0, Form::Typed { root, .. } if !is_plain_object(*root))
    }

    /// The schema of a tool's arguments, in the form that a dialect takes or else with every rule as it was given.
    ///
    /// No provider holds a tool to a schema that it does not take as strict, and none refuses one as a hint; arguments
    /// are checked when they come.
    ///
    /// # Errors
    ///
    /// What the dialect refuses, if there is no other way to write it.
    #[cfg(feature = "http")]
    pub(crate) fn wire_or_hint(&self, dialect: &Dialect) -> Result<WireSchema, Refusal> {
        self.wire(dialect).or_else(|refusal| match self.document() {
            Ok(document) => Ok(WireSchema { json: Cow::Owned(document.to_string()), strict: false }),
            Err(_) => Err(refusal),
        })
    }

    /// The schema in the form that a dialect takes.
    ///
    /// # Errors
    ///
    /// What the dialect refuses, and the way out.
    pub fn wire(&self, dialect: &Dialect) -> Result<WireSchema, Refusal> {
        match &self.0 {
            Form::Typed { ready: Some(ready), .. } if ready.dialect == dialect.name => {
                Ok(WireSchema { json: Cow::Borrowed(ready.text), strict: true })
            }
            Form::Typed { root, .. } => {
                render_document(*root, dialect).map(|json| WireSchema { json: Cow::Owned(json), strict: true })
            }
            Form::Dynamic { given, .. } => match prepare(&given.schema, *dialect) {
                Ok(prepared) => {
                    Ok(WireSchema { json: Cow::Owned(prepared.schema.to_string()), strict: prepared.strict })
                }
                Err(departures) => Err(Refusal::new(dialect, departures.to_string())),
            },
        }
    }
}

/// A title as a name: what providers do not take becomes `_`, and a mark of the whole title keeps
/// two titles apart that would become one.
pub(crate) fn fit(title: &str) -> String {
    const MOST: usize = 64;
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !title.is_empty() && title.len() <= MOST && title.chars().all(fits) {
        return title.to_owned();
    }
    // FNV-1a: the same from build to build, and short.
    let mark = title.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let mut name: String =
        title.chars().map(|c| if fits(c) { c } else { '_' }).take(MOST - "_00000000".len()).collect();
    if name.is_empty() {
        name.push_str(UNNAMED);
    }
    format!("{name}_{mark:08x}")
}

impl fmt::Debug for ResponseFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseFormat").field("name", &self.name()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_fit_and_stay_apart() {
        let name = |title: &str| ResponseFormat::from_schema(json!({ "title": title })).name().to_owned();
        assert_eq!(name("Ticket"), "Ticket");
        assert_eq!(ResponseFormat::from_schema(json!({})).name(), "response");
        let long = "x".repeat(65);
        let all = ["My Ticket", "My_Ticket", "My\u{fc}Ticket", "", &long, &format!("{long}y")].map(name);
        for (i, one) in all.iter().enumerate() {
            assert!((1..=64).contains(&one.len()), "{one}");
            assert!(one.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c)), "{one}");
            assert!(!all[..i].contains(one), "{one}");
        }
    }
}
