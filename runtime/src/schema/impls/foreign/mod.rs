//! Schemas for the types of other crates, each under the feature named by the crate.
