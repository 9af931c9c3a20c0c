//! Maps as lists of entries: `#[serde(with = "response_schema::entries")]`.
//!
//! A strict schema knows every key of an object, so a map with keys of its own cannot be one. On
//! the wire it becomes a list of `{key, value}` objects; in Rust it stays a map:
//!
//! ```
//! # use std::collections::HashMap;
//! # use serde::Deserialize;
//! #[derive(Deserialize)]
//! struct Report {
//!     /// How often each word occurs.
//!     #[serde(with = "response_schema::entries")]
//!     counts: HashMap<String, u32>,
//! }
//!
//! let report: Report = serde_json::from_str(r#"{"counts": [{"key": "the", "value": 7}]}"#)?;
//! assert_eq!(report.counts["the"], 7);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! It works on a `HashMap`, a `BTreeMap`, an `IndexMap` (feature `indexmap`), and on an `Option`
//! of one; the key may be of any type that has a schema. A key that occurs twice is refused, for
//! one of the two values would be lost.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::check::{Checks, Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Arg, Field, Kind, Schema, key_hash};

/// The schema of a map's entries; `M` is the map, or an `Option` of it.
///
/// The derive puts it in the place of a field with `#[serde(with = "response_schema::entries")]`.
/// It has no values.
#[derive(Debug)]
pub struct Entries<M: ?Sized>(PhantomData<M>);

impl<M: EntriesOf + ?Sized> ResponseSchema for Entries<M> {
    const SCHEMA: SchemaRef = M::ENTRIES;
}

/// Reads a map from a list of entries.
pub fn deserialize<'de, D, M>(deserializer: D) -> Result<M, D::Error>
where
    D: Deserializer<'de>,
    M: ReadEntries<'de>,
{
    M::read(deserializer)
}

/// Writes a map as a list of entries.
pub fn serialize<M, S>(map: &M, serializer: S) -> Result<S::Ok, S::Error>
where
    M: WriteEntries + ?Sized,
    S: Serializer,
{
    map.write(serializer)
}

/// Adds what is wrong with the keys and values of a map beyond their types.
///
/// The place of a value is that of its entry when the map is written: for a map that has lost
/// the order of the reply, that of its own order.
pub fn check<M: EntriesOf + ?Sized>(map: &M, at: Path<'_>, found: &mut Violations) {
    map.check_entries(at, found);
}

/// Adds what is wrong with a map by the rules of its field (`min_items`, `max_items`).
pub fn check_rules<M: EntriesOf + ?Sized>(map: &M, checks: Checks, at: Path<'_>, found: &mut Violations) {
    if let Some(length) = map.count() {
        checks.items(length, "element", at, found);
    }
}

/// A map, or an `Option` of one, whose keys and values have schemas.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`response_schema::entries` carries maps, and `{Self}` is none",
    label = "not a map",
    note = "it works on `HashMap`, `BTreeMap` and `IndexMap` (feature `indexmap`), and on an `Option` of one of them; for any \
            other type leave the attribute out, and put a map that is inside of one into a struct of its own"
)]
pub trait EntriesOf {
    /// The type whose schema is that of the entries.
    type List: ResponseSchema;

    /// The schema of the entries.
    const ENTRIES: SchemaRef;

    /// How many entries there are, if there is a map.
    fn count(&self) -> Option<usize>;

    /// Adds what is wrong with the entries.
    fn check_entries(&self, at: Path<'_>, found: &mut Violations);
}

/// A map, or an `Option` of one, that can be read from entries.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`response_schema::entries` cannot read `{Self}`",
    label = "not a map that can be read from entries",
    note = "it works on `HashMap`, `BTreeMap` and `IndexMap` (feature `indexmap`), and on an `Option` of one of them; key and \
            value must implement `Deserialize`"
)]
pub trait ReadEntries<'de>: Sized {
    /// Reads it.
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// A map, or an `Option` of one, that can be written as entries.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`response_schema::entries` cannot write `{Self}`",
    label = "not a map that can be written as entries",
    note = "it works on `HashMap`, `BTreeMap` and `IndexMap` (feature `indexmap`), and on an `Option` of one of them; key and \
            value must implement `Serialize`"
)]
pub trait WriteEntries {
    /// Writes it.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// One entry, as it is written.
#[derive(Serialize)]
struct Written<'a, K, V> {
    key: &'a K,
    value: &'a V,
}

/// One entry, as it is read.
#[derive(Deserialize)]
struct Entry<K, V> {
    key: Named<K>,
    value: V,
}

