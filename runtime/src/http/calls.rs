//! The calls of a conversation as one provider takes them.
//!
//! A conversation may have been held with several providers, and each has rules of its own for the marks of calls: letters
//! and digits alone at Anthropic, at most 40 characters at `OpenAI`'s chat completions, exactly nine at Mistral, and no mark
//! twice. A mark that breaks the rule is written anew, at the call and at its result. The new ones are nine letters and digits,
//! which all of them take, and the same from request to request, for the provider's cache.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::adapter::{ToolCall, ToolResult, fit};

/// The calls of a conversation, turn by turn.
pub(crate) struct Calls<'a> {
    /// The provider's rule.
    fits: fn(&str) -> bool,
    used: HashSet<Cow<'a, str>>,
    /// Calls of the last turn that have no result yet: as the conversation marks them, and as the wire does.
    open: Vec<(&'a str, Cow<'a, str>)>,
    count: usize,
}

impl<'a> Calls<'a> {
    /// For a provider with this rule.
    pub(crate) fn new(fits: fn(&str) -> bool) -> Self {
        Self { fits, used: HashSet::new(), open: Vec::new(), count: 0 }
    }

    /// The marks of a turn's calls.
    pub(crate) fn marks(&mut self, calls: &'a [ToolCall]) -> Vec<Cow<'a, str>> {
        let marks: Vec<_> = calls.iter().map(|call| self.mark(&call.id)).collect();
        self.open = calls.iter().map(|call| &*call.id).zip(marks.iter().cloned()).collect();
        marks
    }

    /// A turn that goes out in the provider's own form, its marks with it.
    pub(crate) fn own(&mut self, calls: &'a [ToolCall]) {
        self.count += calls.len();
        self.used.extend(calls.iter().map(|call| Cow::Borrowed(&*call.id)));
        self.open = calls.iter().map(|call| (&*call.id, Cow::Borrowed(&*call.id))).collect();
    }

    /// The mark of the call that a result answers.
    pub(crate) fn answered(&mut self, result: &'a ToolResult) -> Cow<'a, str> {
        match self.open.iter().position(|(id, _)| *id == result.call_id) {
            Some(place) => self.open.remove(place).1,
            // It answers nothing, and the provider says so.
            None => Cow::Borrowed(&result.call_id),
        }
    }

    fn mark(&mut self, id: &'a str) -> Cow<'a, str> {
        self.count += 1;
        let mut mark = Cow::Borrowed(id);
        while !(self.fits)(&mark) || !self.used.insert(mark.clone()) {
            mark = Cow::Owned(format!("call{:05}", self.count));
            if self.used.contains(&mark) {
                self.count += 1;
            }
        }
        mark
    }
}

/// A tool's name as providers take it. A model may call a tool that there is not, by any name.
pub(crate) fn name(name: &str) -> Cow<'_, str> {
    let fitted = fit(name);
    if fitted == name { Cow::Borrowed(name) } else { Cow::Owned(fitted) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_fit_differ_and_stay_with_their_results() {
        let call = |id: &str| ToolCall::new(id, "f", "{}");
        let turns = [vec![call("a"), call("b:1"), call("a")], vec![call("a"), call("call00002"), call("")]];
        let results: Vec<Vec<_>> =
            turns.iter().map(|turn| turn.iter().map(|call| ToolResult::new(call, "x")).collect()).collect();
        let mut calls = Calls::new(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        let mut all = Vec::new();
        for (turn, results) in turns.iter().zip(&results) {
            let marks = calls.marks(turn);
            let answered: Vec<_> = results.iter().map(|result| calls.answered(result)).collect();
            assert_eq!(answered, marks);
            all.extend(marks);
        }
        assert_eq!(all, ["a", "call00002", "call00003", "call00004", "call00005", "call00006"]);
        assert_eq!(name("look.up naïvely").len(), "look_up_na_vely_00000000".len());
        assert_eq!(name("look-up"), "look-up");
    }
}
