//! Names of types on the wire: readable, and within the rule that every provider accepts.

use super::edge::SchemaRef;
use super::node::{Arg, Schema};
use super::survey::identity;
use super::write::Writer;

/// The longest name that providers accept.
pub(crate) const LONGEST: usize = 64;

/// Puts a type's full name: `Page_of_Ticket`.
pub(crate) const fn write_name(node: &Schema, out: &mut Writer<'_>) {
    out.put(node.name);
    let mut i = 0;
    while i < node.args.len() {
        out.put(if i == 0 { "_of_" } else { "_and_" });
        match node.args[i] {
            Arg::Type(schema) => write_name(schema.get(), out),
            Arg::Const(value) => out.put_number(value),
        }
        i += 1;
    }
}

/// A name of at most [`LONGEST`] bytes.
#[derive(Clone, Copy)]
pub(crate) struct Name {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Name {
    /// The name of the type behind `schema`. A longer one is cut, with a number in place of the
    /// rest that tells it from others with the same beginning.
    pub(crate) const fn of(schema: SchemaRef) -> Self {
        const HASH: usize = 17;
        let node = schema.get();
        let mut count = Writer::counting();
        write_name(node, &mut count);
        let mut bytes = [0; LONGEST];
        if count.len() <= LONGEST {
            write_name(node, &mut Writer::filling(&mut bytes));
            return Self { bytes, len: count.len() };
        }
        let mut whole = [0; 4096];
        if count.len() <= whole.len() {
            write_name(node, &mut Writer::filling(&mut whole));
        } else {
            Writer::filling(&mut whole).put(node.name);
        }
        let mut i = 0;
        while i < LONGEST - HASH {
            bytes[i] = whole[i];
            i += 1;
        }
        bytes[i] = b'_';
        #[allow(clippy::cast_possible_truncation)] // half of the number tells types apart as well
        let mut hash = (identity(node) >> 32) as u64;
        while i < LONGEST - 1 {
            i += 1;
            bytes[i] = b"0123456789abcdef"[(hash % 16) as usize];
            hash /= 16;
        }
        Self { bytes, len: LONGEST }
    }

    /// The name as text.
    pub(crate) const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(name) => name,
            Err(_) => "response",
        }
    }
}
