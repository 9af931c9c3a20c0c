//! Bytes to text.

use super::decoder::Decoded;
use super::error::{DecodeError, DecodeErrorKind};

/// Bytes as text, with the places where they were none.
///
/// UTF-16 with its byte order mark is text of another encoding. In anything else a sequence that is
/// not UTF-8 becomes U+FFFD.
pub(super) fn lossy(bytes: &[u8]) -> (String, Vec<usize>) {
    if let Some(text) = utf16(bytes) {
        return (text, Vec::new());
    }
    let mut text = String::with_capacity(bytes.len() + 8);
    let mut odd = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            odd.push(text.len());
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    (text, odd)
}

fn utf16(bytes: &[u8]) -> Option<String> {
    let read: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let (pairs, rest) = bytes[2..].as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    let units: Vec<u16> = pairs.iter().map(|pair| read(*pair)).collect();
    String::from_utf16(&units).ok()
}

/// The value, if no odd bytes stood inside of it.
pub(super) fn outside<T>(decoded: Decoded<T>, odd: &[usize]) -> Result<Decoded<T>, DecodeError> {
    match odd.iter().find(|at| decoded.span.contains(at)) {
        None => Ok(decoded),
        Some(_) => Err(DecodeError::detailed(DecodeErrorKind::NotText, "inside of the value")),
    }
}
