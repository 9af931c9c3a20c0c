//! Where a value begins in a text that is still growing.
//!
//! The rules are those of decoding's scanner: reasoning is skipped, and so is prose.

use super::super::scan::reasoning;

/// How far the search has come.
#[derive(Debug, Clone)]
pub(super) struct Prefix {
    at: usize,
    /// What ends the reasoning that the search is in.
    reasoning: Option<reasoning::End>,
}

impl Prefix {
    pub(super) fn at(at: usize) -> Self {
        Self { at, reasoning: None }
    }

    /// The next bracket outside of reasoning; `None` if more text is needed to tell.
    pub(super) fn find(&mut self, text: &str) -> Option<usize> {
        loop {
            if let Some(end) = &self.reasoning {
                let (behind, over) = end.find(text, self.at);
                self.at = behind;
                if !over {
                    return None;
                }
                self.reasoning = None;
            }
            let mark = self.at
                + text.as_bytes()[self.at..]
                    .iter()
                    .position(|byte| matches!(byte, b'{' | b'[' | b'<'))
                    .unwrap_or(text.len() - self.at);
            self.at = mark;
            let rest = &text[mark..];
            match reasoning::opening(rest) {
                _ if rest.is_empty() => return None,
                reasoning::Opening::Unknown => return None,
                reasoning::Opening::Reasoning { length, end } => {
                    self.at = mark + length;
                    self.reasoning = Some(end);
                }
                reasoning::Opening::None if rest.starts_with('<') => self.at = mark + 1,
                reasoning::Opening::None => return Some(mark),
            }
        }
    }
}
