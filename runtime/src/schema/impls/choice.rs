//! `Result`, in the form that serde gives it.

use crate::check::{Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Arg, Case, Field, Kind, Schema, Tagging, key_hash};

impl<T: ResponseSchema, E: ResponseSchema> ResponseSchema for Result<T, E> {
    const SCHEMA: SchemaRef = SchemaRef::new(
        &Schema::plain(
            "Result",
            Kind::union(
                Tagging::External,
                &[
                    Case::new(
                        "Ok",
                        SchemaRef::new(
                            &Schema::plain(
                                "Ok",
                                Kind::closed_object(&[Field::new("\"Ok\":", key_hash("Ok"), T::SCHEMA)]),
                            )
                            .of(&[Arg::Type(T::SCHEMA)]),
                        ),
                    ),
                    Case::new(
                        "Err",
                        SchemaRef::new(
                            &Schema::plain(
                                "Err",
                                Kind::closed_object(&[Field::new("\"Err\":", key_hash("Err"), E::SCHEMA)]),
                            )
                            .of(&[Arg::Type(E::SCHEMA)]),
                        ),
                    ),
                ],
            ),
        )
        .of(&[Arg::Type(T::SCHEMA), Arg::Type(E::SCHEMA)]),
    );

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        match self {
            Ok(value) => value.check(at.key("Ok"), found),
            Err(value) => value.check(at.key("Err"), found),
        }
    }
}
