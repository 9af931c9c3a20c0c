//! The bytes that may begin something, and what stands there by a first look: most brackets are prose.

/// The next byte that may begin something, from `at` on.
pub(super) fn next_mark(bytes: &[u8], at: usize) -> Option<usize> {
    const BLOCK: usize = 32;
    let rest = bytes.get(at..)?;
    let next = rest.get(1..).unwrap_or_default();
    // Where marks are dense, a block is more than it takes.
    if let Some(ahead) = (0..rest.len().min(8)).find(|at| is_mark(rest[*at], next.get(*at).copied()) > 0) {
        return Some(at + ahead);
    }
    let (blocks, _) = rest.as_chunks::<BLOCK>();
    let (nexts, _) = next.as_chunks::<BLOCK>();
    // Without branches the loop over a block becomes vector code.
    let plain = |(block, next): &(&[u8; BLOCK], &[u8; BLOCK])| {
        block.iter().zip(*next).fold(0, |any, (byte, next)| any | is_mark(*byte, Some(*next))) == 0
    };
    let skipped = BLOCK * blocks.iter().zip(nexts).take_while(plain).count();
    (skipped..rest.len()).find(|at| is_mark(rest[*at], next.get(*at).copied()) > 0).map(|ahead| at + ahead)
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
