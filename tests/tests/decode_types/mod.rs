//! Types with their schemas written by hand, as the derive would write them.
#![allow(dead_code)] // not every test uses every type

use response_schema::__private::{
    Bound, Checks, Field, Kind, Path, Rules, Schema, SchemaRef, Unit, Violations, key_hash,
};
use response_schema::ResponseSchema;
use serde::{Deserialize, Serialize};

/// A field's node.
pub(crate) const fn field(lead: &'static str, schema: SchemaRef) -> Field {
    let name = lead.split_at(lead.len() - 2).0.split_at(1).1;
    Field::new(lead, key_hash(name), schema)
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Animal {
    pub(crate) name: String,
    pub(crate) legs: u8,
}

const LEGS: &Rules = &Rules { maximum: Some(Bound::whole("100", 100)), ..Rules::new() };

impl ResponseSchema for Animal {
    const SCHEMA: SchemaRef = {
        static NODE: Schema = Schema::derived(
            "Animal",
            1,
            module_path!(),
            Kind::object(&[
                field("\"name\":", String::SCHEMA),
                Field { rules: LEGS, ruled: true, ..field("\"legs\":", u8::SCHEMA) },
            ]),
        );
        SchemaRef::new(&NODE)
    };

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        self.legs.check_rules(Checks::of(LEGS), at.key("legs"), found);
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Severity {
    Low,
    Medium,
    InReview,
    Blocking,
}

impl ResponseSchema for Severity {
    const SCHEMA: SchemaRef = {
        static NODE: Schema = Schema::derived(
            "Severity",
            2,
            module_path!(),
            Kind::Enum(&[
                Unit::new("\"low\""),
                Unit { aliases: &["\"mid\""], ..Unit::new("\"medium\"") },
                Unit::new("\"in_review\""),
                Unit::new("\"blocking\""),
            ]),
        );
        SchemaRef::new(&NODE)
    };
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) id: u64,
    pub(crate) customer: String,
    pub(crate) lines: Vec<Line>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) product: String,
    pub(crate) amount: u32,
    pub(crate) price: f64,
    pub(crate) severity: Severity,
    pub(crate) note: Option<String>,
}

impl ResponseSchema for Order {
    const SCHEMA: SchemaRef = {
        static NODE: Schema = Schema::derived(
            "Order",
            3,
            module_path!(),
            Kind::object(&[
                field("\"id\":", u64::SCHEMA),
                field("\"customer\":", String::SCHEMA),
                field("\"lines\":", Vec::<Line>::SCHEMA),
            ]),
        );
        SchemaRef::new(&NODE)
    };

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        self.lines.check(at.key("lines"), found);
    }
}

impl ResponseSchema for Line {
    const SCHEMA: SchemaRef = {
        static NODE: Schema = Schema::derived(
            "Line",
            4,
            module_path!(),
            Kind::object(&[
                field("\"product\":", String::SCHEMA),
                field("\"amount\":", u32::SCHEMA),
                field("\"price\":", f64::SCHEMA),
                field("\"severity\":", Severity::SCHEMA),
                Field { fills: true, ..field("\"note\":", Option::<String>::SCHEMA) },
            ]),
        );
        SchemaRef::new(&NODE)
    };
}
