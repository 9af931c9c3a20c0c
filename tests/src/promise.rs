//! What decoding promises of every reply, to be asked of any number of them.

use std::sync::OnceLock;

use response_schema::decode::{Decoder, Finish, Leniency};
use serde_json::Value;

use crate::fixtures::{Fixture, all};
use crate::judge::{Validator, settled, sorted};
use crate::noise::{Bytes, Choices, around, faulty, torn};
use crate::{hostile, schemas};

/// A fixture with its judge.
#[derive(Debug)]
pub struct Subject {
    fixture: &'static Fixture,
    schema: Value,
    judge: Validator,
}

/// Every fixture with its judge, made once.
///
/// # Panics
///
/// If a fixture's schema is none.
pub fn subjects() -> &'static [Subject] {
    static ALL: OnceLock<Vec<Subject>> = OnceLock::new();
    ALL.get_or_init(|| {
        let subject = |fixture: &'static Fixture| Subject {
            fixture,
            schema: serde_json::from_str(fixture.full).expect("a schema is JSON"),
            judge: Validator::new(fixture.full).expect("a schema is one"),
        };
        all().into_iter().map(subject).collect()
    })
}

/// A question by a fuzzer's bytes. It panics if a promise is broken.
pub type Question = fn(&[u8]);

/// The questions of `tests/fuzz`, by the names of the targets.
pub const QUESTIONS: &[(&str, Question)] =
    &[("decode", decode), ("decode_value", decode_value), ("decode_bytes", decode_bytes), ("dynamic", dynamic)];

/// Instances of types, with noise, with faults, and torn, as replies of the type.
///
/// # Panics
///
/// If a promise is broken.
pub fn decode(data: &[u8]) {
    let mut choices = Bytes(data);
    let subject = choices.pick(subjects());
    let decoder = decoder(&mut choices);
    subject.typed(&subject.made(&mut choices), &decoder);
}

/// Instances of schemas, with noise, with faults, and torn; and plain text, against the schema alone.
///
/// # Panics
///
/// If a promise is broken.
pub fn decode_value(data: &[u8]) {
    let mut choices = Bytes(data);
    let subject = choices.pick(subjects());
    let decoder = decoder(&mut choices);
    if choices.once_in(2) {
        subject.value(&String::from_utf8_lossy(choices.0), &decoder);
    } else {
        subject.dynamic(&subject.made(&mut choices), &decoder);
    }
}

/// Any bytes as the reply of a type.
///
/// # Panics
///
/// If a promise is broken.
pub fn decode_bytes(data: &[u8]) {
    let mut choices = Bytes(data);
    let subject = choices.pick(subjects());
    let decoder = decoder(&mut choices);
    subject.bytes(choices.0, &decoder);
}

/// Schemas as people and tools write them, and any JSON in place of one: judged, made strict and lowered.
///
/// # Panics
///
/// If a promise is broken.
pub fn dynamic(data: &[u8]) {
    let mut choices = Bytes(data);
    if !choices.once_in(2) {
        hostile::dynamic(&schemas::schema(&mut choices));
    } else if let Ok(schema) = serde_json::from_slice(choices.0) {
        hostile::dynamic(&schema);
    }
}

/// A decoder with any settings.
pub fn decoder(choices: &mut impl Choices) -> Decoder {
    Decoder::new()
        .leniency(*choices.pick(&[Leniency::Repair, Leniency::Extract, Leniency::Strict]))
        .finish(*choices.pick(&[Finish::Unknown, Finish::Stop, Finish::Length, Finish::Filtered]))
}

/// A reply made of an instance: with noise around it, with faults in its syntax, or torn.
#[derive(Debug)]
pub struct Made {
    /// The instance.
    pub sample: String,
    /// The reply.
    pub text: String,
    /// Whether the reply still means the instance.
    pub sound: bool,
    /// Whether the instance is in the reply as it was.
    pub intact: bool,
}

impl Subject {
    /// A reply made of an instance of the type.
    ///
    /// # Panics
    ///
    /// If an instance is not JSON.
    pub fn made(&self, choices: &mut impl Choices) -> Made {
        let sample = (self.fixture.sample)(choices.below(1 << 16) as u64);
        let (text, sound, intact) = match choices.below(4) {
            0 => (around(&sample, choices), true, true),
            1 | 2 => {
                let document = serde_json::from_str(&sample).expect("an instance is JSON");
                let text = faulty(&document, choices);
                (around(&text, choices), true, false)
            }
            _ => {
                let whole = around(&sample, choices);
                let other = (choices.pick(subjects()).fixture.sample)(choices.below(256) as u64);
                (torn(&whole, &other, choices), false, false)
            }
        };
        // Of an object without a key nothing tells that it is the answer.
        Made { sound: sound && !has_nothing(&sample), sample, text, intact }
    }

