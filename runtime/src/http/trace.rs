//! What a call tells those who listen, with the names of OpenTelemetry's conventions for generative AI.
//!
//! A call is one span; a further attempt, and the end, are events in it. Messages and replies are told only where the
//! user asked for that.

use tracing::{Span, field};

use super::endpoint::Endpoint;
use super::wire::Wire;
use crate::adapter::{CallError, CallRequest, CallResponse, Ending};

/// What one call tells.
#[derive(Debug)]
pub(super) struct Trace {
    span: Span,
    contents: bool,
}

impl Trace {
    pub(super) fn begin<W: Wire>(endpoint: &Endpoint<W>, request: &CallRequest) -> Self {
        let settings = endpoint.settings();
        let span = tracing::info_span!(
            "chat",
            otel.kind = "client",
            gen_ai.operation.name = "chat",
            gen_ai.provider.name = endpoint.wire().provider(),
            gen_ai.request.model = endpoint.wire().model(),
            "gen_ai.output.type" = if request.response_schema.is_some() { "json" } else { "text" },
            gen_ai.request.max_tokens = request.parameters.max_tokens,
            gen_ai.request.temperature = request.parameters.temperature,
            gen_ai.request.top_p = request.parameters.top_p,
            gen_ai.request.seed = request.parameters.seed,
            gen_ai.response.id = field::Empty,
            gen_ai.response.model = field::Empty,
            gen_ai.response.finish_reasons = field::Empty,
            gen_ai.usage.input_tokens = field::Empty,
            gen_ai.usage.output_tokens = field::Empty,
            http.request.resend_count = field::Empty,
            server.address = field::Empty,
            server.port = field::Empty,
            "error.type" = field::Empty,
        );
        if !span.is_disabled()
            && let Ok(base) = &settings.base
        {
            span.record("server.address", base.host_str());
            span.record("server.port", base.port_or_known_default());
        }
        let trace = Self { span, contents: settings.trace_contents };
        if trace.contents && !trace.span.is_disabled() {
            let messages = serde_json::to_string(&request.messages).unwrap_or_default();
            trace.span.in_scope(|| tracing::info!(gen_ai.input.messages = messages, "request"));
        }
        trace
    }

    /// Nothing is told.
    #[cfg(feature = "many")]
    pub(super) fn none() -> Self {
        Self { span: Span::none(), contents: false }
    }

    pub(super) fn span(&self) -> Span {
        self.span.clone()
    }

    /// The request is sent again.
    pub(super) fn again(&self, error: &CallError, count: u32) {
        self.span.record("http.request.resend_count", count);
        let status = error.status();
        self.span.in_scope(|| {
            tracing::warn!(
                "error.type" = ?error.kind(),
                http.response.status_code = status,
                http.request.resend_count = count,
                "sending the request again"
            );
        });
    }

    /// There is a reply.
    pub(super) fn end(&self, response: &CallResponse) {
        if self.span.is_disabled() {
            return;
        }
        self.span.record("gen_ai.response.id", response.id.as_deref());
        self.span.record("gen_ai.response.model", &response.model);
        self.span.record("gen_ai.response.finish_reasons", reason(&response.ending));
        self.span.record("gen_ai.usage.input_tokens", response.usage.input_tokens);
        self.span.record("gen_ai.usage.output_tokens", response.usage.output_tokens);
        if self.contents {
            self.span.in_scope(|| tracing::info!(gen_ai.output.messages = response.text, "reply"));
        }
    }

    /// There is none.
    pub(super) fn fail(&self, error: &CallError) {
        self.span.record("error.type", field::debug(error.kind()));
        let status = error.status();
        self.span.in_scope(|| {
            tracing::warn!("error.type" = ?error.kind(), http.response.status_code = status, "the call failed");
        });
    }
}

const fn reason(ending: &Ending) -> &'static str {
    match ending {
        Ending::Complete => "stop",
        Ending::ToolCalls => "tool_calls",
        Ending::CutShort => "length",
        Ending::Refused(_) => "refusal",
        Ending::Filtered(_) => "content_filter",
        Ending::Cancelled => "cancelled",
    }
}
