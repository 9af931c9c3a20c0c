//! The table itself.

use std::collections::BTreeMap;
use std::{env, fs};

use crate::trial::Row;

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/src/docs/types.md");

fn rows() -> Vec<Row> {
    #[allow(unused_mut)]
    let mut rows = crate::standard::rows();
    #[cfg(feature = "foreign")]
    rows.extend(crate::foreign::rows());
    rows
}

/// `Page_of_Date` must not be two things: types share a name only where they share a schema.
#[test]
fn names_tell_schemas_apart() {
    let mut named: BTreeMap<&str, String> = BTreeMap::new();
    for Row { name, schema, wire_name } in rows() {
        if let Some(other) = named.insert(wire_name, schema.clone()) {
            assert_eq!(other, schema, "{name} is called {wire_name}, as another type is");
        }
    }
}

/// Every type that is tried has its row, with the schema that the code renders; every row with a
/// schema is tried.
#[test]
fn the_table_says_what_the_code_does() {
    let mut tried: BTreeMap<&str, String> = BTreeMap::new();
    for Row { name, schema, .. } in rows() {
        assert!(tried.insert(name, shorten(&schema)).is_none(), "{name} is tried twice");
    }
    let text = fs::read_to_string(TABLE).expect("the table");
    let mut wanted = Vec::new();
    let mut foreign = false;
    for line in text.lines() {
        foreign |= line.starts_with("## Other crates");
        let Some((name, notes)) = row(line) else {
            wanted.push(line.to_owned());
            continue;
        };
        match tried.remove(name) {
            Some(schema) => wanted.push(format!("| `{name}` | `{schema}` | {notes}")),
            None if foreign && !cfg!(feature = "foreign") => wanted.push(line.to_owned()),
            None => panic!("{name} is in the table, and not tried"),
        }
    }
    assert!(tried.is_empty(), "not in the table: {tried:#?}");
    if env::var_os("BLESS").is_some() {
        fs::write(TABLE, wanted.join("\n") + "\n").expect("the table is written");
        return;
    }
    for (is, should) in text.lines().zip(&wanted) {
        assert_eq!(is, should, "set BLESS=1 to rewrite the schemas in the table");
    }
}

/// The type and the notes of a row whose second cell is a schema.
fn row(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix("| `")?.split_once("` | `")?;
    let (_, notes) = rest.split_once("` | ")?;
    Some((name, notes))
}

/// Long patterns make no table.
fn shorten(schema: &str) -> String {
    const LONGEST: usize = 70;
    let Some((before, rest)) = schema.split_once(r#""pattern":""#) else { return schema.to_owned() };
    let (pattern, after) = rest.split_once('"').expect("a pattern ends");
    let pattern = if pattern.len() > LONGEST { "…" } else { pattern };
    format!(r#"{before}"pattern":"{}"{}"#, pattern.replace('|', "\\|"), shorten(after))
}
