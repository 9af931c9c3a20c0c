//! Where a walk stands inside a value, cheap to keep and put into words only when asked.

use std::fmt;

use crate::check::{push_index, push_key};

/// The steps from the root to where a walk stands.
#[derive(Debug, Default, Clone)]
pub(super) struct Trail {
    /// The keys on the way, one after another.
    keys: String,
    steps: Vec<Step>,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    /// A key, by where it begins in `keys`; it ends where the next begins.
    Key(usize),
    Index(usize),
}

impl Trail {
    pub(super) fn enter_key(&mut self, key: &str) {
        self.steps.push(Step::Key(self.keys.len()));
        self.keys.push_str(key);
    }

    pub(super) fn enter_index(&mut self, index: usize) {
        self.steps.push(Step::Index(index));
    }

    pub(super) fn leave(&mut self) {
        if let Some(Step::Key(start)) = self.steps.pop() {
            self.keys.truncate(start);
        }
    }

    /// The path of a value within the one here, from the root.
    pub(super) fn below(&self, path: &str) -> String {
        let dot = if self.is_root() || path.is_empty() || path.starts_with('[') { "" } else { "." };
        format!("{self}{dot}{path}")
    }

    pub(super) fn is_root(&self) -> bool {
        self.steps.is_empty()
    }
}

impl fmt::Display for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut path = String::new();
        let starts = self.steps.iter().filter_map(|step| match step {
            Step::Key(start) => Some(*start),
            Step::Index(_) => None,
        });
        let mut ends = starts.skip(1).chain([self.keys.len()]);
        for step in &self.steps {
            match step {
                Step::Key(start) => push_key(&mut path, &self.keys[*start..ends.next().unwrap_or(self.keys.len())]),
                Step::Index(index) => push_index(&mut path, *index),
            }
        }
        f.write_str(&path)
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
        assert_eq!(trail.to_string(), "labels[3][\"\"].name");
        trail.leave();
        trail.leave();
        trail.enter_key("other");
        assert_eq!(trail.to_string(), "labels[3].other");
    }
}
