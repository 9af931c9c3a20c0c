//! Where a walk stands inside a value, cheap to keep and put into words only when asked.

use std::borrow::Cow;

use crate::check::{Violation, push_index, push_key};

/// The steps from the root to where a walk stands.
#[derive(Debug, Default, Clone)]
pub(super) struct Trail<'k> {
    steps: Vec<Step<'k>>,
}

#[derive(Debug, Clone)]
enum Step<'k> {
    Key(Cow<'k, str>),
    Index(usize),
}

impl<'k> Trail<'k> {
    #[inline]
    pub(super) fn enter_key(&mut self, key: impl Into<Cow<'k, str>>) {
        self.steps.push(Step::Key(key.into()));
    }

    #[inline]
    pub(super) fn enter_index(&mut self, index: usize) {
        self.steps.push(Step::Index(index));
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        self.steps.pop();
    }

    /// The path of a value within the one here, from the root.
    pub(super) fn below(&self, path: &str) -> String {
        let mut whole = self.words();
        if !self.is_root() && !path.is_empty() && !path.starts_with('[') {
            whole.push('.');
        }
        whole.push_str(path);
        whole
    }

    pub(super) fn is_root(&self) -> bool {
        self.steps.is_empty()
    }

    /// The path in words.
    pub(super) fn words(&self) -> String {
        let mut path = String::new();
        for step in &self.steps {
            match step {
                Step::Key(key) => push_key(&mut path, key),
                Step::Index(index) => push_index(&mut path, *index),
            }
        }
        path
    }

    /// Something that is wrong here.
    pub(super) fn violation(&self, expected: impl Into<String>, found: impl Into<String>) -> Violation {
        Violation { path: self.words(), expected: expected.into(), found: found.into(), hint: String::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::Trail;

    #[test]
    fn puts_steps_into_words() {
        let mut trail = Trail::default();
        assert!(trail.is_root());
        trail.enter_key("labels");
        trail.enter_index(3);
        trail.enter_key("");
        trail.enter_key("name");
        assert_eq!(trail.words(), "labels[3][\"\"].name");
        trail.leave();
        trail.leave();
        trail.enter_key("other");
        assert_eq!(trail.words(), "labels[3].other");
    }
}
