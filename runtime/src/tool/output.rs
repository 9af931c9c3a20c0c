//! What the functions of tools give back.
//!
//! Values and `Result`s overlap: serde serializes a `Result`, too. The type parameter of [`ToolOutput`] keeps the
//! cases apart, and inference finds the one that fits.

use serde::Serialize;
use serde::ser::{Impossible, Serializer};

/// How a value is told to the model. The parameter is found by inference.
pub mod by {
    /// Values that serialize. A `Result` is among them, and its `Err` is an error.
    #[derive(Debug)]
    pub struct Value;

    /// Results whose error is one of `std`'s trait.
    #[derive(Debug)]
    pub struct Error;

    /// Results whose error is behind a pointer: those of anyhow and its like.
    #[derive(Debug)]
    pub struct Erased;
}

/// What a tool's function gives back.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be told to a model",
    label = "neither a value that serializes nor a `Result` of one",
    note = "derive `serde::Serialize` for it, or return a `Result` whose error implements `std::error::Error` or serializes"
)]
pub trait ToolOutput<M> {
    /// The text for the model; or what went wrong.
    #[doc(hidden)]
    fn into_result(self) -> Result<String, String>;
}

impl<T: Serialize> ToolOutput<by::Value> for T {
    fn into_result(self) -> Result<String, String> {
        match self.serialize(ErrOnly) {
            Ok(Told::Err(words)) => Err(words),
            Ok(Told::Text(text)) => Ok(text),
            Err(_) => json(&self),
        }
    }
}

impl<T: Serialize, E: std::error::Error> ToolOutput<by::Error> for Result<T, E> {
    fn into_result(self) -> Result<String, String> {
        self.map_err(|error| causes(&error)).and_then(ToolOutput::<by::Value>::into_result)
    }
}

impl<T: Serialize, E: AsRef<dyn std::error::Error + Send + Sync>> ToolOutput<by::Erased> for Result<T, E> {
    fn into_result(self) -> Result<String, String> {
        self.map_err(|error| causes(error.as_ref())).and_then(ToolOutput::<by::Value>::into_result)
    }
}

fn json(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| format!("its result cannot be written as JSON: {error}"))
}

/// An error and what is behind it, in one line.
pub(crate) fn causes(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_words = cause.to_string();
        if !words.ends_with(&cause_words) {
            words.push_str(": ");
            words.push_str(&cause_words);
        }
        next = cause.source();
    }
    words
}

/// What needs no JSON around it.
enum Told {
    /// Text, as it is.
    Text(String),
    /// The `Err` of a `Result`.
    Err(String),
}

/// Takes text and the two sides of a `Result`; everything else is an error, which costs nothing.
struct ErrOnly;

/// Methods of a serializer that take nothing.
macro_rules! passed {
    ($output:ty: $($method:ident($($argument:ty),*),)*) => {$(
        fn $method(self $(, _: $argument)*) -> Result<$output, std::fmt::Error> {
            Err(std::fmt::Error)
        }
    )*};
}

impl Serializer for ErrOnly {
    type Ok = Told;
    type Error = std::fmt::Error;
    type SerializeSeq = Impossible<Told, std::fmt::Error>;
    type SerializeTuple = Impossible<Told, std::fmt::Error>;
    type SerializeTupleStruct = Impossible<Told, std::fmt::Error>;
    type SerializeTupleVariant = Impossible<Told, std::fmt::Error>;
    type SerializeMap = Impossible<Told, std::fmt::Error>;
    type SerializeStruct = Impossible<Told, std::fmt::Error>;
    type SerializeStructVariant = Impossible<Told, std::fmt::Error>;

    fn serialize_str(self, text: &str) -> Result<Told, std::fmt::Error> {
        Ok(Told::Text(text.to_owned()))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Told, std::fmt::Error> {
        match (name, variant) {
            ("Result", "Err") => Ok(Told::Err(text_of(value))),
            ("Result", "Ok") => Ok(Told::Text(text_of(value))),
            _ => Err(std::fmt::Error),
        }
    }

    fn serialize_char(self, c: char) -> Result<Told, std::fmt::Error> {
        Ok(Told::Text(c.to_string()))
    }

    fn serialize_unit(self) -> Result<Told, std::fmt::Error> {
        Ok(Told::Text("done".to_owned()))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<Told, std::fmt::Error> {
        Err(std::fmt::Error)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<Told, std::fmt::Error> {
        Err(std::fmt::Error)
    }

    passed! {
        Told:
        serialize_bool(bool), serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_i64(i64),
        serialize_u8(u8), serialize_u16(u16), serialize_u32(u32), serialize_u64(u64), serialize_f32(f32),
        serialize_f64(f64), serialize_bytes(&[u8]), serialize_none(), serialize_unit_struct(&'static str),
        serialize_unit_variant(&'static str, u32, &'static str),
    }
    passed!(Self::SerializeSeq: serialize_seq(Option<usize>),);
    passed!(Self::SerializeTuple: serialize_tuple(usize),);
    passed!(Self::SerializeTupleStruct: serialize_tuple_struct(&'static str, usize),);
    passed!(Self::SerializeTupleVariant: serialize_tuple_variant(&'static str, u32, &'static str, usize),);
    passed!(Self::SerializeMap: serialize_map(Option<usize>),);
    passed!(Self::SerializeStruct: serialize_struct(&'static str, usize),);
    passed!(Self::SerializeStructVariant: serialize_struct_variant(&'static str, u32, &'static str, usize),);
}

/// Text as it is, everything else as JSON.
fn text_of<T: Serialize + ?Sized>(value: &T) -> String {
    match value.serialize(ErrOnly) {
        Ok(Told::Text(text) | Told::Err(text)) => text,
        Err(_) => json(&value).unwrap_or_else(|words| words),
    }
}
