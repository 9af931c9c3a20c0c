//! HTTP/1.1, as far as a server on this machine needs it, with the bytes in our own hands.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Most bytes of a head, and of a body, that a client may send.
const MOST_HEAD: usize = 64 << 10;
const MOST_BODY: usize = 64 << 20;
const MOST_HEADERS: usize = 100;

/// A request, before anyone has looked into it.
#[derive(Debug)]
pub(super) struct Raw {
    pub(super) method: String,
    pub(super) target: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Raw {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

fn invalid(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

/// Reads the next request; `None` when the client closes the connection instead. `pending` holds
/// what has come but is not used yet.
pub(super) async fn read(stream: &mut TcpStream, pending: &mut Vec<u8>) -> io::Result<Option<Raw>> {
    let (mut raw, length) = loop {
        if let Some((raw, end)) = head(pending)? {
            pending.drain(..end);
            break (raw, end);
        }
        if pending.len() > MOST_HEAD {
            return Err(invalid("the head is too long"));
        }
        if stream.read_buf(pending).await? == 0 {
            return if pending.is_empty() { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
    };
    debug_assert!(length > 0);
    if raw.header("expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue")) {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
    }
    raw.body = if raw.header("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked")) {
        chunked(stream, pending).await?
    } else {
        let length = match raw.header("content-length") {
            Some(length) => length.parse().map_err(|_| invalid("content-length is no number"))?,
            None => 0,
        };
        exactly(stream, pending, length).await?
    };
    Ok(Some(raw))
}

/// The head, and where it ends, once it is whole.
fn head(bytes: &[u8]) -> io::Result<Option<(Raw, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(bytes).map_err(|error| invalid(error.to_string()))? {
        httparse::Status::Partial => Ok(None),
        httparse::Status::Complete(end) => {
            let raw = Raw {
                method: request.method.unwrap_or_default().to_owned(),
                target: request.path.unwrap_or_default().to_owned(),
                headers: request
                    .headers
                    .iter()
                    .map(|header| {
                        (header.name.to_ascii_lowercase(), String::from_utf8_lossy(header.value).into_owned())
                    })
                    .collect(),
                body: Vec::new(),
            };
            Ok(Some((raw, end)))
        }
    }
}

async fn exactly(stream: &mut TcpStream, pending: &mut Vec<u8>, length: usize) -> io::Result<Vec<u8>> {
    if length > MOST_BODY {
        return Err(invalid("the body is too large"));
    }
    while pending.len() < length {
        if stream.read_buf(pending).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(pending.drain(..length).collect())
}

async fn line(stream: &mut TcpStream, pending: &mut Vec<u8>) -> io::Result<String> {
    let end = loop {
        if let Some(at) = pending.windows(2).position(|pair| pair == b"\r\n") {
            break at;
        }
        if pending.len() > MOST_BODY || stream.read_buf(pending).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    };
    let line = String::from_utf8_lossy(&pending[..end]).into_owned();
    pending.drain(..end + 2);
    Ok(line)
}

async fn chunked(stream: &mut TcpStream, pending: &mut Vec<u8>) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = line(stream, pending).await?;
        let size = size.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).map_err(|_| invalid("a chunk's size is no number"))?;
        body.extend(exactly(stream, pending, size).await?);
        if body.len() > MOST_BODY {
            return Err(invalid("the body is too large"));
        }
        line(stream, pending).await?;
        if size == 0 {
            return Ok(body);
        }
    }
}

/// A response's head.
pub(super) fn response_head(status: u16, headers: &[(String, String)]) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} {}\r\n", reason(status));
    for (name, value) in headers {
        head.push_str(name);
        head.push_str(": ");
        head.push_str(value);
        head.push_str("\r\n");
    }
    head.push_str("\r\n");
    head.into_bytes()
}

/// One chunk of a body. An empty one ends it.
pub(super) fn chunk(bytes: &[u8]) -> Vec<u8> {
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    chunk
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        413 => "Payload Too Large",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Status",
    }
}
