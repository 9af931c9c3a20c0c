//! The place of a value inside a reply.

use std::fmt;

/// The place of a value inside a reply, in the names of the wire: `labels[3].name`.
///
/// A path is a chain of steps on the stack; nothing is allocated until it is displayed.
/// The path of the whole reply displays as nothing.
#[derive(Debug, Clone, Copy)]
pub struct Path<'a> {
    parent: Option<&'a Self>,
    step: Step<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> Path<'a> {
    /// The whole reply.
    pub const ROOT: Path<'static> = Path { parent: None, step: Step::Root };

    /// The member `key` of the value here.
    #[must_use]
    pub const fn key(&'a self, key: &'a str) -> Self {
        Self { parent: Some(self), step: Step::Key(key) }
    }

    /// The element `index` of the list here.
    #[must_use]
    pub const fn index(&'a self, index: usize) -> Self {
        Self { parent: Some(self), step: Step::Index(index) }
    }

    fn write(&self, path: &mut String) {
        if let Some(parent) = self.parent {
            parent.write(path);
        }
        match self.step {
            Step::Root => {}
            Step::Index(index) => push_index(path, index),
            Step::Key(key) => push_key(path, key),
        }
    }

    /// Whether this is the whole reply.
    #[must_use]
    pub const fn is_root(&self) -> bool {
        matches!(self.step, Step::Root)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut path = String::new();
        self.write(&mut path);
        f.write_str(&path)
    }
}

/// Longer keys are cut in a path: it is for people and prompts.
const KEEP: usize = 60;

/// Appends the step to a member. For walks that keep their path as text.
pub(crate) fn push_key(path: &mut String, key: &str) {
    use fmt::Write;
    let cut = if key.len() > KEEP { key.char_indices().nth(KEEP) } else { None };
    let _ = match cut {
        Some((end, _)) => write!(path, "[{:?}…]", &key[..end]),
        None if plain(key) => {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(key);
            return;
        }
        None => write!(path, "[{key:?}]"),
    };
}

/// Appends the step to an element.
pub(crate) fn push_index(path: &mut String, index: usize) {
    use fmt::Write;
    let _ = write!(path, "[{index}]");
}

/// Whether a key can stand in a path without quotes.
fn plain(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-' || c == '$')
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn steps_read_like_the_value() {
        let root = Path::ROOT;
        assert_eq!(root.to_string(), "");
        let labels = root.key("labels");
        let third = labels.index(3);
        assert_eq!(third.key("name").to_string(), "labels[3].name");
        assert_eq!(root.index(0).key("a b").to_string(), "[0][\"a b\"]");
    }
}
