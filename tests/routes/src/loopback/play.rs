//! Writes a response, with what goes wrong on the way.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::exchange::Fault;
use super::http::{chunk, response_head};

/// A response before it becomes bytes.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Body,
    pub(super) fault: Option<Fault>,
}

#[derive(Debug)]
pub(super) enum Body {
    /// All at once, with its length.
    Whole(Vec<u8>),
    /// Chunk by chunk.
    Pieces {
        /// The chunks.
        pieces: Vec<Vec<u8>>,
        /// The time between two.
        pace: Duration,
    },
}

/// What becomes of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// The next request may come.
    Keep,
    /// The server is done with it.
    Close,
    /// The client went away before it had everything.
    Abandoned,
}

impl Answer {
    /// A response whose body is JSON.
    pub(super) fn json(status: u16, body: &serde_json::Value) -> Self {
        Self::whole(status, "application/json", body.to_string())
    }

    pub(super) fn whole(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("content-type".to_owned(), content_type.to_owned())];
        Self { status, headers, body: Body::Whole(body.into()), fault: None }
    }

    pub(super) fn stream(content_type: &str, pieces: Vec<Vec<u8>>, pace: Duration) -> Self {
        let headers = vec![("content-type".to_owned(), content_type.to_owned())];
        Self { status: 200, headers, body: Body::Pieces { pieces, pace }, fault: None }
    }

    /// Faults of the content, before anything is sent.
    fn spoil(&mut self) {
        match &self.fault {
            Some(Fault::ContentType(content_type)) => {
                self.headers.retain(|(name, _)| name != "content-type");
                self.headers.push(("content-type".to_owned(), content_type.clone()));
            }
            Some(Fault::Body(text)) => self.body = Body::Whole(text.clone().into_bytes()),
            Some(Fault::InvalidUtf8) => match &mut self.body {
                Body::Whole(bytes) => *bytes = invalid_utf8(bytes),
                Body::Pieces { pieces, .. } => pieces.iter_mut().for_each(|piece| *piece = invalid_utf8(piece)),
            },
            _ => {}
        }
    }
}

fn invalid_utf8(bytes: &[u8]) -> Vec<u8> {
    let mark = "\u{fffd}".as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = rest.windows(mark.len()).position(|window| window == mark) {
        out.extend_from_slice(&rest[..at]);
        out.push(0xff);
        rest = &rest[at + mark.len()..];
    }
    out.extend_from_slice(rest);
    out
}

/// Padding for a body: JSON takes blanks, and streams take comments. No line ends in it.
struct Padding {
    bytes: u64,
    first: bool,
    comment: bool,
}

impl Padding {
    const PART: usize = 64 << 10;

    fn of(answer: &Answer) -> Option<Self> {
        let (bytes, first) = match answer.fault {
            Some(Fault::Huge(bytes)) => (bytes, false),
            Some(Fault::HugeFirst(bytes)) => (bytes, true),
            _ => return None,
        };
        let comment =
            answer.headers.iter().any(|(name, value)| name == "content-type" && value.contains("event-stream"));
        Some(Self { bytes, first, comment })
    }

    async fn send(&self, out: &mut Out<'_>) -> io::Result<bool> {
        if self.comment && !out.send(&chunk(b":")).await? {
            return Ok(false);
        }
        let part = chunk(&vec![b' '; Self::PART]);
        for _ in 0..self.bytes.div_ceil(Self::PART as u64) {
            if !out.send(&part).await? {
                return Ok(false);
            }
        }
        if self.comment { out.send(&chunk(b"\n\n")).await } else { Ok(true) }
    }
}

/// The way to the client, which the fault may cut.
struct Out<'a> {
    stream: &'a mut TcpStream,
    sent: &'a AtomicU64,
    /// Bytes until the way is cut.
    left: usize,
    drip: Option<(usize, Duration)>,
}

impl Out<'_> {
    /// Whether all of it went out.
    async fn send(&mut self, bytes: &[u8]) -> io::Result<bool> {
        let bytes_now = &bytes[..bytes.len().min(self.left)];
        self.left -= bytes_now.len();
        match self.drip {
            None => {
                self.stream.write_all(bytes_now).await?;
                self.sent.fetch_add(bytes_now.len() as u64, Ordering::Relaxed);
            }
            Some((size, pause)) => {
                for part in bytes_now.chunks(size.max(1)) {
                    self.stream.write_all(part).await?;
                    self.sent.fetch_add(part.len() as u64, Ordering::Relaxed);
                    if !pause.is_zero() && !wait(self.stream, pause).await {
                        return Err(io::ErrorKind::BrokenPipe.into());
                    }
                }
            }
        }
        Ok(bytes_now.len() == bytes.len())
    }
}

