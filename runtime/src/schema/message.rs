//! Text of a compile error, made in const evaluation.

use super::node::{Arg, Schema};
use super::survey::same_text;
use super::write::Text;

/// The text of a compile error. A piece that does not fit is left out.
#[derive(Clone, Copy)]
pub(crate) struct Message(Text<1024>);

impl Message {
    /// Text to add to.
    pub(crate) const fn new(text: &str) -> Self {
        Self(Text::new()).text(text)
    }

    /// With more text.
    pub(crate) const fn text(mut self, text: &str) -> Self {
        let mut writer = self.0.writer();
        if text.len() <= writer.room() {
            writer.put(text);
        }
        self
    }

    /// With a number.
    pub(crate) const fn number(mut self, value: usize) -> Self {
        let mut writer = self.0.writer();
        if writer.room() >= 20 {
            writer.put_number(value as u128);
        }
        self
    }

    /// With a type as it is written in Rust: `Option<Page<u8>>`.
    pub(crate) const fn name(self, node: &Schema) -> Self {
        let foreign = node.place == 0;
        if foreign && same_text(node.ident, "null") {
            return self.text("()");
        }
        let (open, between, close) =
            if foreign && same_text(node.ident, "Array") { ("[", "; ", "]") } else { ("<", ", ", ">") };
        let mut message = if open.as_bytes()[0] == b'[' { self } else { self.text(node.ident) };
        let mut i = 0;
        while i < node.args.len() {
            message = message.text(if i == 0 { open } else { between });
            message = match node.args[i] {
                Arg::Type(schema) => message.name(schema.get()),
                // Given as `N as u128`, so a negative number fills the upper half.
                Arg::Const(value) if value > u128::MAX / 2 => message.text("-").number(value.wrapping_neg() as usize),
                Arg::Const(value) => message.number(value as usize),
            };
            i += 1;
        }
        if i > 0 { message.text(close) } else { message }
    }

    /// Whether the last byte is this one.
    pub(crate) const fn ends_with(&self, byte: u8) -> bool {
        matches!(self.as_str().as_bytes(), [.., last] if *last == byte)
    }

    /// Without the last byte, if it is this one (of ASCII).
    pub(crate) const fn without_last(self, byte: u8) -> Self {
        if !self.ends_with(byte) || !byte.is_ascii() {
            return self;
        }
        let mut shorter = Text::new();
        shorter.writer().put_inner(self.0.as_str(), 0, 1);
        Self(shorter)
    }

    /// The text.
    pub(crate) const fn as_str(&self) -> &str {
        self.0.as_str()
    }
}
