//! Faulty types, and what the compiler says about them: `attr`, `shape`, `bound`, `strict`, `tool` and the `.stderr` beside each.
//!
//! The messages are the product here. After a change that is meant, run with `TRYBUILD=overwrite`
//! and read every line of the difference as a newcomer would.

#[test]
fn faults_are_explained() {
    let cases = trybuild::TestCases::new();
    for folder in ["attr", "shape", "bound", "strict", "tool"] {
        cases.compile_fail(format!("{folder}/*.rs"));
    }
}

/// Calls over HTTP. What a call says is said where it is built, and not where it is only checked; the case that compiles makes
/// it so.
#[test]
fn refused_types_do_not_compile_in_calls() {
    let cases = trybuild::TestCases::new();
    cases.pass("adapter/fits.rs");
    cases.compile_fail("adapter/recursive.rs");
    cases.compile_fail("adapter/too_wide.rs");
}
