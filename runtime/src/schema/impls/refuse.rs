//! Types that have no strict schema, and what to write instead.
//!
//! A type without any impl gets the message of [`ResponseSchema`], which cannot know the type.
//! The types here have an impl whose bound never holds; the compiler then shows the message of
//! the trait in that bound, under the type that the user wrote. A bound on a type without
//! parameters is rejected where it stands, unless it is over a lifetime: hence the `'a`s.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, CString, OsStr, OsString};

use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Kind, Schema};

/// Held by no map.
#[diagnostic::on_unimplemented(
    message = "a map has open keys, and a strict schema has none: `{Self}`",
    label = "a map has no strict schema",
    note = "write `#[serde(with = \"response_schema::entries\")]` on a field of this type: the model then answers with a list of \
            `{{key, value}}` objects, and you still get the map",
    note = "or use a `Vec` of a struct with a field for the key and one for the value"
)]
pub trait FixedKeys {}

/// Held by no type that stands for any JSON.
#[diagnostic::on_unimplemented(
    message = "`{Self}` stands for any JSON, and a strict schema cannot say \"anything\"",
    label = "any JSON has no strict schema",
    note = "write `#[serde(with = \"response_schema::json_text\")]` on a field of this type: the model then answers with JSON \
            text in a string, and you still get the value",
    note = "or say what is expected: a struct, or an enum of the forms that may occur"
)]
pub trait KnownShape<'a> {}

/// Held by no integer of 128 bits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is wider than the integers that JSON readers and providers keep exact",
    label = "128 bits have no strict schema",
    note = "use `i64` or `u64`, or a `String` with `#[response(pattern = r\"^-?[0-9]+$\")]` if the number may be larger"
)]
pub trait Within64Bits<'a> {}

/// Held by no text of the operating system or of C.
#[diagnostic::on_unimplemented(
    message = "serde writes `{Self}` as bytes, not as text",
    label = "not text in JSON, so no strict schema",
    note = "use `String`, or `PathBuf` for the path of a file"
)]
pub trait TextInJson<'a> {}

/// Held by no length of time that serde writes as a list of its parts.
#[cfg(feature = "chrono")]
#[diagnostic::on_unimplemented(
    message = "serde writes `{Self}` as a list of seconds and nanoseconds, and no strict schema gives the places of a list \
               rules of their own",
    label = "a list of unlike parts has no strict schema",
    note = "use a number with the unit in its name, such as `timeout_seconds: u32`, or `std::time::Duration`"
)]
pub trait OnePartOnly<'a> {}

/// Held by what serde can borrow from JSON text.
#[diagnostic::on_unimplemented(
    message = "serde cannot borrow `{Self}` from a reply",
    label = "cannot be borrowed from JSON text",
    note = "only `&str` and `&Path` can be borrowed; use the owned type: `Vec<…>` for a slice, the type itself or a `Box` of it \
            for anything else"
)]
pub trait Borrowed {}

impl Borrowed for str {}
impl Borrowed for std::path::Path {}

/// What the impls here would have as schema, if their bounds held.
const NOTHING: SchemaRef = SchemaRef::new(&Schema::plain("nothing", Kind::Null));

impl<K, V, S> ResponseSchema for HashMap<K, V, S>
where
    Self: FixedKeys,
{
    const SCHEMA: SchemaRef = NOTHING;
}

impl<K, V> ResponseSchema for BTreeMap<K, V>
where
    Self: FixedKeys,
{
    const SCHEMA: SchemaRef = NOTHING;
}

#[cfg(feature = "indexmap")]
impl<K, V, S> ResponseSchema for indexmap::IndexMap<K, V, S>
where
    Self: FixedKeys,
{
    const SCHEMA: SchemaRef = NOTHING;
}

macro_rules! refuse {
    ($($type:ty: $bound:ident,)*) => {$(
        impl ResponseSchema for $type
        where
            for<'a> $type: $bound<'a>,
        {
            const SCHEMA: SchemaRef = NOTHING;
        }
    )*};
}

refuse! {
    serde_json::Value: KnownShape,
    serde_json::Map<String, serde_json::Value>: KnownShape,
    i128: Within64Bits,
    u128: Within64Bits,
    std::num::NonZero<i128>: Within64Bits,
    std::num::NonZero<u128>: Within64Bits,
    OsString: TextInJson,
    OsStr: TextInJson,
    CString: TextInJson,
    CStr: TextInJson,
}
