//! The HTTP client.

use std::sync::Arc;

use reqwest::redirect;
use rustls::crypto::CryptoProvider;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt as _;

use super::policy::Timeouts;
use crate::adapter::{CallError, CallErrorKind};

/// A client with the machine's certificates and proxies.
///
/// It follows no redirect: a `POST` would become a `GET`, and the key would go to wherever it is sent.
pub(super) fn client(timeouts: &Timeouts, secure: bool) -> Result<reqwest::Client, CallError> {
    let failed = |error| {
        CallError::new(CallErrorKind::Transport, "no HTTP client could be made").with_source(Box::new(error) as Box<_>)
    };
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls(secure)?)
        .connect_timeout(timeouts.connect)
        .redirect(redirect::Policy::none())
        .build()
        .map_err(|error: reqwest::Error| failed(error))
}

/// TLS with the program's own provider of cryptography if it has installed one, and ring's otherwise.
///
/// A machine without certificates can still speak to a local server that needs none.
fn tls(secure: bool) -> Result<ClientConfig, CallError> {
    let provider = CryptoProvider::get_default().cloned();
    let provider = provider.unwrap_or_else(|| Arc::new(rustls::crypto::ring::default_provider()));
    let failed = |error: rustls::Error| {
        CallError::new(
            CallErrorKind::Transport,
            "TLS cannot be set up; does the machine have its certificates (the package `ca-certificates`)? \
             Or give a `reqwest::Client` of your own",
        )
        .with_source(error)
    };
    let builder =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().map_err(failed)?;
    let builder = match builder.clone().with_platform_verifier() {
        Ok(verified) => verified,
        Err(error) if secure => return Err(failed(error)),
        Err(_) => builder.with_root_certificates(RootCertStore::empty()),
    };
    let mut config = builder.with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}
