//! The document that is read: places in it, and where its references lead.

use std::borrow::Cow;

use serde_json::Value;

/// How deep JSON may nest in a schema that is read.
pub(super) const MOST_LEVELS: usize = 256;

/// A place in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place(u32);

/// A schema, and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) value: &'a Value,
    pub(super) place: Place,
}

impl At<'_> {
    /// Tells schemas of the document apart.
    pub(super) fn identity(self) -> usize {
        std::ptr::from_ref(self.value) as usize
    }
}

/// Why a reference leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Astray {
    /// Out of the document.
    External,
    /// By an anchor.
    Anchor,
    /// To nothing.
    Dangling,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// A JSON document and the places in it that were visited.
#[derive(Debug)]
pub(super) struct Document<'a> {
    root: &'a Value,
    /// The way to each place: the place above, and the step from there. The first is the root.
    places: Vec<(Place, Step<'a>)>,
}

impl<'a> Document<'a> {
    /// `size` is how many values it has; fewer than half of them are schemas, or hold some.
    pub(super) fn new(root: &'a Value, size: usize) -> Self {
        let mut places = Vec::with_capacity(1 + size / 2);
        places.push((Place(0), Step::Index(0)));
        Self { root, places }
    }

    pub(super) fn root(&self) -> At<'a> {
        At { value: self.root, place: Place(0) }
    }

    /// The member `key` of the schema at `above`.
    pub(super) fn member(&mut self, above: Place, key: &'a str, value: &'a Value) -> At<'a> {
        self.step(above, Step::Key(key), value)
    }

    /// The element `index` of the list at `above`.
    pub(super) fn element(&mut self, above: Place, index: usize, value: &'a Value) -> At<'a> {
        self.step(above, Step::Index(index), value)
    }

    /// The members of the keyword `keyword` of the schema at `above`, if it is a list.
    pub(super) fn list(&mut self, above: Place, keyword: &'static str, value: &'a Value) -> Vec<At<'a>> {
        let holder = self.member(above, keyword, value);
        let list = value.as_array().map_or(&[][..], Vec::as_slice);
        list.iter().enumerate().map(|(index, value)| self.element(holder.place, index, value)).collect()
    }

    fn step(&mut self, above: Place, step: Step<'a>, value: &'a Value) -> At<'a> {
        // A document with more places does not fit into memory: each is a schema of several bytes.
        let place = Place(u32::try_from(self.places.len()).unwrap_or(u32::MAX));
        self.places.push((above, step));
        At { value, place }
    }

    /// The JSON pointer of a place.
    pub(super) fn pointer(&self, place: Place) -> String {
        let mut text = String::with_capacity(48);
        self.put_pointer(place, &mut text);
        text
    }

    /// The last key of the way to a place; nothing for the root.
    pub(super) fn key(&self, place: Place) -> Option<Cow<'a, str>> {
        let (_, step) = self.places.get(place.0 as usize).filter(|_| place != Place(0))?;
        Some(match step {
            Step::Key(key) => Cow::Borrowed(*key),
            Step::Index(index) => Cow::Owned(index.to_string()),
        })
    }

    /// Puts the way to a place: first that to the place above. Places are no deeper than the document.
    fn put_pointer(&self, place: Place, text: &mut String) {
        if place == Place(0) {
            return;
        }
        let Some((above, step)) = self.places.get(place.0 as usize) else { return };
        self.put_pointer(*above, text);
        text.push('/');
        match step {
            Step::Key(key) => text.push_str(&escape(key)),
            Step::Index(index) => text.push_str(&index.to_string()),
        }
    }

    /// Where a reference leads.
    pub(super) fn resolve(&mut self, reference: &str) -> Result<At<'a>, Astray> {
        let pointer = self.local(reference)?;
        let mut at = self.root();
        for token in pointer.split('/').skip(1) {
            let token = unescape(token).ok_or(Astray::Dangling)?;
            at = match at.value {
                Value::Object(map) => {
                    let (key, value) = map.get_key_value(token.as_ref()).ok_or(Astray::Dangling)?;
                    self.member(at.place, key, value)
                }
                Value::Array(list) => {
                    let index = token.parse().map_err(|_| Astray::Dangling)?;
                    self.element(at.place, index, list.get(index).ok_or(Astray::Dangling)?)
                }
                _ => return Err(Astray::Dangling),
            };
        }
        Ok(at)
    }

    /// The pointer of a reference into this document.
    fn local<'r>(&self, reference: &'r str) -> Result<Cow<'r, str>, Astray> {
        let fragment = match reference.split_once('#') {
            Some(("", fragment)) => fragment,
            Some((base, fragment)) if self.is_own(base) => fragment,
            None if self.is_own(reference) => "",
            _ => return Err(Astray::External),
        };
        let pointer = decode(fragment).ok_or(Astray::Dangling)?;
        if pointer.is_empty() || pointer.starts_with('/') { Ok(pointer) } else { Err(Astray::Anchor) }
    }

    fn is_own(&self, base: &str) -> bool {
        let id = self.root.get("$id").and_then(Value::as_str);
        id.is_some_and(|id| !base.is_empty() && id.trim_end_matches('#') == base)
    }
}

