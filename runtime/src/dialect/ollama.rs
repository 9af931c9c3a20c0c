//! Ollama's `/api/chat`, which runs llama.cpp.
//!
//! Sources: ollama at fb3076099 (`llm/llama_server.go`, `openai/openai.go`), `docs/capabilities/structured-outputs.mdx`.
//!
//! Departures from llama.cpp: some of its routes sort the keys of the schema by name. Its cloud takes a schema and
//! does not hold to it.

use super::{Dialect, Order};

super::dialect_marker! {
    /// Ollama's `/api/chat`.
    Ollama = OLLAMA
}

impl Dialect {
    /// Ollama's `/api/chat`.
    pub const OLLAMA: Self = Self {
        name: "Ollama",
        order: Order::Alphabetical,
        caveats: &[
            "integers have at most 16 digits",
            "the model does not see the schema",
            "Ollama's cloud does not hold to it",
        ],
        ..Self::LLAMA_CPP
    };
}
