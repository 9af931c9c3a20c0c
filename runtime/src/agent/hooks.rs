//! Looking on while a loop runs.

use crate::adapter::{CallError, CallRequest, CallResponse, ToolCall, ToolResult};
use crate::worker::Attempt;

/// What is told while a loop runs. Each method does nothing by default.
pub trait Hooks: Send + Sync {
    /// A call is about to be made; the request may be changed.
    fn before_call(&self, request: &mut CallRequest) {
        let _ = request;
    }

    /// A call has ended.
    fn after_call(&self, result: Result<&CallResponse, &CallError>) {
        let _ = result;
    }

    /// A reply was not accepted, and is asked for again.
    fn on_retry(&self, attempt: &Attempt) {
        let _ = attempt;
    }

    /// A tool was called, and this is what the model is told.
    fn on_tool(&self, call: &ToolCall, result: &ToolResult) {
        let _ = (call, result);
    }
}
