//! Text.

use crate::check::{Checks, Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Kind, Schema};

const STRING: &Schema = &Schema::plain("String", Kind::String);

impl ResponseSchema for str {
    const SCHEMA: SchemaRef = SchemaRef::new(STRING);

    fn check_rules(&self, checks: &Checks, at: Path<'_>, found: &mut Violations) {
        checks.text(self, at, found);
    }
}

impl ResponseSchema for String {
    const SCHEMA: SchemaRef = SchemaRef::new(STRING);

    fn check_rules(&self, checks: &Checks, at: Path<'_>, found: &mut Violations) {
        checks.text(self, at, found);
    }
}