/// A key together with its text, to name it by if it occurs twice.
struct Named<K> {
    key: K,
    name: Option<String>,
}

impl<'de, K: Deserialize<'de>> Deserialize<'de> for Named<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // A key need not be `Debug`, so its name is taken from the wire. Formats that are not
        // for people cannot read a value without knowing its type.
        if !deserializer.is_human_readable() {
            return Ok(Self { key: K::deserialize(deserializer)?, name: None });
        }
        #[cfg(feature = "json")]
        {
            let wire = serde_json::Value::deserialize(deserializer)?;
            let name = wire.to_string();
            let key = K::deserialize(wire).map_err(D::Error::custom)?;
            Ok(Self { key, name: Some(name) })
        }
        #[cfg(not(feature = "json"))]
        Ok(Self { key: K::deserialize(deserializer)?, name: None })
    }
}

/// The schema of a map's entries, whatever the map.
struct Of<K, V>(PhantomData<(K, V)>);

impl<K: ResponseSchema, V: ResponseSchema> Of<K, V> {
    const ENTRY: SchemaRef = SchemaRef::new(
        &Schema::plain(
            "Entry",
            Kind::object(&[
                Field::new("\"key\":", key_hash("key"), K::SCHEMA),
                Field::new("\"value\":", key_hash("value"), V::SCHEMA),
            ]),
        )
        .of(&[Arg::Type(K::SCHEMA), Arg::Type(V::SCHEMA)]),
    );

    const ENTRIES: SchemaRef = SchemaRef::new(
        &Schema::plain("Entries", Kind::Array(Self::ENTRY)).of(&[Arg::Type(K::SCHEMA), Arg::Type(V::SCHEMA)]),
    );
}

fn check_each<'a, K: ResponseSchema + 'a, V: ResponseSchema + 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    at: Path<'_>,
    found: &mut Violations,
) {
    for (index, (key, value)) in entries.enumerate() {
        let at = at.index(index);
        key.check(at.key("key"), found);
        value.check(at.key("value"), found);
    }
}

/// A map to read entries into.
trait Grow<K, V>: Default {
    /// Adds an entry; false if the key is there already.
    fn put(&mut self, key: K, value: V) -> bool;
}

/// Reads entries into a map.
struct EntriesVisitor<M, K, V>(PhantomData<(M, K, V)>);

impl<'de, M, K, V> Visitor<'de> for EntriesVisitor<M, K, V>
where
    M: Grow<K, V>,
    K: Deserialize<'de>,
    V: Deserialize<'de>,
{
    type Value = M;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects with a `key` and a `value`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<M, A::Error> {
        let mut map = M::default();
        while let Some(Entry { key: Named { key, name }, value }) = entries.next_element()? {
            if !map.put(key, value) {
                let name = name.unwrap_or_else(|| "a key".to_owned());
                return Err(A::Error::custom(format_args!("the key {name} occurs twice")));
            }
        }
        Ok(map)
    }
}

/// Implements the traits above for maps: each with what its keys must be to be read, how it is
/// asked for a free place, and what such a place is.
macro_rules! maps {
    ($([$($key:tt)*] $type:ty $(, $hasher:ident)?: $($entry:ident)::+;)*) => {$(
        impl<K, V $(, $hasher)?> EntriesOf for $type
        where
            K: ResponseSchema,
            V: ResponseSchema,
        {
            type List = Entries<Self>;

            const ENTRIES: SchemaRef = Of::<K, V>::ENTRIES;

            fn count(&self) -> Option<usize> {
                Some(self.len())
            }

            fn check_entries(&self, at: Path<'_>, found: &mut Violations) {
                check_each(self.iter(), at, found);
            }
        }

        impl<K: $($key)*, V $(, $hasher: BuildHasher + Default)?> Grow<K, V> for $type {
            fn put(&mut self, key: K, value: V) -> bool {
                match self.entry(key) {
                    $($entry)::+::Occupied(_) => false,
                    $($entry)::+::Vacant(place) => {
                        place.insert(value);
                        true
                    }
                }
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'de, K, V $(, $hasher)?> ReadEntries<'de> for $type
        where
            K: Deserialize<'de> + $($key)*,
            V: Deserialize<'de>,
            $($hasher: BuildHasher + Default,)?
        {
            fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_seq(EntriesVisitor(PhantomData))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<K: Serialize, V: Serialize $(, $hasher)?> WriteEntries for $type {
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.iter().map(|(key, value)| Written { key, value }))
            }
        }
    )*};
}

maps! {
    [Eq + Hash] HashMap<K, V, H>, H: std::collections::hash_map::Entry;
    [Ord] BTreeMap<K, V>: std::collections::btree_map::Entry;
}
#[cfg(feature = "indexmap")]
maps! {
    [Eq + Hash] indexmap::IndexMap<K, V, H>, H: indexmap::map::Entry;
}

impl<M: EntriesOf> EntriesOf for Option<M> {
    type List = Entries<Self>;

    const ENTRIES: SchemaRef =
        SchemaRef::new(&Schema::plain("Option", Kind::Nullable(M::ENTRIES)).of(&[Arg::Type(M::ENTRIES)]));

    fn count(&self) -> Option<usize> {
        self.as_ref().and_then(M::count)
    }

    fn check_entries(&self, at: Path<'_>, found: &mut Violations) {
        if let Some(map) = self {
            map.check_entries(at, found);
        }
    }
}

#[diagnostic::do_not_recommend]
impl<'de, M: ReadEntries<'de>> ReadEntries<'de> for Option<M> {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read<M>(M);

        impl<'de, M: ReadEntries<'de>> Deserialize<'de> for Read<M> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                M::read(deserializer).map(Self)
            }
        }

        Ok(Option::deserialize(deserializer)?.map(|Read(map)| map))
    }
}

