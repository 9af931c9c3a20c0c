//! JSON as it is written by those who do not know JSON, each fault with one reading.

use std::fmt::Write;

use serde_json::Value;

use super::Choices;

/// How a document is written.
#[allow(clippy::struct_excessive_bools)] // each is a fault of its own
struct Style {
    single_quotes: bool,
    bare_keys: bool,
    python: bool,
    extra_commas: bool,
    comments: bool,
    odd_spaces: bool,
    raw_controls: bool,
    lines: bool,
    wide_marks: bool,
}

/// The document with faults in its syntax. Its reading does not change.
pub fn faulty(document: &Value, choices: &mut impl Choices) -> String {
    let style = Style {
        single_quotes: choices.once_in(2),
        bare_keys: choices.once_in(2),
        python: choices.once_in(2),
        extra_commas: choices.once_in(2),
        comments: choices.once_in(3),
        odd_spaces: choices.once_in(3),
        raw_controls: choices.once_in(3),
        lines: choices.once_in(2),
        wide_marks: choices.once_in(4),
    };
    let mut out = String::new();
    Writer { style, choices, out: &mut out }.value(document);
    out
}

struct Writer<'w, C> {
    style: Style,
    choices: &'w mut C,
    out: &'w mut String,
}

impl<C: Choices> Writer<'_, C> {
    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.out.push_str(if self.style.python { "None" } else { "null" }),
            Value::Bool(true) => self.out.push_str(if self.style.python { "True" } else { "true" }),
            Value::Bool(false) => self.out.push_str(if self.style.python { "False" } else { "false" }),
            Value::Number(number) => self.out.push_str(&number.to_string()),
            Value::String(text) => self.text(text, self.style.raw_controls),
            Value::Array(items) => self.container('[', ']', items, Self::value),
            Value::Object(members) => {
                let members: Vec<_> = members.iter().collect();
                self.container('{', '}', &members, |this, (key, value)| {
                    let bare = key.starts_with(|c: char| c.is_ascii_alphabetic())
                        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                    if this.style.bare_keys && bare {
                        this.out.push_str(key);
                    } else {
                        this.text(key, false);
                    }
                    this.space();
                    this.out.push(if this.style.wide_marks { '：' } else { ':' });
                    this.space();
                    this.value(value);
                });
            }
        }
    }

    fn container<T>(&mut self, open: char, close: char, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.out.push(open);
        for (at, item) in items.iter().enumerate() {
            self.space();
            write(self, item);
            self.space();
            if at + 1 < items.len() || self.style.extra_commas {
                self.out.push(if self.style.wide_marks { '，' } else { ',' });
            }
        }
        self.space();
        self.out.push(close);
    }

    fn text(&mut self, text: &str, raw_controls: bool) {
        let quote = if self.style.single_quotes { '\'' } else { '"' };
        self.out.push(quote);
        for c in text.chars() {
            match c {
                '\\' => self.out.push_str("\\\\"),
                '\n' | '\t' if raw_controls => self.out.push(c),
                '\n' => self.out.push_str("\\n"),
                c if c == quote => self.out.extend(['\\', c]),
                c if c < ' ' => {
                    let _ = write!(self.out, "\\u{:04x}", u32::from(c));
                }
                c => self.out.push(c),
            }
        }
        self.out.push(quote);
    }

    fn space(&mut self) {
        if self.style.lines {
            self.out.push('\n');
        }
        if self.style.comments && self.choices.once_in(4) {
            self.out.push_str(self.choices.pick::<&str>(&["/* a, {b} */", "// it's \"so\"\n", "# [1]\n"]));
        }
        if self.style.odd_spaces {
            self.out.push_str(self.choices.pick::<&str>(&[" ", "\u{a0}", "\u{3000}", "\u{200b}", "\t"]));
        }
    }
}
