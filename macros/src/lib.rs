//! The derive of `response-schema`.
