//! A wire at its place: what the adapters are made of.

use std::fmt;
use std::sync::{Arc, OnceLock};

use reqwest::{Method, Request};

use super::call;
use super::connect;
use super::preview::Preview;
use super::settings::{Settings, join, shown};
use super::wire::{Delivery, Outgoing, Wire};
use crate::adapter::{CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Message, ResponseStream};

/// A wire at its place, with what the user chose. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub(crate) struct Endpoint<W>(Arc<Parts<W>>);

#[derive(Clone)]
struct Parts<W> {
    wire: W,
    settings: Settings,
    /// Made by the first call.
    client: Arc<OnceLock<reqwest::Client>>,
}

impl<W: Wire> Endpoint<W> {
    /// The wire at this base URL.
    pub(crate) fn new(wire: W, base: &str) -> Self {
        Self(Arc::new(Parts { wire, settings: Settings::new(base), client: Arc::default() }))
    }

    pub(crate) fn wire(&self) -> &W {
        &self.0.wire
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(super) fn route(&self) -> &'static str {
        self.0.wire.capabilities().route
    }

    /// Changes the wire.
    pub(crate) fn edit(mut self, change: impl FnOnce(&mut W)) -> Self {
        change(&mut Arc::make_mut(&mut self.0).wire);
        self
    }

    /// Changes the settings.
    pub(crate) fn set(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        let parts = Arc::make_mut(&mut self.0);
        let connect = parts.settings.timeouts.connect;
        let secure = parts.settings.is_secure();
        change(&mut parts.settings);
        // A client is made for its limit and its certificates.
        if parts.settings.timeouts.connect != connect || parts.settings.is_secure() != secure {
            parts.client = Arc::default();
        }
        self
    }

    pub(crate) fn capabilities(&self) -> Capabilities {
        self.0.wire.capabilities()
    }

    /// What replies depend on beside the request: where it goes, and all that stands in it beside the conversation.
    pub(crate) fn identity(&self) -> String {
        let route = self.route();
        match self.preview(&CallRequest::new(vec![Message::user("")]), Delivery::Whole) {
            Ok(preview) => format!("{route} {} {}", preview.url, preview.body),
            // Calls fail in the same way, and there is no reply to take for another one.
            Err(error) => format!("{route} {error}"),
        }
    }

    pub(crate) fn call(&self, request: CallRequest) -> impl Future<Output = Result<CallResponse, CallError>> + Send {
        call::call(self, request)
    }

    pub(crate) fn stream(&self, request: CallRequest) -> ResponseStream<'_> {
        let in_one_piece = request.response_schema.is_some() && !self.capabilities().streaming;
        let stream = call::stream(self, request);
        if in_one_piece { stream.in_one_piece() } else { stream }
    }

    /// The request that a call would send.
    pub(crate) fn preview(&self, request: &CallRequest, delivery: Delivery) -> Result<Preview, CallError> {
        let request = self.complete(request.clone())?;
        let outgoing = self.0.wire.encode(&request, delivery)?;
        let built = self.request(&outgoing)?;
        Ok(Preview::new(shown(built.url()), built.headers(), &outgoing.body))
    }

    /// The request with the endpoint's own parameters where it states none, if the route can carry it.
    pub(super) fn complete(&self, mut request: CallRequest) -> Result<CallRequest, CallError> {
        let capabilities = self.capabilities();
        let lacks = match (request.tools.is_empty(), &request.response_schema) {
            (false, _) if capabilities.tools.is_none() => Some("carries no tools"),
            (false, Some(_)) if !capabilities.tools_with_schema => Some("carries tools or a schema, not both at once"),
            _ => None,
        };
        if let Some(lacks) = lacks {
            let text = format!("{} {lacks}; nothing was sent", capabilities.route);
            return Err(CallError::new(CallErrorKind::Unsupported, text));
        }
        request.parameters.fill_from(&self.0.settings.parameters);
        for (name, value) in [("temperature", request.parameters.temperature), ("top_p", request.parameters.top_p)] {
            if value.is_some_and(|value| !value.is_finite()) {
                return Err(CallError::new(CallErrorKind::InvalidRequest, format!("`{name}` must be a finite number")));
            }
        }
        Ok(request)
    }

    /// The request as the wire writes it, with the endpoint's own parameters.
    #[cfg(feature = "many")]
    pub(super) fn outgoing(&self, request: &CallRequest) -> Result<Outgoing, CallError> {
        self.0.wire.encode(&self.complete(request.clone())?, Delivery::Whole)
    }

    /// A request to another place below the base URL, with the headers of all and no body.
    #[cfg(feature = "many")]
    pub(super) fn request_to(&self, method: Method, path: &str) -> Result<Request, CallError> {
        let settings = &self.0.settings;
        let mut request = Request::new(method, join(settings.check()?, path, None));
        *request.headers_mut() = settings.headers();
        Ok(request)
    }

    pub(super) fn request(&self, outgoing: &Outgoing) -> Result<Request, CallError> {
        let settings = &self.0.settings;
        let url = join(settings.check()?, &outgoing.path, outgoing.query);
        let mut request = Request::new(Method::POST, url);
        *request.headers_mut() = settings.headers();
        *request.body_mut() = Some(outgoing.body.clone().into());
        Ok(request)
    }

    pub(super) fn client(&self) -> Result<&reqwest::Client, CallError> {
        let Parts { settings, client, .. } = &*self.0;
        if let Some(own) = &settings.client {
            return Ok(own);
        }
        if let Some(made) = client.get() {
            return Ok(made);
        }
        let made = connect::client(&settings.timeouts, settings.is_secure())?;
        Ok(client.get_or_init(|| made))
    }
}

impl<W: Wire> fmt::Debug for Endpoint<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("route", &self.route())
            .field("model", &self.0.wire.model())
            .field("settings", &self.0.settings)
            .finish()
    }
}
