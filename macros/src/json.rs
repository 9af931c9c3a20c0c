//! JSON text and hashes, made at expansion so that const evaluation only copies.

/// `text` inside a JSON string literal, without the quotes.
pub(crate) fn escape(text: &str) -> String {
    use std::fmt::Write as _;

    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if u32::from(c) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// `text` as a JSON string literal.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", escape(text))
}

/// FNV-1a of 64 bits: the runtime's `key_hash`.
pub(crate) fn key_hash(escaped: &str) -> u64 {
    escaped.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// FNV-1a of 128 bits, for the identity of a type.
pub(crate) fn identity_hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> u128 {
    let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    for part in parts {
        // The byte in between keeps ("ab", "c") from ("a", "bc"); no UTF-8 text has it.
        for byte in part.bytes().chain([0xff]) {
            hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::{escape, identity_hash, key_hash};

    #[test]
    fn escapes_are_json() {
        assert_eq!(escape("a\"b\\c\n\u{1}é"), "a\\\"b\\\\c\\n\\u0001é");
    }

    #[test]
    fn hashes_are_fnv() {
        assert_eq!(key_hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_ne!(identity_hash(["ab", "c"]), identity_hash(["a", "bc"]));
    }
}
