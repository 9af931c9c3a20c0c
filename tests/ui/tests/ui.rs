//! Faulty types, and what the compiler says about them: `attr`, `shape`, `bound`, `strict` and the `.stderr` beside each.
//!
//! The messages are the product here. After a change that is meant, run with `TRYBUILD=overwrite`
//! and read every line of the difference as a newcomer would.

#[test]
fn faults_are_explained() {
    let cases = trybuild::TestCases::new();
    for folder in ["attr", "shape", "bound", "strict"] {
        cases.compile_fail(format!("{folder}/*.rs"));
    }
}
