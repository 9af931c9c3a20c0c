//! Types that stand for the value inside them.

use crate::check::{Checks, Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Arg, Kind, Schema};

impl<T: ResponseSchema> ResponseSchema for Option<T> {
    const SCHEMA: SchemaRef =
        SchemaRef::new(&Schema::plain("Option", Kind::Nullable(T::SCHEMA)).of(&[Arg::Type(T::SCHEMA)]));

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        if let Some(value) = self {
            value.check(at, found);
        }
    }

    fn check_rules(&self, checks: &Checks, at: Path<'_>, found: &mut Violations) {
        if let Some(value) = self {
            value.check_rules(checks, at, found);
        }
    }
}

impl<T: ResponseSchema + ?Sized> ResponseSchema for Box<T> {
    const SCHEMA: SchemaRef = T::SCHEMA;

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        (**self).check(at, found);
    }

    fn check_rules(&self, checks: &Checks, at: Path<'_>, found: &mut Violations) {
        (**self).check_rules(checks, at, found);
    }
}

impl<T: ResponseSchema + ?Sized> ResponseSchema for &T {
    const SCHEMA: SchemaRef = T::SCHEMA;

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        (**self).check(at, found);
    }

    fn check_rules(&self, checks: &Checks, at: Path<'_>, found: &mut Violations) {
        (**self).check_rules(checks, at, found);
    }
}
