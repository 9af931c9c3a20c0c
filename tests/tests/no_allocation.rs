//! A schema costs nothing at run time: its text and its tree are data of the program.

use allocation_counter::measure;
use response_schema::{ResponseSchema, json, name};
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
#[allow(dead_code)] // only its schema is asked for
struct Ticket {
    /// One sentence.
    #[response(max_length = 160)]
    summary: String,
    labels: Vec<Option<String>>,
    parts: Vec<Ticket>,
}

#[test]
fn asking_for_a_schema_allocates_nothing() {
    // The first use is the one that would initialise something.
    let first = measure(|| {
        assert!(json::<Ticket>().contains("summary"));
        assert_eq!(name::<Ticket>(), "Ticket");
        assert_eq!(name::<Vec<Ticket>>(), "Vec_of_Ticket");
        let _ = Ticket::SCHEMA;
    });
    assert_eq!(first.count_total, 0);
}