#[diagnostic::do_not_recommend]
impl<M: WriteEntries> WriteEntries for Option<M> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Write<'a, M>(&'a M);

        impl<M: WriteEntries> Serialize for Write<'_, M> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.write(serializer)
            }
        }

        self.as_ref().map(Write).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};

    use serde::{Deserialize, Serialize};
    use serde_json::{from_str, json, to_value};

    use super::EntriesOf;
    use crate::check::{Path, Violations};
    use crate::schema::ResponseSchema;
    use crate::schema::edge::SchemaRef;

    #[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
    struct Both {
        #[serde(with = "crate::entries")]
        ages: BTreeMap<String, u8>,
        #[serde(with = "crate::entries")]
        names: Option<HashMap<(i8, i8), String>>,
    }

    #[test]
    fn maps_come_back_as_they_went() {
        let wire = json!({
            "ages": [{"key": "Ada", "value": 36}, {"key": "Kurt", "value": 71}],
            "names": [{"key": [1, -1], "value": "corner"}],
        });
        let both: Both = serde_json::from_value(wire.clone()).expect("entries");
        assert_eq!(both.ages["Kurt"], 71);
        assert_eq!(to_value(&both).expect("json"), wire);
        let none: Both = from_str(r#"{"ages": [], "names": null}"#).expect("no entries");
        assert_eq!(none, Both { ages: BTreeMap::new(), names: None });
        assert_eq!(to_value(&none).expect("json"), json!({"ages": [], "names": null}));
    }

    #[test]
    fn a_key_that_occurs_twice_is_named() {
        let twice = r#"{"ages": [{"key": "Ada", "value": 1}, {"key": "Ada", "value": 2}], "names": null}"#;
        let error = from_str::<Both>(twice).expect_err("twice").to_string();
        assert!(error.starts_with("the key \"Ada\" occurs twice"), "{error}");
    }

    #[test]
    fn what_is_no_list_of_entries_is_refused() {
        for (wire, said) in [
            (r#"{"ages": {"Ada": 1}, "names": null}"#, "a list of objects with a `key` and a `value`"),
            (r#"{"ages": [{"value": 1}], "names": null}"#, "missing field `key`"),
            (r#"{"ages": [{"key": 1, "value": 1}], "names": null}"#, "expected a string"),
            (r#"{"ages": null, "names": null}"#, "a list of objects"),
        ] {
            let error = from_str::<Both>(wire).expect_err(wire).to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn values_are_checked_in_their_place() {
        struct Picky(u8);
        impl ResponseSchema for Picky {
            const SCHEMA: SchemaRef = <()>::SCHEMA;

            fn check(&self, at: Path<'_>, found: &mut Violations) {
                found.add(at, "something else", self.0.to_string());
            }
        }

        let map = Some(BTreeMap::from([(1_u8, Picky(2))]));
        let mut found = Violations::new();
        map.check_entries(Path::ROOT.key("field"), &mut found);
        assert_eq!(found.to_string(), "`field[0].value`: expected something else, found 2");
    }
}
