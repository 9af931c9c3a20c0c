//! The bytes that may begin something, and what stands there by a first look: most brackets are prose.

/// The next byte that may begin something, from `at` on.
pub(super) fn next_mark(bytes: &[u8], at: usize) -> Option<usize> {
    const BLOCK: usize = 32;
    let rest = bytes.get(at..)?;
    let next = rest.get(1..).unwrap_or_default();
    // Where marks are dense, a block is more than it takes.
    let near = rest.len().min(BLOCK);
    if let Some(ahead) = mark_in(&rest[..near], next) {
        return Some(at + ahead);
    }
    let (blocks, _) = rest.as_chunks::<BLOCK>();
    let (nexts, _) = next.as_chunks::<BLOCK>();
    // Without branches the loop over a block becomes vector code.
    let plain = |(block, next): &(&[u8; BLOCK], &[u8; BLOCK])| {
        block.iter().zip(*next).fold(0, |any, (byte, next)| any | is_mark(*byte, Some(*next))) == 0
    };
    let skipped = BLOCK * blocks.iter().zip(nexts).take_while(plain).count();
    mark_in(&rest[skipped..], &next[skipped.min(next.len())..]).map(|ahead| at + skipped + ahead)
}

/// The first mark in a short text, eight bytes at a time; `next` is the text from its second byte on.
fn mark_in(text: &[u8], next: &[u8]) -> Option<usize> {
    let (words, tail) = text.as_chunks::<8>();
    let is_mark_at = |at: &usize| is_mark(text[*at], next.get(*at).copied()) > 0;
    for (at, word) in words.iter().enumerate() {
        let mut marks = marks_in(u64::from_le_bytes(*word));
        while marks != 0 {
            let place = 8 * at + marks.trailing_zeros() as usize / 8;
            if is_mark_at(&place) {
                return Some(place);
            }
            marks &= marks - 1;
        }
    }
    (text.len() - tail.len()..text.len()).find(is_mark_at)
}

/// A high bit for each of eight bytes that may be a mark: none is missed, and hardly any is none.
fn marks_in(word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // The high bit of each byte that is zero, and of some behind one that is.
    let zeros = |bytes: u64| bytes.wrapping_sub(EACH) & !bytes & (EACH << 7);
    let among = |mark: u8| zeros(word ^ (EACH * u64::from(mark)));
    let brackets = zeros((word | (EACH << 5)) ^ (EACH * u64::from(b'{')));
    brackets | among(b'<') | among(b'`') | among(b'~') | among(0xef)
}

/// Not zero for a byte that may begin something, before `next`: `{` and `[` differ in one bit only, and
/// of the full-width characters `｛` is told from the commas of Chinese by its second byte.
fn is_mark(byte: u8, next: Option<u8>) -> u8 {
    u8::from(byte | 0x20 == b'{')
        | u8::from(byte == b'<')
        | u8::from(byte == b'`')
        | u8::from(byte == b'~')
        | (u8::from(byte == 0xef) & u8::from(next == Some(0xbd)))
}

/// What a bracket begins, by what follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Begins {
    /// JSON, perhaps.
    Json,
    /// A list of numbers, perhaps.
    Numbers,
    /// No JSON, but perhaps a value in another notation.
    Other,
    /// Nothing: most brackets in prose and code.
    Prose,
}

pub(super) fn begins(bytes: &[u8], start: usize) -> Begins {
    let space = |at: usize| bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let mut at = start + 1 + space(start + 1);
    let Some(next) = bytes.get(at).copied() else { return Begins::Other };
    let word = next.is_ascii_alphanumeric() || matches!(next, b'_' | b'$');
    if next == b'"' {
        return Begins::Json;
    }
    if matches!(next, b'\'' | b'`' | b'/' | b'#' | 0 | 0x7f..) {
        return Begins::Other;
    }
    match (bytes[start], next) {
        (b'[', b'0'..=b'9') => Begins::Numbers,
        (b'[', b'{' | b'[' | b']' | b'-' | b't' | b'f' | b'n') | (b'{', b'}') => Begins::Json,
        // In an object, a comma too many before the first key.
        (b'[', b'+' | b'.') | (b'{', b',') => Begins::Other,
        (b'[', _) if word => Begins::Other,
        // A bare key, if its colon follows.
        (b'{', _) if word => {
            let name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-');
            at += bytes[at..].iter().take_while(name).count();
            at += space(at);
            match bytes.get(at) {
                None | Some(b':' | b'/' | b'#' | 0 | 0x7f..) => Begins::Other,
                Some(_) => Begins::Prose,
            }
        }
        _ => Begins::Prose,
    }
}

/// The end of a list of plain whole numbers: what most brackets in code and prose hold, told without a parser.
pub(super) fn numbers_end(bytes: &[u8], start: usize) -> Option<usize> {
    let space = |at: usize| bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).count();
    let mut at = start + 1;
    loop {
        at += space(at);
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || digits > 1 && bytes[at] == b'0' {
            return None;
        }
        at += digits;
        at += space(at);
        match bytes.get(at) {
            Some(b']') => return Some(at + 1),
            Some(b',') => at += 1,
            _ => return None,
        }
    }
}

/// Whether a text in which no value ended begins with a brace as an object may: not one that prose speaks of, as in
/// "starts with `{`".
pub(super) fn may_be_cut(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['{', '｛']) else { return false };
    let rest = rest.trim_start();
    let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-');
    match rest.strip_prefix(['\'', '`', '“', '”', '‘']) {
        Some(key) => key.chars().all(name),
        None => {
            rest.strip_prefix('"').is_none_or(|key| key.chars().next().is_none_or(|c| name(c) || "@#/".contains(c)))
        }
    }
}

/// Whether a fault stands where something is to be filled in, or in the notation of a type: `<name>`, `...`, `{{name}}`,
/// `___`, `string | null`.
pub(super) fn is_template(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let after = text[end..].trim_start();
    match text.chars().next() {
        Some('<' | '.' | '…' | '_') => true,
        Some('{') => text[1..].trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').starts_with("}}"),
        _ => end > 0 && after.starts_with(['|', '?']),
    }
}
