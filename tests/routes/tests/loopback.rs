//! The loopback server itself: many connections at once, faults as they are named, an end that ends everything.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use response_schema_tests_routes::loopback::{Exchange, Fail, Fault, Loopback};
use serde_json::{Value, json};

fn connect(server: &Loopback) -> TcpStream {
    let stream = TcpStream::connect(server.url().trim_start_matches("http://")).expect("connects");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a limit");
    stream
}

fn send(stream: &mut TcpStream, content: &str) {
    let body = json!({"model": "m", "stream": false, "messages": [{"role": "user", "content": content}]}).to_string();
    let head = format!("POST /api/chat HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all(format!("{head}{body}").as_bytes()).expect("sends");
}

/// One response: its status line and its body.
fn receive(stream: &mut TcpStream) -> (String, Value) {
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).expect("a length");
            if body.len() == length.parse::<usize>().expect("a number") {
                return (head.lines().next().unwrap_or_default().to_owned(), serde_json::from_str(body).expect("JSON"));
            }
        }
        let read = stream.read(&mut part).expect("reads");
        assert_ne!(read, 0, "closed after {text}");
        bytes.extend_from_slice(&part[..read]);
    }
}

#[test]
fn hundreds_of_connections_at_once_stay_open() {
    let server = Loopback::start([Exchange::text("hello").always()]);
    let mut clients: Vec<TcpStream> = (0..600).map(|_| connect(&server)).collect();
    for round in 0..2 {
        for client in &mut clients {
            send(client, "hi");
        }
        for client in &mut clients {
            let (status, body) = receive(client);
            assert_eq!((status.as_str(), &body["message"]["content"]), ("HTTP/1.1 200 OK", &json!("hello")));
        }
        assert_eq!((server.open(), server.served()), (600, 600 * (round + 1)));
    }
    let requests = server.requests();
    assert_eq!(requests.len(), 1200);
    assert_eq!(requests[7].header("host"), Some("localhost"));
    drop(server);
    for client in &mut clients {
        assert!(matches!(client.read(&mut [0; 1]), Ok(0) | Err(_)), "the end of the server is the end of all");
    }
}

#[test]
fn exchanges_are_chosen_in_order_by_what_they_ask_for() {
    let server = Loopback::start([
        Exchange::text("for b").when("say b"),
        Exchange::failure(Fail::Overloaded).times(2),
        Exchange::text("for all").always(),
    ]);
    let mut client = connect(&server);
    let mut ask = |content: &str| {
        send(&mut client, content);
        let (status, body) = receive(&mut client);
        (status, body["message"]["content"].clone())
    };
    assert_eq!(ask("say a").0, "HTTP/1.1 503 Service Unavailable");
    assert_eq!(ask("say b").1, "for b");
    assert_eq!(server.left(), 1);
    assert_eq!(ask("say b").0, "HTTP/1.1 503 Service Unavailable");
    assert_eq!((ask("say b").1, server.left()), (json!("for all"), 0));
    server.clear();
    assert_eq!(ask("say c").0, "HTTP/1.1 400 Bad Request");
}

#[test]
fn faults_are_what_they_say() {
    let server = Loopback::start([]);
    // Bytes after the head.
    let body = |bytes: &[u8]| bytes.len() - bytes.windows(4).position(|end| end == b"\r\n\r\n").expect("a head") - 4;
    let all = |fault: Fault| {
        server.push(Exchange::text("hello").fault(fault));
        let mut client = connect(&server);
        send(&mut client, "hi");
        let mut bytes = Vec::new();
        let end = client.read_to_end(&mut bytes);
        (end.map_err(|error| error.kind()), bytes)
    };
    let (end, bytes) = all(Fault::ResetAtOnce);
    assert_eq!((end, bytes.len()), (Err(std::io::ErrorKind::ConnectionReset), 0));
    let (end, bytes) = all(Fault::Reset(10));
    assert_eq!(end, Err(std::io::ErrorKind::ConnectionReset));
    assert!(bytes.is_empty() || body(&bytes) == 10, "what came may be lost with a reset");
    let (end, bytes) = all(Fault::Close(10));
    assert_eq!((end.is_ok(), body(&bytes)), (true, 10));
    let (_, bytes) = all(Fault::Garbage);
    assert!(!bytes.starts_with(b"HTTP"));
    let (end, bytes) = all(Fault::CloseAfter);
    assert!(end.is_ok() && bytes.ends_with(b"}"));

    // Nothing more comes, until the client goes.
    server.push(Exchange::text("hello").fault(Fault::Stall(10)));
    let mut client = connect(&server);
    client.set_read_timeout(Some(Duration::from_millis(50))).expect("a limit");
    send(&mut client, "hi");
    let mut bytes = Vec::new();
    let error = client.read_to_end(&mut bytes).expect_err("waits in vain");
    assert!(matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut), "{error}");
    assert_eq!(body(&bytes), 10);
    assert_eq!(server.abandoned(), 0);
    drop(client);
    while server.abandoned() == 0 {
        std::thread::yield_now();
    }
}
