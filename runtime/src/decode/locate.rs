//! From an offset in JSON text to the path of the value there.
//!
//! serde's errors say where the reader stood, not which value it was reading. The reader stands
//! right after what it refused; the innermost value around the byte before it is the one.
//! A reader that tracks paths while it reads (`serde_path_to_error`) would say the same and
//! stops at the same places (tagged and untagged enums, which serde buffers), at the price of a
//! second pass over the types.

use super::tree::cut;
use crate::check::{Violation, push_index, push_key, shorten};

/// What serde refused, as a violation with the path of the value.
pub(super) fn violation(text: &str, error: &serde_json::Error) -> Violation {
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(words, _)| words);
    let place = offset(text, error.line(), error.column()).saturating_sub(1);
    let path = path_at(text, place);
    let (found, expected) = match message.rsplit_once(", expected ") {
        Some((found, expected)) => (found, expected.to_owned()),
        None => (message, String::new()),
    };
    if let Some(key) = found.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        return Violation::new(path, format!("the key `{key}`"), "no such key");
    }
    let found = found.strip_prefix("invalid type: ").or_else(|| found.strip_prefix("invalid value: ")).unwrap_or(found);
    let found = match found.strip_prefix("string ").and_then(|quoted| serde_json::from_str::<String>(quoted).ok()) {
        Some(text) => shorten(&text),
        None => found.to_owned(),
    };
    // It names a Rust type, which says nothing to the model.
    if found.starts_with("data did not match any variant of untagged enum") {
        return Violation::new(path, "one of the forms of the schema", scalar_at(text, place).unwrap_or_default());
    }
    // A parser's own words tell what is wrong, and not with what.
    match scalar_at(text, place) {
        Some(value) if expected.is_empty() => Violation::says(path, format!("{value}: {found}")),
        _ => Violation::new(path, expected, found),
    }
}

/// The string or number whose last byte is at `place`, shortened.
fn scalar_at(text: &str, place: usize) -> Option<String> {
    let bytes = text.as_bytes();
    if *bytes.get(place)? != b'"' {
        let token = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let length = bytes[..=place].iter().rev().take_while(token).count();
        return (length > 0).then(|| cut(&text[place + 1 - length..=place]));
    }
    // The quote that opens it has no odd number of backslashes before it.
    let opens = |at: &usize| bytes[..*at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 0;
    let start = text[..place].rmatch_indices('"').map(|(at, _)| at).find(opens)?;
    serde_json::from_str::<String>(&text[start..=place]).ok().map(|text| shorten(&text))
}

/// The byte offset of `serde_json`'s line and column (both from 1; column 0 is the line's start).
fn offset(text: &str, line: usize, column: usize) -> usize {
    let mut start = 0;
    for _ in 1..line {
        match text[start..].find('\n') {
            Some(end) => start += end + 1,
            None => break,
        }
    }
    (start + column).min(text.len())
}

/// A container that the walk is inside of.
enum Open<'t> {
    Object { key: Option<&'t str>, awaits_key: bool },
    List { index: usize },
}

/// The path of the innermost value that the byte at `target` belongs to.
///
/// `text` is JSON up to there. Iterative, so that no depth of nesting overflows the stack.
fn path_at(text: &str, target: usize) -> String {
    let bytes = text.as_bytes();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut at = 0;
    while at < bytes.len() && at <= target {
        match bytes[at] {
            b'"' => {
                let end = string_end(bytes, at);
                if let Some(Open::Object { key, awaits_key }) = open.last_mut()
                    && *awaits_key
                {
                    *key = text.get(at..end);
                    *awaits_key = false;
                }
                at = end;
                continue;
            }
            b'{' if at < target => open.push(Open::Object { key: None, awaits_key: true }),
            b'[' if at < target => open.push(Open::List { index: 0 }),
            // The closing mark still belongs to the value that it closes.
            b'}' | b']' => {
                open.pop();
            }
            b',' => match open.last_mut() {
                Some(Open::Object { key, awaits_key }) => (*key, *awaits_key) = (None, true),
                Some(Open::List { index }) => *index += 1,
                None => {}
            },
            _ => {}
        }
        at += 1;
    }
    let mut path = String::new();
    for step in &open {
        match step {
            Open::Object { key: Some(key), .. } => {
                let key = serde_json::from_str::<String>(key).unwrap_or_default();
                push_key(&mut path, &key);
            }
            Open::Object { .. } => {}
            Open::List { index } => push_index(&mut path, *index),
        }
    }
    path
}

/// The end of the string that begins at `at`, its closing quote included.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < bytes.len() {
        match bytes[end] {
            b'\\' => end += 2,
            b'"' => return end + 1,
            _ => end += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::violation;

    #[derive(Debug, serde::Deserialize)]
    #[allow(dead_code)]
    struct Outer {
        name: String,
        inner: Vec<Inner>,
        host: Option<std::net::Ipv4Addr>,
    }

    #[derive(Debug, serde::Deserialize)]
    #[allow(dead_code)]
    struct Inner {
        n: u8,
    }

    #[test]
    fn points_at_the_value_that_serde_refused() {
        for (text, path, expected, found) in [
            (r#"{"name": 4, "inner": []}"#, "name", "a string", "integer `4`"),
            (r#"{"name": "a", "inner": [{"n": 1}, {"n": 300}]}"#, "inner[1].n", "u8", "integer `300`"),
            ("{\"name\": \"a\",\n \"inner\": [{\"n\":\n \"x\"}]}", "inner[0].n", "u8", "\"x\""),
            (r#"{"name": "a", "inner": [{}]}"#, "inner[0]", "the key `n`", "no such key"),
            (r#"{"inner": []}"#, "", "the key `name`", "no such key"),
            (
                r#"{"name": "a", "inner": [], "host": "10.0.0.\\\"x"}"#,
                "host",
                "",
                r#""10.0.0.\\\"x": invalid IPv4 address syntax"#,
            ),
        ] {
            let error = serde_json::from_str::<Outer>(text).expect_err("a fault");
            let violation = violation(text, &error);
            assert_eq!((&*violation.path, &*violation.expected, &*violation.found), (path, expected, found), "{text}");
        }
    }
}
