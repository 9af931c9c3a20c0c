//! Types that have no strict schema, and what to write instead.
//!
//! A type without any impl gets the message of [`ResponseSchema`], which cannot know the type.
//! The types here have an impl whose bound never holds; the compiler then shows the message of
//! the trait in that bound, under the type that the user wrote.
//!
//! The bounds are on [`Strict`] and not on the types themselves, for where both traits are asked
//! of one type, the compiler shows the message of the outer one. A bound without parameters is
//! rejected where it stands, unless it is over a lifetime: hence the `'a`s.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, CString, OsStr, OsString};

use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Kind, Schema};

/// The strict mode of structured output, as the one who refuses.
#[derive(Debug)]
pub struct Strict(());

/// Implemented for no map.
#[diagnostic::on_unimplemented(
    message = "a map has open keys, and a strict schema has none",
    label = "a map has no strict schema",
    note = "write `#[serde(with = \"response_schema::entries\")]` on a field of this type: the model then answers with a list of \
            `{{key, value}}` objects, and you still get the map",
    note = "or use a `Vec` of a struct with a field for the key and one for the value"
)]
pub trait TakesMap<M> {}

/// Implemented for no type that stands for any JSON.
#[cfg(feature = "json")]
#[diagnostic::on_unimplemented(
    message = "`{T}` stands for any JSON, and a strict schema cannot say \"anything\"",
    label = "any JSON has no strict schema",
    note = "write `#[serde(with = \"response_schema::json_text\")]` on a field of this type: the model then answers with JSON \
            text in a string, and you still get the value",
    note = "or say what is expected: a struct, or an enum of the forms that may occur"
)]
pub trait TakesAnything<'a, T> {}

/// Implemented for no integer of 128 bits.
#[diagnostic::on_unimplemented(
    message = "`{T}` is wider than the integers that providers and JSON readers keep exact",
    label = "128 bits have no strict schema",
    note = "use `i64` or `u64`, or a `String` with `#[response(pattern = r\"^-?[0-9]+$\")]` if the number may be larger"
)]
pub trait TakesWide<'a, T> {}

/// Implemented for no text of the operating system or of C.
#[diagnostic::on_unimplemented(
    message = "serde writes `{T}` as bytes, not as text",
    label = "not text in JSON, so no strict schema",
    note = "use `String`, or `PathBuf` for the path of a file"
)]
pub trait TakesBytes<'a, T: ?Sized> {}

/// Implemented for no length of time that serde writes as a list of its parts.
#[cfg(feature = "chrono")]
#[diagnostic::on_unimplemented(
    message = "serde writes `{T}` as a list of seconds and nanoseconds, and no strict schema gives the places of a list rules \
               of their own",
    label = "a list of unlike parts has no strict schema",
    note = "use a number with the unit in its name, such as `timeout_seconds: u32`, or `std::time::Duration`"
)]
pub trait TakesParts<'a, T> {}

/// Implemented for what serde can borrow from JSON text.
#[diagnostic::on_unimplemented(
    message = "serde cannot borrow `{T}` from a reply",
    label = "cannot be borrowed from JSON text",
    note = "only `&str` and `&Path` can be borrowed; use the owned type: `Vec<…>` for a slice, the type itself or a `Box` of it \
            for anything else"
)]
pub trait Lends<T: ?Sized> {}

#[diagnostic::do_not_recommend]
impl Lends<str> for Strict {}
#[diagnostic::do_not_recommend]
impl Lends<std::path::Path> for Strict {}

/// What the impls here would have as schema, if their bounds held.
const NOTHING: SchemaRef = SchemaRef::new(&Schema::plain("nothing", Kind::Null));

impl<K, V, S> ResponseSchema for HashMap<K, V, S>
where
    Strict: TakesMap<Self>,
{
    const SCHEMA: SchemaRef = NOTHING;
}

impl<K, V> ResponseSchema for BTreeMap<K, V>
where
    Strict: TakesMap<Self>,
{
    const SCHEMA: SchemaRef = NOTHING;
}

#[cfg(feature = "indexmap")]
impl<K, V, S> ResponseSchema for indexmap::IndexMap<K, V, S>
where
    Strict: TakesMap<Self>,
{
    const SCHEMA: SchemaRef = NOTHING;
}

macro_rules! refuse {
    ($($(#[$cfg:meta])? $type:ty: $takes:ident,)*) => {$(
        $(#[$cfg])?
        impl ResponseSchema for $type
        where
            for<'a> Strict: $takes<'a, $type>,
        {
            const SCHEMA: SchemaRef = NOTHING;
        }
    )*};
}

refuse! {
    #[cfg(feature = "json")]
    serde_json::Value: TakesAnything,
    #[cfg(feature = "json")]
    serde_json::Map<String, serde_json::Value>: TakesAnything,
    i128: TakesWide,
    u128: TakesWide,
    std::num::NonZero<i128>: TakesWide,
    std::num::NonZero<u128>: TakesWide,
    OsString: TakesBytes,
    OsStr: TakesBytes,
    CString: TakesBytes,
    CStr: TakesBytes,
    #[cfg(feature = "chrono")]
    chrono::TimeDelta: TakesParts,
}
