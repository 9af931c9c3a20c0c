//! The edge between schema nodes: a pointer that const validation does not follow.
//!
//! Types may contain themselves, directly or through one another, so their nodes form a
//! graph with cycles. rustc validates the final value of every `static` and `const`, and
//! follows each reference on the way; a cycle of references therefore fails with E0391.
//! It does not follow a raw pointer. A node of a type without type parameters lives in a
//! `static`, the edge to it is that pointer, and [`SchemaRef::get`] turns it back into a
//! reference, in const evaluation as at run time. Function pointers would hide the cycle
//! too, but cannot be called in const evaluation.
//!
//! This file and [`write`](super::write) are the two of the crate with `unsafe`.
#![allow(unsafe_code)]

use super::node::Schema;

/// An edge to the schema of a type.
#[derive(Clone, Copy)]
pub struct SchemaRef(*const Schema);

// SAFETY: a `SchemaRef` is only ever made from a `&'static Schema` (the field is private and
// `new` is the one constructor), and `Schema` is immutable plain data: `Sync`, without interior
// mutability (`ASSERT_SYNC` below holds the compiler to the former). Sharing the pointer or
// sending it to another thread is the same as doing so with the reference that it came from.
unsafe impl Send for SchemaRef {}
// SAFETY: as above.
unsafe impl Sync for SchemaRef {}

const ASSERT_SYNC: fn() = || {
    fn sync<T: Sync + 'static>() {}
    sync::<Schema>();
};

impl SchemaRef {
    /// The edge to `node`.
    #[must_use]
    pub const fn new(node: &'static Schema) -> Self {
        let _ = ASSERT_SYNC;
        Self(node)
    }

    /// The node that the edge leads to.
    #[must_use]
    pub const fn get(self) -> &'static Schema {
        // SAFETY: the pointer comes from a `&'static Schema` (see above), so it is aligned,
        // not null and valid for reads for the rest of the program, and nothing writes to it.
        unsafe { &*self.0 }
    }
}

impl core::fmt::Debug for SchemaRef {
    /// Names the target only: the graph may have cycles.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "SchemaRef({})", self.get().name)
    }
}