/// How many values a document has, itself included; nothing if it nests deeper than this crate reads.
pub(super) fn size(root: &Value) -> Option<usize> {
    size_below(root, 0)
}

fn size_below(value: &Value, level: usize) -> Option<usize> {
    if level > MOST_LEVELS {
        return None;
    }
    let mut size = 1;
    let mut add = |inner: &Value| {
        let holds = inner.is_array() || inner.is_object();
        size += if holds { size_below(inner, level + 1)? } else { 1 };
        Some(())
    };
    match value {
        Value::Array(list) => list.iter().try_for_each(&mut add)?,
        Value::Object(map) => map.values().try_for_each(&mut add)?,
        _ => {}
    }
    Some(size)
}

/// A key as a token of a JSON pointer.
pub(super) fn escape(key: &str) -> Cow<'_, str> {
    if key.bytes().any(|b| matches!(b, b'~' | b'/')) {
        Cow::Owned(key.replace('~', "~0").replace('/', "~1"))
    } else {
        Cow::Borrowed(key)
    }
}

/// A token of a JSON pointer as a key.
fn unescape(token: &str) -> Option<Cow<'_, str>> {
    if !token.contains('~') {
        return Some(Cow::Borrowed(token));
    }
    let sound = token.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    sound.then(|| Cow::Owned(token.replace("~1", "/").replace("~0", "~")))
}

/// A URI fragment without its percent signs.
fn decode(fragment: &str) -> Option<Cow<'_, str>> {
    if !fragment.contains('%') {
        return Some(Cow::Borrowed(fragment));
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes().iter();
    while let Some(&byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(*rest.next()?).to_digit(16);
        bytes.push(u8::try_from(digit()? * 16 + digit()?).ok()?);
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pointers_are_read_and_written_with_their_escapes() {
        let root = json!({"$id": "https://e.example/s", "$defs": {"a/b~c d": {"type": "null"}, "é": [1, {"x": 2}]}});
        let mut document = Document::new(&root, 0);
        let mut lead = |reference: &str| document.resolve(reference).map(|at| at.value.clone());
        for reference in [
            "#/$defs/a~1b~0c%20d",
            "#/$defs/a~1b~0c d",
            "https://e.example/s#/$defs/a~1b~0c%20d",
            "#/%24defs/a%7E1b~0c d",
        ] {
            assert_eq!(lead(reference), Ok(json!({"type": "null"})), "{reference}");
        }
        assert_eq!(lead("#/$defs/%C3%A9/1/x"), Ok(json!(2)));
        assert_eq!(lead("#"), Ok(root.clone()));
        assert_eq!(lead("https://e.example/s"), Ok(root.clone()));
        for reference in
            ["#/$defs/none", "#/$defs/a~2", "#/$defs/%zz", "#/$defs/%C3", "#/$defs/é/7", "#/$defs/é/x", "#/$defs/é/0/x"]
        {
            assert_eq!(lead(reference), Err(Astray::Dangling), "{reference}");
        }
        assert_eq!(lead("#name"), Err(Astray::Anchor));
        for reference in ["other.json", "https://f.example/s#/$defs/x", "", "/x"] {
            assert_eq!(lead(reference), Err(Astray::External), "{reference}");
        }
        let at = document.resolve("#/$defs/a~1b~0c d").unwrap();
        assert_eq!(document.pointer(at.place), "/$defs/a~1b~0c d");
    }
}