    /// Whether a document satisfies the schema; or why not.
    fn judge(&self, document: &str) -> Result<(), String> {
        // Whether these are whitespace in a pattern, engines differ about; ours takes them for both.
        if self.fixture.full.contains("\"pattern\"") && document.contains(['\u{85}', '\u{feff}']) {
            return Ok(());
        }
        self.judge.judge(document)
    }

    /// What is written is read as the same, without any repair.
    ///
    /// # Panics
    ///
    /// If the promise is broken.
    #[must_use]
    pub fn reads_what_is_written(&self, sample: &str) -> String {
        let name = self.fixture.name;
        let done = (self.fixture.decode)(&Decoder::new(), sample.as_bytes());
        let done = done.unwrap_or_else(|error| panic!("{name}: {sample} is refused: {error}"));
        assert!(done.repairs.is_empty(), "{name}: {sample} by {:?}", done.repairs);
        if self.fixture.lossless {
            assert_eq!(settled(&done.value), settled(sample), "{name}: {sample}");
        }
        if self.fixture.two_sided {
            let again = (self.fixture.decode)(&Decoder::new(), done.value.as_bytes());
            let again = again.unwrap_or_else(|error| panic!("{name}: {} is refused: {error}", done.value));
            assert_eq!(sorted(&again.value), sorted(&done.value), "{name}: {sample}");
        }
        done.value
    }

    /// A reply that still means its instance is read as that; whatever is read satisfies the schema.
    ///
    /// # Panics
    ///
    /// If the promise is broken.
    pub fn typed(&self, made: &Made, decoder: &Decoder) {
        let Made { sample, text, sound, intact } = made;
        let name = self.fixture.name;
        let meant = self.reads_what_is_written(sample);
        if *sound {
            let done = (self.fixture.decode)(&Decoder::new(), text.as_bytes());
            let done = done.unwrap_or_else(|error| panic!("{name}: {text}\nis refused: {error}"));
            assert_eq!(settled(&done.value), settled(&meant), "{name}: {text}\nby {:?}", done.repairs);
            if *intact {
                assert_eq!(done.repairs, [], "{name}: {text}");
                assert_eq!(text.get(done.span.clone()).map(str::trim), Some(sample.as_str()), "{name}: {text}");
            }
        }
        self.bytes(text.as_bytes(), decoder);
    }

    /// Whatever is read of bytes satisfies the schema, and is read as the same again.
    ///
    /// # Panics
    ///
    /// If the promise is broken.
    pub fn bytes(&self, bytes: &[u8], decoder: &Decoder) {
        let Ok(done) = (self.fixture.decode)(decoder, bytes) else { return };
        if !self.fixture.two_sided {
            return;
        }
        let (name, text) = (self.fixture.name, String::from_utf8_lossy(bytes));
        if let Err(fault) = self.judge(&done.value) {
            panic!("{name}: {text}\nis read as {}, {fault}", done.value);
        }
        let again = (self.fixture.decode)(&Decoder::new().leniency(Leniency::Strict), done.value.as_bytes());
        let again = again.unwrap_or_else(|error| panic!("{name}: {} is refused: {error}", done.value));
        assert_eq!(sorted(&again.value), sorted(&done.value), "{name}: {text}");
    }

    /// The same without a type: against the JSON Schema alone.
    ///
    /// # Panics
    ///
    /// If the promise is broken.
    pub fn dynamic(&self, made: &Made, decoder: &Decoder) {
        let Made { sample, text, sound, .. } = made;
        let name = self.fixture.name;
        if *sound {
            let done = Decoder::new().decode_value(text, &self.schema);
            let done = done.unwrap_or_else(|error| panic!("{name}: {text}\nis refused: {error}"));
            let meant: Value = serde_json::from_str(sample).expect("an instance is JSON");
            assert_eq!(done.value, meant, "{name}: {text}\nby {:?}", done.repairs);
        }
        self.value(text, decoder);
    }

    /// Whatever is read of a text satisfies the JSON Schema, and is read as the same again.
    ///
    /// # Panics
    ///
    /// If the promise is broken.
    pub fn value(&self, text: &str, decoder: &Decoder) {
        let Ok(done) = decoder.decode_value(text, &self.schema) else { return };
        let name = self.fixture.name;
        let written = done.value.to_string();
        if let Err(fault) = self.judge(&written) {
            panic!("{name}: {text}\nis read as {written}, {fault}");
        }
        assert!(text.get(done.span.clone()).is_some(), "{name}: {text} {:?}", done.span);
        let again = Decoder::new().leniency(Leniency::Strict).decode_value(&written, &self.schema);
        let again = again.unwrap_or_else(|error| panic!("{name}: {written} is refused: {error}"));
        assert_eq!(again.value, done.value, "{name}: {text}");
    }
}

/// Whether a document is an object without a member.
fn has_nothing(document: &str) -> bool {
    document.trim() == "{}"
}
