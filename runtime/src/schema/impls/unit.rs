//! Types without a value of their own.

use std::marker::PhantomData;

use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Kind, Schema};

const NULL: &Schema = &Schema::plain("null", Kind::Null);

impl ResponseSchema for () {
    const SCHEMA: SchemaRef = SchemaRef::new(NULL);
}

impl<T: ?Sized> ResponseSchema for PhantomData<T> {
    const SCHEMA: SchemaRef = SchemaRef::new(NULL);
}
