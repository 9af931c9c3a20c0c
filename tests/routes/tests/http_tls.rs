//! TLS: the machine's certificates are trusted and no others, and both versions of HTTP are offered.
//!
//! Which certificates the machine has is said by a variable of the environment, and a process must not change its own.
//! So the call is made in a second process, which is this same program.

use std::sync::Arc;

use response_schema::adapter::{Adapter, CallErrorKind, CallRequest, Message, OpenAi};
use response_schema::http::Retry;
use response_schema_tests_routes::again;
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::Acceptor;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_rustls::LazyConfigAcceptor;

const REPLY: &str =
    r#"{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"over TLS"}]}]}"#;

fn adapter(base: &str) -> OpenAi {
    OpenAi::new("sk-tls-test").unwrap().model("m").base_url(base).retry(Retry::never())
}

fn request() -> CallRequest {
    CallRequest::new(vec![Message::user("Hello.")])
}

#[tokio::test]
async fn tls_trusts_the_machines_certificates() {
    if let Ok(base) = std::env::var("TLS_TEST_BASE") {
        assert_eq!(adapter(&base).call(request()).await.unwrap().text, "over TLS");
        return;
    }
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let trusted = directory.path().join("certificate.pem");
    std::fs::write(&trusted, made.cert.pem()).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("https://localhost:{}/v1", listener.local_addr().unwrap().port());
    let server = tokio::spawn(serve(listener, Arc::new(config)));

    let error = adapter(&base).call(request()).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Transport, "{error:?}");
    assert!(format!("{error:?}").contains("UnknownIssuer"), "{error:?}");

    let output = tokio::task::spawn_blocking(move || {
        again("tls_trusts_the_machines_certificates")
            .env("SSL_CERT_FILE", trusted)
            .env("TLS_TEST_BASE", base)
            .output()
            .unwrap()
    });
    let output = output.await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    server.abort();
}

/// Answers each request with the one reply, by HTTP/1.1.
async fn serve(listener: tokio::net::TcpListener, config: Arc<ServerConfig>) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let hello = LazyConfigAcceptor::new(Acceptor::default(), stream).await.unwrap();
        let offered: Vec<_> = hello.client_hello().alpn().unwrap().map(<[u8]>::to_vec).collect();
        assert_eq!(offered, [b"h2".to_vec(), b"http/1.1".to_vec()]);
        // A client that does not trust the certificate breaks off here.
        let Ok(mut stream) = hello.into_stream(config.clone()).await else { continue };
        let mut head = Vec::new();
        while !head.windows(4).any(|end| end == b"\r\n\r\n") {
            let mut part = [0; 1024];
            match stream.read(&mut part).await {
                Ok(0) | Err(_) => break,
                Ok(read) => head.extend_from_slice(&part[..read]),
            }
        }
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{REPLY}",
            REPLY.len()
        );
        let _ = stream.write_all(answer.as_bytes()).await;
        let _ = stream.shutdown().await;
    }
}
