//! Streams of events and of lines, from bytes that are split anywhere.
//!
//! Bytes go in with [`Decoder::push`], events come out of [`Decoder::next`]. No byte is looked at twice, however small
//! the pieces are.

use std::str::Utf8Error;

/// How a stream is cut into events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Server-sent events.
    Sse,
    /// One JSON value a line.
    Lines,
}

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// Its name (`event:`); empty where it has none.
    pub(crate) name: String,
    /// What it carries.
    pub(crate) data: String,
}

/// Cuts a stream into events.
#[derive(Debug)]
pub(super) struct Decoder {
    framing: Framing,
    buffer: Vec<u8>,
    /// Where the line that is not read yet begins.
    start: usize,
    /// Up to where the end of that line was looked for.
    looked: usize,
    /// The last line ended in a carriage return; a line feed right after it belongs to that end.
    after_return: bool,
    /// Nothing was read yet, so a byte-order mark may come.
    fresh: bool,
    name: String,
    data: Option<String>,
}

impl Decoder {
    pub(super) fn new(framing: Framing) -> Self {
        Self {
            framing,
            buffer: Vec::new(),
            start: 0,
            looked: 0,
            after_return: false,
            fresh: true,
            name: String::new(),
            data: None,
        }
    }

    /// More bytes of the stream.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        // What was read is dropped once it is the larger part: each byte is moved at most once.
        if self.start > self.buffer.len() / 2 {
            self.buffer.drain(..self.start);
            self.looked -= self.start;
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The end of the stream: what stands there without an end of line counts as a line, and what was begun as an
    /// event. Some servers forget the last empty line.
    pub(super) fn finish(&mut self) {
        self.buffer.extend_from_slice(b"\n\n");
    }

    /// The next event that is complete.
    pub(super) fn next(&mut self) -> Result<Option<Event>, Utf8Error> {
        while let Some(line) = self.line() {
            let (start, end) = line;
            let mut text = std::str::from_utf8(&self.buffer[start..end])?;
            if std::mem::take(&mut self.fresh) {
                text = text.strip_prefix('\u{feff}').unwrap_or(text);
            }
            match self.framing {
                Framing::Lines if text.trim().is_empty() => {}
                Framing::Lines => return Ok(Some(Event { name: String::new(), data: text.to_owned() })),
                Framing::Sse if text.is_empty() => {
                    let name = std::mem::take(&mut self.name);
                    if let Some(data) = self.data.take() {
                        return Ok(Some(Event { name, data }));
                    }
                }
                Framing::Sse => {
                    let (field, value) = text.split_once(':').unwrap_or((text, ""));
                    let value = value.strip_prefix(' ').unwrap_or(value);
                    match (field, &mut self.data) {
                        ("data", Some(data)) => {
                            data.push('\n');
                            data.push_str(value);
                        }
                        ("data", none) => *none = Some(value.to_owned()),
                        ("event", _) => value.clone_into(&mut self.name),
                        // Comments, marks for reconnecting, and what is not known.
                        _ => {}
                    }
                }
            }
        }
        Ok(None)
    }

    /// Where the next complete line stands, without its end: line feed, carriage return, or both.
    fn line(&mut self) -> Option<(usize, usize)> {
        loop {
            let rest = &self.buffer[self.looked..];
            let found = match self.framing {
                Framing::Sse => memchr::memchr2(b'\n', b'\r', rest),
                Framing::Lines => memchr::memchr(b'\n', rest),
            };
            let Some(found) = found else {
                self.looked = self.buffer.len();
                return None;
            };
            let end = self.looked + found;
            let second_half = std::mem::take(&mut self.after_return) && end == self.start && self.buffer[end] == b'\n';
            let start = std::mem::replace(&mut self.start, end + 1);
            self.looked = self.start;
            if !second_half {
                self.after_return = self.buffer[end] == b'\r';
                return Some((start, end));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All events of a stream that comes in these pieces.
    fn events<'a>(framing: Framing, pieces: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<Event>, Utf8Error> {
        let mut decoder = Decoder::new(framing);
        let mut all = Vec::new();
        for piece in pieces {
            decoder.push(piece);
            while let Some(event) = decoder.next()? {
                all.push(event);
            }
        }
        decoder.finish();
        while let Some(event) = decoder.next()? {
            all.push(event);
        }
        Ok(all)
    }

    fn event(name: &str, data: &str) -> Event {
        Event { name: name.to_owned(), data: data.to_owned() }
    }

    /// The example streams of the HTML standard (9.2.6), and what it says comes out.
    #[test]
    fn the_examples_of_the_standard() {
        let stocks = "data: YHOO\ndata: +2\ndata: 10\n\n";
        assert_eq!(events(Framing::Sse, [stocks.as_bytes()]).unwrap(), [event("", "YHOO\n+2\n10")]);
        let comments = ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n";
        assert_eq!(
            events(Framing::Sse, [comments.as_bytes()]).unwrap(),
            [event("", "first event"), event("", "second event"), event("", " third event")]
        );
        let spaces = "data:test\n\ndata: test\n\n";
        assert_eq!(events(Framing::Sse, [spaces.as_bytes()]).unwrap(), [event("", "test"), event("", "test")]);
        let empty = "data\n\ndata\ndata\n\n";
        assert_eq!(events(Framing::Sse, [empty.as_bytes()]).unwrap(), [event("", ""), event("", "\n")]);
    }

    #[test]
    fn every_split_gives_the_same_events() {
        let sse = "\u{feff}event: a\r\ndata: {\"t\":\"\u{e9}\u{1f980}\"}\r\n\r\n: ping\r\revent: b\rdata: 1\rdata: 2\r\r\
                   event: dropped\n\ndata: last\n\n\ndata: no end";
        let lines = "{\"a\":\"\u{e9}\"}\r\n\n  \n{\"b\":1}\n{\"no\":\"end\"}";
        for (framing, text, expected) in [
            (
                Framing::Sse,
                sse,
                vec![
                    event("a", "{\"t\":\"\u{e9}\u{1f980}\"}"),
                    event("b", "1\n2"),
                    event("", "last"),
                    event("", "no end"),
                ],
            ),
            (
                Framing::Lines,
                lines,
                vec![event("", "{\"a\":\"\u{e9}\"}\r"), event("", "{\"b\":1}"), event("", "{\"no\":\"end\"}")],
            ),
        ] {
            let bytes = text.as_bytes();
            assert_eq!(events(framing, [bytes]).unwrap(), expected);
            assert_eq!(events(framing, bytes.chunks(1)).unwrap(), expected);
            for first in 0..bytes.len() {
                for second in first..bytes.len() {
                    let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                    assert_eq!(events(framing, pieces).unwrap(), expected, "{first} {second}");
                }
            }
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_an_error() {
        assert!(events(Framing::Sse, [&b"data: \xff\n\n"[..]]).is_err());
        assert!(events(Framing::Lines, [&b"\"\xc3\"\n"[..]]).is_err());
    }
}
