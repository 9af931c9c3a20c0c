//! What a route must be able to do.

use super::{Capabilities, Enforcement, ResponseFormat};
use crate::dialect::Refusal;
use crate::schema::ResponseSchema;

/// The routes that enforce schemas, for those who are told that theirs does not.
const ENFORCING: &str = "`embedded`, `openai-payg`, `codex-oauth`, `anthropic-payg`, `anthropic-oauth`, `gemini`, \
                         `ollama` (local models), `claude-cli`, `codex-cli`";

/// What a route must be able to do: a demand, looked at before anything is sent.
///
/// ```
/// use response_schema::adapter::Need;
///
/// let need = Need::enforced().tools();
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Need {
    schema: Option<Enforcement>,
    tools: Option<Enforcement>,
    together: bool,
    streaming: bool,
    carried: Vec<ResponseFormat>,
}

impl Need {
    /// Nothing in particular.
    pub fn any() -> Self {
        Self::default()
    }

    /// A schema that the model cannot stray from.
    pub fn enforced() -> Self {
        Self { schema: Some(Enforcement::Enforced), ..Self::default() }
    }

    /// A schema that the model is shown, at least.
    pub fn hint() -> Self {
        Self { schema: Some(Enforcement::Hint), ..Self::default() }
    }

    /// And tools.
    pub fn tools(mut self) -> Self {
        self.tools = Some(self.tools.unwrap_or(Enforcement::None));
        self
    }

    /// And tools whose arguments the model writes within their schemas.
    pub fn strict_tools(mut self) -> Self {
        self.tools = Some(Enforcement::Enforced);
        self
    }

    /// And tools and the schema in one request.
    pub fn in_one_request(mut self) -> Self {
        self.together = true;
        self
    }

    /// And replies that come piece by piece.
    pub fn streaming(mut self) -> Self {
        self.streaming = true;
        self
    }

    /// And this type's schema, with the guarantee that is asked for.
    pub fn carrying<T: ResponseSchema>(self) -> Self {
        self.carrying_format(ResponseFormat::of::<T>())
    }

    /// And this schema, with the guarantee that is asked for.
    pub fn carrying_format(mut self, format: ResponseFormat) -> Self {
        self.carried.push(format);
        self
    }

    /// What both ask for.
    pub fn and(mut self, other: Self) -> Self {
        self.schema = self.schema.max(other.schema);
        self.tools = self.tools.max(other.tools);
        self.together |= other.together;
        self.streaming |= other.streaming;
        self.carried.extend(other.carried);
        self
    }

    /// Whether the arguments of tools must be held to their schemas.
    pub(crate) fn demands_strict_tools(&self) -> bool {
        self.tools == Some(Enforcement::Enforced)
    }

    /// The least guarantee for the reply's schema.
    pub(crate) fn schema(&self) -> Option<Enforcement> {
        self.schema
    }

    /// Why a route will not do, each reason for itself; nothing if it will. `asked` is the schema of the
    /// request, if there is one already.
    pub(crate) fn unmet(
        &self,
        route: &Capabilities,
        asked: Option<&ResponseFormat>,
        guarantee: impl Fn(&ResponseFormat) -> Result<Enforcement, Refusal>,
    ) -> Vec<String> {
        let mut reasons = Vec::new();
        let short = self.schema.filter(|&least| route.schema < least);
        if let Some(least) = short {
            reasons.push(falls_short("its guarantee for schemas", route.schema, least));
        }
        match (self.tools, route.tools) {
            (Some(_), None) => reasons.push("it carries no tools".to_owned()),
            (Some(least), Some(held)) if held < least => {
                reasons.push(falls_short("its guarantee for the arguments of tools", held, least));
            }
            _ => {}
        }
        if self.together && !route.tools_with_schema {
            reasons.push("it does not carry tools and a schema in one request".to_owned());
        }
        if self.streaming && !route.streaming {
            reasons.push("its replies do not come piece by piece".to_owned());
        }
        let asked = asked.filter(|_| self.schema.is_some());
        for format in self.carried.iter().chain(asked) {
            let name = format.name();
            match guarantee(format) {
                Err(refusal) => reasons.push(format!("it would refuse the schema `{name}`: {refusal}")),
                Ok(held) => {
                    if let Some(least) = self.schema.filter(|&least| held < least)
                        && short.is_none()
                    {
                        reasons.push(falls_short(&format!("its guarantee for the schema `{name}`"), held, least));
                    }
                }
            }
        }
        reasons
    }

    /// The same in a sentence about one route, with the routes that would do.
    pub(crate) fn refuse(
        &self,
        route: &Capabilities,
        asked: Option<&ResponseFormat>,
        guarantee: impl Fn(&ResponseFormat) -> Result<Enforcement, Refusal>,
    ) -> Result<(), String> {
        let reasons = self.unmet(route, asked, guarantee);
        if reasons.is_empty() {
            return Ok(());
        }
        let mut text = format!("`{}` will not do: {}", route.route, reasons.join("; "));
        if self.schema == Some(Enforcement::Enforced) {
            text.push_str("; routes that enforce schemas: ");
            text.push_str(ENFORCING);
        }
        Err(text)
    }
}

fn falls_short(what: &str, held: Enforcement, least: Enforcement) -> String {
    format!("{what} is `{held}`, and `{least}` is asked for")
}
