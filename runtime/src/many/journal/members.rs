//! Reading a line's object, member by member.

use std::borrow::Cow;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::value::{BorrowedStrDeserializer, Error};

/// The members of an object that [`Object`](super::object::Object) wrote.
///
/// The checksum says that a line is as it was written: its members are in the order in which they are written here, and without
/// blanks. So only the next key is looked at, and texts without escapes, numbers and words are cut out where they stand; all else
/// is left to `serde_json`. Nothing is had of a member that is not as expected.
pub(super) struct Members<'l> {
    /// The key of the next member; empty behind the last.
    key: &'l str,
    /// From its value on, or from the end of the object.
    rest: &'l str,
}

/// A text that is borrowed where it has no escapes.
#[derive(Deserialize)]
struct Text<'l>(#[serde(borrow)] Cow<'l, str>);

impl<'l> Members<'l> {
    /// Those of the object that begins there.
    pub(super) fn of(object: &'l str) -> Option<Self> {
        Self::from(object.strip_prefix('{')?)
    }

    /// From the key that stands there on, if there is one.
    fn from(rest: &'l str) -> Option<Self> {
        let Some(key) = rest.strip_prefix('"') else { return Some(Self { key: "", rest }) };
        let (key, behind) = key.split_at_checked(memchr::memchr(b'"', key.as_bytes())?)?;
        Some(Self { key, rest: behind.strip_prefix("\":")? })
    }

    /// Goes on behind a value.
    fn go_on(&mut self, behind: &'l str) -> Option<()> {
        *self = Self::from(behind.strip_prefix(',').unwrap_or(behind))?;
        Some(())
    }

    /// Whether this member comes next.
    pub(super) fn is_next(&self, key: &str) -> bool {
        self.key == key
    }

    /// What stands behind the key of the next member, if it is this one.
    fn value(&self, key: &str) -> Option<&'l str> {
        self.is_next(key).then_some(self.rest)
    }

    /// A text without escapes, where it stands.
    fn plain(&mut self, key: &str) -> Option<&'l str> {
        let quoted = self.value(key)?.strip_prefix('"')?;
        let (text, behind) = quoted.split_at_checked(memchr::memchr2(b'"', b'\\', quoted.as_bytes())?)?;
        self.go_on(behind.strip_prefix('"')?)?;
        Some(text)
    }

    pub(super) fn text(&mut self, key: &str) -> Option<Cow<'l, str>> {
        match self.plain(key) {
            Some(text) => Some(Cow::Borrowed(text)),
            None => self.json(key).map(|Text(text)| text),
        }
    }

    /// A text that is left out if there is none.
    #[allow(clippy::option_option, reason = "what is not there is read, too")]
    pub(super) fn maybe_text(&mut self, key: &str) -> Option<Option<String>> {
        if self.is_next(key) { self.text(key).map(|text| Some(text.into_owned())) } else { Some(None) }
    }

    /// The name of a variant without fields.
    pub(super) fn word<T: Deserialize<'l>>(&mut self, key: &str) -> Option<T> {
        T::deserialize(BorrowedStrDeserializer::<Error>::new(self.plain(key)?)).ok()
    }

    pub(super) fn number<T: FromStr>(&mut self, key: &str) -> Option<T> {
        let value = self.value(key)?;
        let (digits, behind) = value.split_at_checked(memchr::memchr2(b',', b'}', value.as_bytes())?)?;
        self.go_on(behind)?;
        digits.parse().ok()
    }

    pub(super) fn json<T: Deserialize<'l>>(&mut self, key: &str) -> Option<T> {
        let text = self.value(key)?;
        let mut values = serde_json::Deserializer::from_str(text).into_iter();
        let value = values.next()?.ok()?;
        self.go_on(text.get(values.byte_offset()..)?)?;
        Some(value)
    }

    /// A member that is left out if it is as usual.
    pub(super) fn unless<T: Deserialize<'l>>(&mut self, usual: T, key: &str) -> Option<T> {
        if self.is_next(key) { self.json(key) } else { Some(usual) }
    }

    /// JSON as it stands, up to the last member that has the other key and is an object. There is no other such key behind
    /// that: within texts quotes are escaped.
    pub(super) fn raw_before(&mut self, key: &str, other: &str) -> Option<&'l str> {
        let value = self.value(key)?;
        let json = memchr::memrchr_iter(b'{', value.as_bytes())
            .find_map(|brace| value.get(..brace)?.strip_suffix("\":")?.strip_suffix(other)?.strip_suffix(",\""))?;
        self.go_on(value.get(json.len()..)?)?;
        Some(json)
    }

    pub(super) fn object<T>(&mut self, key: &str, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let mut members = Self::of(self.value(key)?)?;
        let value = read(&mut members)?;
        self.go_on(members.end()?)?;
        Some(value)
    }

    pub(super) fn list<T>(&mut self, key: &str, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut rest = self.value(key)?.strip_prefix('[')?;
        let mut all = Vec::with_capacity(1);
        loop {
            if let Some(behind) = rest.strip_prefix(']') {
                self.go_on(behind)?;
                return Some(all);
            }
            let mut members = Self::of(rest.strip_prefix(',').unwrap_or(rest))?;
            all.push(read(&mut members)?);
            rest = members.end()?;
        }
    }

    /// What stands behind the object, if no member is left.
    fn end(self) -> Option<&'l str> {
        self.value("")?.strip_prefix('}')
    }
}
