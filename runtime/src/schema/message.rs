//! Text of a compile error, made in const evaluation.

use super::name::{name_len, write_name};
use super::node::Schema;
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

    /// With a type's name.
    pub(crate) const fn name(mut self, node: &Schema) -> Self {
        let mut writer = self.0.writer();
        if name_len(node) <= writer.room() {
            write_name(node, &mut writer);
        }
        self
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
