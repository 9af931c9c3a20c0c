//! Writing a line's object, member by member.

use serde::Serialize;

/// An object that is being written behind other bytes.
///
/// A fast run writes a line for every few microseconds of work. Of what `serde_json` takes for one, a third goes into looking at
/// keys and texts byte by byte for what must be escaped. Keys here are words of this crate that need no escapes, and texts are
/// looked at many bytes at a time; all else is left to `serde_json`.
pub(super) struct Object<'b> {
    bytes: &'b mut Vec<u8>,
}

impl<'b> Object<'b> {
    pub(super) fn begin(bytes: &'b mut Vec<u8>) -> Self {
        bytes.push(b'{');
        Self { bytes }
    }

    /// Closes it.
    pub(super) fn end(self) {
        if self.bytes.last() == Some(&b',') {
            self.bytes.pop();
        }
        self.bytes.push(b'}');
    }

    fn member(&mut self, key: &'static str, value: impl FnOnce(&mut Vec<u8>)) {
        self.bytes.push(b'"');
        self.bytes.extend_from_slice(key.as_bytes());
        self.bytes.extend_from_slice(b"\":");
        value(self.bytes);
        self.bytes.push(b',');
    }

    /// A member that is JSON already.
    pub(super) fn raw(&mut self, key: &'static str, json: &str) {
        self.member(key, |bytes| bytes.extend_from_slice(json.as_bytes()));
    }

    pub(super) fn text(&mut self, key: &'static str, text: &str) {
        if has(text, |byte| byte < b' ' || byte == b'"' || byte == b'\\') {
            return self.json(key, text);
        }
        self.member(key, |bytes| {
            bytes.push(b'"');
            bytes.extend_from_slice(text.as_bytes());
            bytes.push(b'"');
        });
    }

    pub(super) fn json<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) {
        self.member(key, |bytes| {
            let begin = bytes.len();
            // What is in memory can be written; what cannot is no entry when it is read again.
            if serde_json::to_writer(&mut *bytes, value).is_err() {
                bytes.truncate(begin);
            }
        });
    }

    /// A member that is left out if it is as usual.
    pub(super) fn unless<T: Serialize + PartialEq + ?Sized>(&mut self, usual: &T, key: &'static str, value: &T) {
        if value != usual {
            self.json(key, value);
        }
    }

    /// A member that is left out if there is none.
    pub(super) fn maybe_text(&mut self, key: &'static str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(key, text);
        }
    }

    pub(super) fn object(&mut self, key: &'static str, value: impl FnOnce(&mut Object<'_>)) {
        self.member(key, |bytes| {
            let mut object = Object::begin(bytes);
            value(&mut object);
            object.end();
        });
    }

    pub(super) fn list<T>(&mut self, key: &'static str, items: &[T], item: impl Fn(&T, &mut Object<'_>)) {
        self.member(key, |bytes| {
            bytes.push(b'[');
            for (at, one) in items.iter().enumerate() {
                if at > 0 {
                    bytes.push(b',');
                }
                let mut object = Object::begin(bytes);
                item(one, &mut object);
                object.end();
            }
            bytes.push(b']');
        });
    }
}

/// Whether a text has such a byte. All are looked at, many at a time: it rarely has.
pub(super) fn has(text: &str, such: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(false, |has, byte| has | such(byte))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn written(write: impl FnOnce(&mut Object<'_>)) -> Value {
        let mut bytes = Vec::new();
        let mut object = Object::begin(&mut bytes);
        write(&mut object);
        object.end();
        serde_json::from_slice(&bytes).expect("JSON")
    }

    #[test]
    fn members_of_all_sorts_are_json() {
        let value = written(|object| {
            object.raw("raw", "[1, 2]");
            object.json("json", &[Some("a\n"), None]);
            object.unless(&1, "usual", &1);
            object.unless(&1, "unusual", &2);
            object.maybe_text("none", None);
            object.maybe_text("some", Some(""));
            object.object("empty", |_| ());
            object.list("nothing", &[], |(): &(), _| ());
            object.list("list", &[1, 2], |number, object| object.unless(&1, "n", number));
        });
        let expected = json!({
            "raw": [1, 2], "json": ["a\n", null], "unusual": 2, "some": "", "empty": {}, "nothing": [], "list": [{}, {"n": 2}]
        });
        assert_eq!(value, expected);
    }

    #[test]
    fn texts_are_as_serde_json_writes_them() {
        for code in (0..0x3000).chain(0xfe00..0x1_0100) {
            let Some(c) = char::from_u32(code) else { continue };
            let text = format!("before {c} behind");
            let mut bytes = Vec::new();
            let mut object = Object::begin(&mut bytes);
            object.text("t", &text);
            object.end();
            assert_eq!(
                str::from_utf8(&bytes),
                Ok(&*serde_json::to_string(&json!({"t": text})).expect("JSON")),
                "{code}"
            );
        }
    }
}
