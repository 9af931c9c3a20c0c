//! Stand-ins for the checks in const evaluation.

use crate::schema::SchemaRef;
use crate::schema::rules::Rules;

/// Whole-type faults.
#[track_caller]
pub const fn check_type(schema: SchemaRef) {
    let _ = schema.get();
}

/// Depth.
#[track_caller]
pub const fn check_depth(schema: SchemaRef, levels: usize) {
    let _ = (schema, levels);
}

/// Rules that do not fit.
#[track_caller]
pub const fn check_rules(schema: SchemaRef, rules: &'static Rules) {
    let _ = (schema, rules);
}

/// Flattened fields.
#[track_caller]
pub const fn check_flatten(container: SchemaRef, case: usize, field: usize) {
    let _ = (container, case, field);
}

/// Newtype payloads of internally tagged enums.
#[track_caller]
pub const fn check_payload(container: SchemaRef, case: usize) {
    let _ = (container, case);
}

/// Overlapping variants.
#[track_caller]
pub const fn check_untagged(container: SchemaRef, later_case: usize) {
    let _ = (container, later_case);
}