/// Waits; `false` as soon as the client goes away.
async fn wait(stream: &TcpStream, time: Duration) -> bool {
    let gone = async {
        loop {
            match stream.peek(&mut [0; 1]).await {
                Ok(0) | Err(_) => return,
                // The client is already at its next request, which can wait.
                Ok(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    };
    tokio::select! {
        () = gone => false,
        () = tokio::time::sleep(time) => true,
    }
}

/// As long as the client stays.
const FOR_EVER: Duration = Duration::from_hours(24);

/// Writes the response, and counts what of it went out.
pub(super) async fn play(stream: &mut TcpStream, mut answer: Answer, keep_alive: bool, sent: &AtomicU64) -> After {
    answer.spoil();
    let left = match answer.fault {
        Some(Fault::Reset(after) | Fault::Close(after) | Fault::Stall(after)) => after,
        Some(Fault::ResetAtOnce) => {
            // The socket is closed with unsent data thrown away, which the client sees as a reset.
            let _ = stream.set_zero_linger();
            return After::Close;
        }
        Some(Fault::Silence) => {
            wait(stream, FOR_EVER).await;
            return After::Abandoned;
        }
        Some(Fault::Garbage) => {
            let _ = stream.write_all(b"\0\xfe\xffthis is not HTTP\r\n\r\n\r\n").await;
            return After::Close;
        }
        Some(Fault::Delay(milliseconds)) => {
            if !wait(stream, Duration::from_millis(milliseconds)).await {
                return After::Abandoned;
            }
            usize::MAX
        }
        _ => usize::MAX,
    };
    match write(stream, &mut answer, left, keep_alive, sent).await {
        Err(_) => After::Abandoned,
        Ok(true) if keep_alive && answer.fault != Some(Fault::CloseAfter) => After::Keep,
        Ok(true) => After::Close,
        Ok(false) => match answer.fault {
            Some(Fault::Stall(_)) => {
                wait(stream, FOR_EVER).await;
                After::Abandoned
            }
            Some(Fault::Reset(_)) => {
                let _ = stream.set_zero_linger();
                After::Close
            }
            _ => After::Close,
        },
    }
}

/// Whether all of it went out.
async fn write(
    stream: &mut TcpStream,
    answer: &mut Answer,
    left: usize,
    keep_alive: bool,
    sent: &AtomicU64,
) -> io::Result<bool> {
    let padding = Padding::of(answer);
    let chunks = padding.is_some() || matches!(answer.body, Body::Pieces { .. });
    match (&answer.body, chunks) {
        (Body::Whole(bytes), false) => {
            answer.headers.push(("content-length".to_owned(), bytes.len().to_string()));
        }
        _ => answer.headers.push(("transfer-encoding".to_owned(), "chunked".to_owned())),
    }
    if !keep_alive {
        answer.headers.push(("connection".to_owned(), "close".to_owned()));
    }
    let drip = match answer.fault {
        Some(Fault::Drip { bytes, pause_ms }) => Some((bytes, Duration::from_millis(pause_ms))),
        _ => None,
    };
    let head = response_head(answer.status, &answer.headers);
    // One write for a small whole response, as servers do.
    if let (Body::Whole(bytes), false, None) = (&answer.body, chunks, drip)
        && left >= bytes.len()
    {
        let all = [head.as_slice(), bytes].concat();
        stream.write_all(&all).await?;
        sent.fetch_add(all.len() as u64, Ordering::Relaxed);
        // Cut exactly at the end: the body is whole, and the fault comes after it.
        return Ok(left == usize::MAX);
    }
    let mut out = Out { stream, sent, left: usize::MAX, drip };
    out.send(&head).await?;
    out.left = left;
    if let Some(padding) = padding.as_ref().filter(|padding| padding.first)
        && !padding.send(&mut out).await?
    {
        return Ok(false);
    }
    match &answer.body {
        Body::Whole(bytes) if chunks => {
            if !out.send(&chunk(bytes)).await? {
                return Ok(false);
            }
        }
        Body::Whole(bytes) => return out.send(bytes).await,
        Body::Pieces { pieces, pace } => {
            for (i, piece) in pieces.iter().enumerate() {
                if i > 0 && !pace.is_zero() && !wait(out.stream, *pace).await {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
                if !out.send(&chunk(piece)).await? {
                    return Ok(false);
                }
            }
        }
    }
    if let Some(padding) = padding.filter(|padding| !padding.first)
        && !padding.send(&mut out).await?
    {
        return Ok(false);
    }
    out.send(&chunk(b"")).await
}
