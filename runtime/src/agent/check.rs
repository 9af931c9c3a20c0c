//! What can be wrong with a loop before anything is sent.

use super::run::Parts;
use super::watch::Watch;
use crate::adapter::{Capabilities, Need, ResponseFormat, Route, ToolChoice};
use crate::error::ErrorKind;
use crate::tool::Tool;

impl<R: Route, W: Watch> Parts<'_, '_, R, W> {
    /// What is wrong with the loop, if anything is.
    pub(super) fn check(
        &self,
        capabilities: &Capabilities,
        format: Option<&ResponseFormat>,
    ) -> Result<(), (ErrorKind, String)> {
        for (i, tool) in self.tools.iter().enumerate() {
            let name = tool.name();
            let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
                let words =
                    format!("the tool name `{name}` is refused by providers; use up to 64 of `a-z A-Z 0-9 _ -`");
                return Err((ErrorKind::InvalidRequest, words));
            }
            if self.tools[..i].iter().any(|other| other.name() == name) {
                let words = format!("two tools are called `{name}`; rename one with `Tool::named`");
                return Err((ErrorKind::InvalidRequest, words));
            }
        }
        let has = |name: &str| self.tools.iter().any(|tool| tool.name() == name);
        match &self.choice {
            ToolChoice::Named(name) if !has(name) => {
                return Err((
                    ErrorKind::InvalidRequest,
                    format!("the choice is the tool `{name}`, which there is not"),
                ));
            }
            ToolChoice::Required if self.tools.is_empty() => {
                let words = "a tool must be called, and there is none".to_owned();
                return Err((ErrorKind::InvalidRequest, words));
            }
            _ => {}
        }
        let mut need = self.settings.need.clone();
        if self.calls() && !self.tools.is_empty() {
            need = need.and(Need::any().tools());
        }
        if need.demands_strict_tools() {
            for tool in self.tools {
                self.strict(tool, capabilities).map_err(|words| (ErrorKind::NotEnforced, words))?;
            }
        }
        need.refuse(capabilities, format, |format| self.route.guarantee(format))
            .map_err(|words| (ErrorKind::NotEnforced, words))
    }

    /// Whether the route can hold the model to a tool's schema; if not, why.
    fn strict(&self, tool: &Tool<'_>, capabilities: &Capabilities) -> Result<(), String> {
        let why = match self.route.guarantee(&tool.spec().input) {
            Ok(held) if held >= capabilities.schema => return Ok(()),
            Ok(_) => "its schema can only be a hint there".to_owned(),
            Err(refusal) => refusal.to_string(),
        };
        Err(format!(
            "`{}` does not hold the model to the schema of the tool `{}`: {why}",
            capabilities.route,
            tool.name()
        ))
    }
}
