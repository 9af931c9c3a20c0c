//! Markdown's fences.
//!
//! They say little that the brackets do not say better, for a fence may stand inside of a string
//! too. Two things are taken from them: an unfinished value goes no further than its
//! fence, and what stands in a fence of another language gives way to what does not.

/// A fenced block.
#[derive(Debug)]
pub(super) struct Fence {
    /// Where its content begins.
    pub(super) body: usize,
    /// Where the line with its end begins; the end of the text if there is none.
    pub(super) close: usize,
    /// Behind that line's mark.
    pub(super) end: usize,
    /// Whether its language is another one than JSON.
    pub(super) foreign: bool,
}

/// Names of languages that do not speak against JSON.
const OWN: &[&str] = &[
    "",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "ndjson",
    "hjson",
    "text",
    "txt",
    "plain",
    "plaintext",
    "output",
    "result",
    "response",
    "answer",
    "markdown",
    "md",
    "data",
];

impl Fence {
    /// The fence that opens at `mark`; or else where the run of marks ends.
    pub(super) fn open(text: &str, mark: usize) -> Result<Self, usize> {
        let sign = text.as_bytes()[mark];
        let after = run_end(text, mark);
        let run = after - mark;
        if run < 3 {
            return Err(after);
        }
        // No further than the next of the same: with more of it on its line it is a span of code inside a line.
        let stop = text.as_bytes()[after..].iter().position(|byte| *byte == b'\n' || *byte == sign);
        let info_end = stop.map_or(text.len(), |end| after + end);
        let info = text[after..info_end].trim();
        if text.as_bytes().get(info_end) == Some(&sign) || info.len() > 200 {
            return Err(after);
        }
        let language = info.split(|c: char| c.is_whitespace() || matches!(c, '{' | '[' | ',')).next().unwrap_or("");
        let foreign = !OWN.iter().any(|own| language.eq_ignore_ascii_case(own));
        // The content may begin on the line of the mark: ```json {…
        let body = after + language.len().min(info_end - after);
        let (close, end) = close(text, info_end, sign, run);
        Ok(Self { body, close, end, foreign })
    }
}

/// Where the run of equal marks ends.
pub(super) fn run_end(text: &str, mark: usize) -> usize {
    let bytes = &text.as_bytes()[mark..];
    if bytes.get(1) != Some(&bytes[0]) {
        return mark + 1;
    }
    let (chunks, _) = bytes.as_chunks::<16>();
    let whole = 16 * chunks.iter().take_while(|chunk| **chunk == [bytes[0]; 16]).count();
    mark + whole + bytes[whole..].iter().take_while(|byte| **byte == bytes[0]).count()
}

/// Where the line that closes a fence begins, and where its mark ends.
fn close(text: &str, from: usize, sign: u8, run: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let mut line = from;
    while let Some(next) = text[line..].find('\n').map(|end| line + end + 1) {
        let mark = next + bytes[next..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'>')).count();
        let length = bytes[mark..].iter().take_while(|byte| **byte == sign).count();
        if length >= run {
            return (next, mark + length);
        }
        line = next;
    }
    (text.len(), text.len())
}
