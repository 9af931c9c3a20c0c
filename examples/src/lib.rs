//! What the example programs share: the routes that they can take, by name.

pub mod routes;
