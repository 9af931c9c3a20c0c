//! Text of a compile error, made in const evaluation.

use super::name::write_name;
use super::node::Schema;
use super::write::Writer;

/// The text of a compile error. What does not fit is cut.
#[derive(Clone, Copy)]
pub(crate) struct Message {
    bytes: [u8; Self::ROOM],
    len: usize,
}

impl Message {
    const ROOM: usize = 1024;

    /// Text to add to.
    pub(crate) const fn new(text: &str) -> Self {
        Self { bytes: [0; Self::ROOM], len: 0 }.text(text)
    }

    /// With more text.
    pub(crate) const fn text(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        let (_, room) = self.bytes.split_at_mut(self.len);
        if bytes.len() <= room.len() {
            Writer::filling(room).put(text);
            self.len += bytes.len();
        }
        self
    }

    /// With a number.
    pub(crate) const fn number(self, value: usize) -> Self {
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let this = if value >= 10 { self.number(value / 10) } else { self };
        this.text(DIGITS[value % 10])
    }

    /// With a type's name.
    pub(crate) const fn name(mut self, node: &Schema) -> Self {
        let mut count = Writer::counting();
        write_name(node, &mut count);
        let (_, room) = self.bytes.split_at_mut(self.len);
        if count.len() <= room.len() {
            write_name(node, &mut Writer::filling(room));
            self.len += count.len();
        }
        self
    }

    /// The text.
    pub(crate) const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "no strict schema",
        }
    }
}
