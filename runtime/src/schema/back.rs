//! References back to an enclosing generic type.
//!
//! The node of a generic type is a constant of its parameters, and a constant that leads to itself does not
//! compile. Where such a type contains itself, the derive writes [`BackOf`] in its place: the
//! schema of `BackOf<Tree<T>>` is [`Recursive::BACK`], a node that names `Tree<T>` without looking into it.

use std::marker::PhantomData;

use super::{ResponseSchema, SchemaRef};

/// A generic type that can be referred back to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` needs no `recursive`",
    label = "not a generic type with a derived schema",
    note = "`recursive` refers back to an enclosing generic type; remove it, or name the type: `recursive = \"Tree<T>\"`"
)]
pub trait Recursive {
    /// A node of kind `Back` with the type's identity.
    const BACK: SchemaRef;
}

/// Stands in a type's node for the type itself.
#[derive(Debug)]
pub struct BackOf<T: ?Sized>(PhantomData<T>);

impl<T: Recursive + ?Sized> ResponseSchema for BackOf<T> {
    const SCHEMA: SchemaRef = T::BACK;
}
