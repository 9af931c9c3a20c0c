//! Text to the complete JSON values in it.

use std::ops::Range;

use serde::de::IgnoredAny;

/// What a reply holds.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The complete objects and lists, in order; none inside another.
    pub(super) values: Vec<Range<usize>>,
    /// Whether the text ends inside a value that begins after the last complete one.
    pub(super) cut: bool,
}

/// Finds the complete JSON objects in a text.
pub(super) fn scan(text: &str) -> Found {
    let mut found = Found::default();
    let mut at = 0;
    while let Some(start) = text[at..].find('{').map(|ahead| at + ahead) {
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => {
                at = start + values.byte_offset();
                found.values.push(start..at);
            }
            Some(Err(error)) if error.is_eof() => {
                found.cut = true;
                break;
            }
            _ => at = start + 1,
        }
    }
    found
}
