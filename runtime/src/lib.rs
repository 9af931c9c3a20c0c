//! Typed LLM output.
