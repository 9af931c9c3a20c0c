//! The sources of the scratch projects.

use std::fmt::Write as _;

use crate::project::Kind;

fn derive(kind: Kind) -> &'static str {
    match kind {
        Kind::Ours => "#[derive(serde::Deserialize, response_schema::ResponseSchema)]",
        Kind::Schemars => "#[derive(serde::Deserialize, schemars::JsonSchema)]",
        Kind::Bare => "#[derive(serde::Deserialize)]",
    }
}

/// `count` structs of ten documented fields; one in five has an enum and a nested struct beside it.
pub(crate) fn records(count: usize, kind: Kind) -> String {
    let mut source = String::from("#![allow(dead_code)]\nfn main() {}\n");
    for i in 0..count {
        record(&mut source, i, kind);
    }
    source
}

/// [`records`] that print their schemas.
pub(crate) fn printed(count: usize, kind: Kind) -> String {
    let mut source = records(count, kind).replace("fn main() {}", "");
    source.push_str("fn main() {\n");
    for i in 0..count {
        match kind {
            Kind::Ours => writeln!(source, "println!(\"{{}}\", response_schema::json::<Record{i}>());"),
            Kind::Schemars => {
                writeln!(
                    source,
                    "println!(\"{{}}\", serde_json::to_string(&schemars::schema_for!(Record{i})).unwrap());"
                )
            }
            Kind::Bare => Ok(()),
        }
        .expect("text");
    }
    source.push_str("}\n");
    source
}

/// [`records`] whose schemas are constants for each of some dialects.
pub(crate) fn rendered(count: usize, dialects: &[&str]) -> String {
    let mut source = records(count, Kind::Ours);
    for i in 0..count {
        for dialect in dialects {
            writeln!(
                source,
                "const _: usize = response_schema::json_for::<Record{i}, response_schema::dialect::{dialect}>().len();"
            )
            .expect("text");
        }
    }
    source
}

fn record(source: &mut String, i: usize, kind: Kind) {
    let derive = derive(kind);
    let (range, length) = match kind {
        Kind::Ours => ("#[response(min = 0, max = 100)]", "#[response(max_items = 5)]"),
        Kind::Schemars => ("#[schemars(range(min = 0, max = 100))]", "#[schemars(length(max = 5))]"),
        Kind::Bare => ("", ""),
    };
    let nested = if i.is_multiple_of(5) {
        let _ = write!(
            source,
            "{derive}\n#[serde(rename_all = \"snake_case\")]\nenum State{i} {{ /// Not yet.\nOpen, InProgress, Done }}\n\
             {derive}\n#[serde(tag = \"kind\")]\nenum Event{i} {{ Moved {{ x: i64, y: i64 }}, Named {{ name: String }}, Gone }}\n\
             {derive}\nstruct Origin{i} {{ /// Where from.\nsource: String, line: u32 }}\n"
        );
        format!(
            "state: State{i},\n/// Where it came from.\n#[serde(flatten)] origin: Origin{i},\n/// What happened.\nevents: Vec<Event{i}>,"
        )
    } else {
        "state: bool,\n/// Where it came from.\norigin: Option<String>,\n/// What happened.\nevents: Vec<String>,"
            .to_owned()
    };
    let _ = write!(
        source,
        "/// Record number {i}, taken from a page of text.\n{derive}\nstruct Record{i} {{\n\
         /// What it is called, in one sentence.\ntitle: String,\n\
         /// How sure the reader is.\n{range} confidence: u8,\n\
         /// Words that stand for it.\n{length} labels: Vec<String>,\n\
         /// When it was seen first.\nfirst_seen: Option<String>,\n\
         /// How often it was seen.\ncount: u64,\n\
         /// How much it weighs, in kilograms.\nweight: f64,\n\
         /// Who answers for it.\nowner: Option<String>,\n\
         /// Whether it is still there.\n{nested}\n}}\n"
    );
}

/// A tree of 5,000 properties in all, with one enum of 1,000 values.
pub(crate) fn at_the_limits(kind: Kind) -> String {
    let derive = derive(kind);
    let mut source = String::from("#![allow(dead_code)]\n");
    let mut root = String::new();
    // 99 structs of 49 fields and the root's 99, the enum's field and 49 more: 5,000.
    for i in 0..99 {
        let _ = write!(source, "{derive}\nstruct Part{i} {{\n");
        for j in 0..49 {
            let kind = ["String", "u32", "Option<bool>", "Vec<String>"][j % 4];
            let _ = writeln!(source, "/// Field {j} of part {i}.\nfield{i}_{j}: {kind},");
        }
        source.push_str("}\n");
        let _ = writeln!(root, "part{i}: Part{i},");
    }
    for j in 0..49 {
        let _ = writeln!(root, "more{j}: bool,");
    }
    root.push_str("choice: Choice,\n");
    let values = (0..1000).map(|i| format!("V{i}")).collect::<Vec<_>>().join(", ");
    let _ = write!(source, "{derive}\nenum Choice {{ {values} }}\n{derive}\nstruct Root {{ {root} }}\n");
    source.push_str(match kind {
        Kind::Ours => {
            "const TEXT: &str = response_schema::json::<Root>();\nfn main() { println!(\"{}\", TEXT.len()); }\n"
        }
        _ => "fn main() {}\n",
    });
    source
}
