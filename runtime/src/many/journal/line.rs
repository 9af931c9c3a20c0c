//! Lines with a checksum at their end.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::mark::{Fingerprint, Mark, hexadecimal};
use super::members::Members;

pub(super) const MAGIC: &str = "response-schema";

/// A first line that is longer is that of another file.
pub(super) const MOST_HEADER: u64 = 4096;

/// What stands before the checksum, and behind it.
const BEFORE: &[u8] = b",\"crc\":\"";
const BEHIND: &[u8] = b"\"}";
const DIGITS: usize = 8;

/// The header.
#[derive(Serialize, Deserialize)]
pub(super) struct Line<'l> {
    pub(super) journal: Cow<'l, str>,
    pub(super) version: u32,
    pub(super) name: Cow<'l, str>,
    pub(super) schema: Fingerprint,
}

/// What must be known of a line to find it again.
pub(super) struct Head<'l> {
    pub(super) id: Cow<'l, str>,
    pub(super) input: Mark,
    pub(super) failed: bool,
}

impl<'l> Head<'l> {
    /// Of the line of an entry.
    pub(super) fn of(body: &'l str) -> Option<Self> {
        Self::read(&mut Members::of(body)?)
    }

    pub(super) fn read(members: &mut Members<'l>) -> Option<Self> {
        let id = members.text("id")?;
        let input = members.word("input")?;
        Some(Self { id, input, failed: members.is_next("error") })
    }
}

/// A note.
#[derive(Serialize, Deserialize)]
pub(super) struct NoteLine<'l> {
    pub(super) note: Cow<'l, str>,
    pub(super) about: Value,
}

/// An object as a line, with its checksum.
pub(super) fn sealed(object: &impl Serialize) -> Vec<u8> {
    let mut line = Vec::with_capacity(512);
    // Objects of text and numbers can be written; what cannot would be a line without one, which is no entry.
    if serde_json::to_writer(&mut line, object).is_err() {
        line.clear();
    }
    seal(&mut line, 0);
    line
}

/// Makes a line, with its checksum, of the object that begins there and is the last.
pub(super) fn seal(lines: &mut Vec<u8>, begin: usize) {
    // The checksum becomes its last member.
    lines.truncate(lines.len().saturating_sub(1).max(begin));
    let sum = crc32fast::hash(&lines[begin..]);
    lines.extend_from_slice(BEFORE);
    lines.extend(sum.to_be_bytes().into_iter().flat_map(hexadecimal));
    lines.extend_from_slice(BEHIND);
    lines.push(b'\n');
}

/// A line, without its end, if its checksum holds.
pub(super) fn opened(line: &[u8]) -> Option<&str> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let (object, digits) = line.strip_suffix(BEHIND)?.split_last_chunk::<DIGITS>()?;
    let object = object.strip_suffix(BEFORE)?;
    let sum = u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
    if crc32fast::hash(object) == sum { str::from_utf8(line).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_line_is_json_and_no_other_byte_will_do() {
        let sealed = sealed(&json!({"id": "a", "text": "x\ny"}));
        let line = sealed.strip_suffix(b"\n").expect("a line");
        assert!(!line.contains(&b'\n'));
        let value: Value = serde_json::from_str(opened(line).expect("holds")).expect("JSON");
        assert_eq!((&value["id"], &value["text"]), (&json!("a"), &json!("x\ny")));
        for at in 0..line.len() {
            let mut other = line.to_vec();
            other[at] ^= 0x04;
            assert_eq!(opened(&other), None, "byte {at}");
            assert_eq!(opened(&line[..at]), None, "torn at {at}");
        }
    }
}
