//! Marks of what is asked, and of what the answer must be.

use std::fmt;
use std::io::Write;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use crate::adapter::{Message, Parameters, ResponseFormat};
use crate::dialect::{Dialect, Refusal};
use crate::testing::cassette::wire;
use crate::worker::WorkerRequest;

/// The mark of what is asked: the conversation, and how the reply is made. It is the same for the same request on every
/// machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mark([u8; 16]);

/// The mark of a schema. It is the same as long as no key, rule or description of it changes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 16]);

impl Mark {
    /// The mark of a request: of its messages and parameters.
    #[must_use]
    pub fn of(request: &WorkerRequest) -> Self {
        let mut hashed = Hashed::default();
        for message in &request.messages {
            match message {
                Message::System { text } => hashed.text("system").text(text),
                Message::User { text } => hashed.text("user").text(text),
                // What the model said and what tools gave back may hold more than text.
                other => hashed.text("other").json(other),
            };
        }
        if request.parameters != Parameters::default() {
            hashed.text("parameters").json(&wire::parameters(&request.parameters));
        }
        Self(hashed.half())
    }

    /// Half of it, for tables.
    pub(super) fn half(self) -> u64 {
        self.0.first_chunk().copied().map_or(0, u64::from_le_bytes)
    }
}

impl Fingerprint {
    /// The mark of a schema, whatever the dialect in which it goes out.
    ///
    /// # Errors
    ///
    /// If the type has no schema at all.
    pub fn of(format: &ResponseFormat) -> Result<Self, Refusal> {
        let mut hashed = Hashed::default();
        match format.given() {
            Some(schema) => hashed.json(schema),
            None => hashed.text(&format.wire(&Dialect::GUIDANCE)?.json),
        };
        Ok(Self(hashed.half()))
    }
}

/// What a mark is made of: pieces, each with its end, so that no two lists of pieces run into one.
#[derive(Default)]
pub(super) struct Hashed(Sha256);

impl Hashed {
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
        self
    }

    pub(super) fn json(&mut self, value: &impl Serialize) -> &mut Self {
        // What is in memory can be written, and hashing does not fail.
        let _ = serde_json::to_writer(&mut *self, value);
        // No JSON text has this byte.
        self.0.update([0xff]);
        self
    }

    fn whole(self) -> [u8; 32] {
        self.0.finalize().into()
    }

    /// All of it, for the name of a file.
    pub(super) fn hexadecimal(self) -> String {
        self.whole().into_iter().flat_map(hexadecimal).map(char::from).collect()
    }

    /// 128 bits are enough to tell apart what is not made to look the same.
    fn half(self) -> [u8; 16] {
        let whole = self.whole();
        std::array::from_fn(|at| whole[at])
    }
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Writes and reads marks as hexadecimal digits.
macro_rules! hexadecimal {
    ($($mark:ty),*) => {$(
        impl fmt::Display for $mark {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(str::from_utf8(&digits(self.0)).unwrap_or_default())
            }
        }

        impl fmt::Debug for $mark {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl Serialize for $mark {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(str::from_utf8(&digits(self.0)).unwrap_or_default())
            }
        }

        impl<'de> Deserialize<'de> for $mark {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Digits).map(Self)
            }
        }
    )*};
}

hexadecimal!(Mark, Fingerprint);

/// Reads digits where they stand, without a text of their own.
struct Digits;

impl Visitor<'_> for Digits {
    type Value = [u8; 16];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("32 hexadecimal digits")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<[u8; 16], E> {
        let digits = text.as_bytes().try_into().ok().and_then(bytes);
        digits.ok_or_else(|| E::custom("a mark has 32 hexadecimal digits"))
    }
}

fn digits(bytes: [u8; 16]) -> [u8; 32] {
    let pairs = bytes.map(hexadecimal);
    std::array::from_fn(|at| pairs[at / 2][at % 2])
}

/// The two digits of a byte.
pub(super) fn hexadecimal(byte: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    [byte >> 4, byte & 15].map(|digit| DIGITS[usize::from(digit)])
}

/// What each byte is as a hexadecimal digit; 255 if it is none.
const VALUES: [u8; 256] = {
    let mut values = [u8::MAX; 256];
    let mut value = 0;
    while value < 16 {
        values[b"0123456789abcdef"[value as usize] as usize] = value;
        values[b"0123456789ABCDEF"[value as usize] as usize] = value;
        value += 1;
    }
    values
};

fn bytes(text: &[u8; 32]) -> Option<[u8; 16]> {
    let values = text.map(|digit| VALUES[usize::from(digit)]);
    let bytes = std::array::from_fn(|at| values[2 * at] << 4 | values[2 * at + 1]);
    values.iter().all(|value| *value < 16).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::SubTask;

    fn mark(task: SubTask) -> Mark {
        Mark::of(&task.into())
    }

    #[test]
    fn what_is_asked_has_its_mark() {
        let parameters = |seed| {
            let parameters = Parameters { seed: Some(seed), ..Parameters::default() };
            SubTask::new("a").parameters(parameters)
        };
        let all = [
            mark(SubTask::new("a")),
            mark(SubTask::new("b")),
            mark(SubTask::new("a").system("")),
            mark(SubTask::new("").system("a")),
            mark(SubTask::new("a").example("x", "y")),
            mark(SubTask::new("a").example("xy", "")),
            mark(parameters(1)),
            mark(parameters(2)),
        ];
        for (at, one) in all.iter().enumerate() {
            assert!(!all[..at].contains(one), "{at}");
        }
        assert_eq!(mark(SubTask::new("a")), all[0]);
    }

    #[test]
    fn marks_are_read_as_they_were_written() {
        let one = mark(SubTask::new("a"));
        let text = serde_json::to_string(&one).expect("text");
        assert_eq!(text, format!("\"{one}\""));
        assert_eq!(serde_json::from_str::<Mark>(&text).expect("a mark"), one);
        let capitals = format!("\"{}\"", text.trim_matches('"').to_uppercase());
        assert_eq!(serde_json::from_str::<Mark>(&capitals).expect("a mark"), one);
        for bad in ["\"\"", "\"0g000000000000000000000000000000\"", "\"00\"", "1"] {
            assert!(serde_json::from_str::<Mark>(bad).is_err(), "{bad}");
        }
    }
}
