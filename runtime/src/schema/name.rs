//! Names of types on the wire: readable, and within the rule that every provider accepts.

use super::edge::SchemaRef;
use super::node::{Arg, Schema};
use super::survey::identity;
use super::write::{Text, Writer};

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
            Arg::Const(value) => {
                // Given as `N as u128`, so a negative number fills the upper half.
                if value > u128::MAX / 2 {
                    out.put("minus_");
                    out.put_number(value.wrapping_neg());
                } else {
                    out.put_number(value);
                }
            }
        }
        i += 1;
    }
}

/// How many bytes a type's full name has.
pub(crate) const fn name_len(node: &Schema) -> usize {
    let mut len = 0;
    write_name(node, &mut Writer::counting(&mut len));
    len
}

/// The name of the type behind `schema`, within the rule.
///
/// A longer one is cut to the name without its arguments, with a number in place of them that tells it
/// from others.
pub(crate) const fn name_of(schema: SchemaRef) -> Text<LONGEST> {
    const HASH: usize = 17;
    let node = schema.get();
    let mut text = Text::new();
    let mut writer = text.writer();
    if name_len(node) <= LONGEST {
        write_name(node, &mut writer);
        return text;
    }
    // Names of nodes are ASCII, so they can be cut anywhere.
    let over = node.name.len().saturating_sub(LONGEST - HASH);
    writer.put_inner(node.name, 0, over);
    writer.put("_");
    let mut hash = identity(node) >> 64;
    let mut i = 0;
    while i < HASH - 1 {
        const DIGITS: &str = "0123456789abcdef";
        let digit = (hash % 16) as usize;
        writer.put_inner(DIGITS, digit, DIGITS.len() - digit - 1);
        hash /= 16;
        i += 1;
    }
    text
}
