//! A schema's JSON text as a constant.
//!
//! The text is made in const evaluation: a draft, which measures it, and then the text itself. An array
//! as long as a generic constant cannot be written on stable Rust, so the text goes into the
//! smallest buffer of a list of sizes that holds it, and is trimmed. It is copied from the draft, which holds
//! all but very long ones; for these the walk is gone again. The sizes grow by a quarter, so
//! at most a fifth of a buffer is wasted. Only the chosen one is ever evaluated: the choice calls a
//! `const fn`, and the constants that a function mentions are evaluated when it is called.

use core::marker::PhantomData;

use super::ResponseSchema;
use super::edge::SchemaRef;
use super::limits;
use super::message::Message;
use super::name::name_of;
use super::render as walk;
use super::survey::{self, with_survey};
use super::write::{self, Draft, Text, Writer};
use crate::dialect::{Dialect, OpenAi, Refusal, Spec};

/// The type's schema for `OpenAI`'s strict mode, as JSON text.
///
/// The text is a constant of the program. It is also what most other providers accept; see
/// [`json_for`] for a particular one.
///
/// ```
/// const LIST: &str = response_schema::json::<Vec<bool>>();
/// assert!(LIST.contains(r#""items":{"type":"boolean"}"#));
/// ```
///
/// # Compile errors
///
/// A type that the provider would refuse (too deep, too many properties, …) is a compile error
/// where the text is asked for. For a type without type parameters the derive reports it first.
#[must_use]
#[track_caller]
pub const fn json<T: ResponseSchema + ?Sized>() -> &'static str {
    json_for::<T, OpenAi>()
}

/// The type's schema for the dialect `D`, as JSON text.
///
/// # Panics
///
/// In const evaluation only: a type that the dialect refuses is a compile error, as with [`json`].
#[must_use]
#[track_caller]
pub const fn json_for<T: ResponseSchema + ?Sized, D: Spec>() -> &'static str {
    // Here first, and not in the text's own constant alone: a constant of the user's is then blamed on its line.
    if let Some(problem) = Document::<T, D>::PROBLEM {
        panic!("{}", problem);
    }
    text::<T, D>()
}

/// The text. It is a constant of another function than [`json_for`], whose constants would be evaluated before it.
const fn text<T: ResponseSchema + ?Sized, D: Spec>() -> &'static str {
    Document::<T, D>::JSON
}

/// The type's name on the wire: `Ticket`, `Page_of_Ticket`.
///
/// It is the type's own name, or what `#[response(title = "…")]` or serde's `rename` calls it, then those of its generic
/// arguments. It fits `[A-Za-z0-9_-]{1,64}`, which every provider accepts. Where it had to change for that, it ends in a
/// number made from the original, so that two names never become one: `My Title` is `My_Title_a11865`, `My_Title` stays
/// as it is.
///
/// Two types of one name in different modules have one name here too; inside a document their definitions are
/// told apart (`Status`, `Status2`). Give one of them a `title` where they are used side by side.
///
/// ```
/// const NAME: &str = response_schema::name::<Vec<bool>>();
/// assert_eq!(NAME, "Vec_of_bool");
/// ```
#[must_use]
pub const fn name<T: ResponseSchema + ?Sized>() -> &'static str {
    const { &name_of(T::SCHEMA) }.as_str()
}

struct Document<T: ?Sized, D>(PhantomData<D>, PhantomData<T>);

impl<T: ResponseSchema + ?Sized, D: Spec> Document<T, D> {
    /// The text as far as it fits and its length, or why there is none.
    const DRAFT: &'static Result<Draft, Message> = &draft(T::SCHEMA, &D::DIALECT);

    const PROBLEM: Option<&'static str> = match Self::DRAFT {
        Ok(_) => None,
        Err(problem) => Some(problem.as_str()),
    };

    const LEN: usize = match Self::DRAFT {
        Ok(draft) => draft.len(),
        Err(problem) => panic!("{}", problem.as_str()),
    };

    const JSON: &'static str = sized::<T, D>(Self::LEN);
}

/// The document of `root` as text, made at run time by the same walk.
///
/// # Errors
///
/// Why the dialect refuses the schema.
pub(crate) fn render(root: SchemaRef, dialect: &Dialect) -> Result<String, Refusal> {
    dialect.accepts(root)?;
    Ok(survey::on_heap(root, |survey| write::to_string(|out| walk::document(root, survey, dialect, out))))
}

/// A draft of the document, or why the dialect refuses it.
#[allow(clippy::result_large_err)] // in const evaluation
const fn draft(root: SchemaRef, dialect: &Dialect) -> Result<Draft, Message> {
    with_survey!(root, |survey| {
        if let Some(problem) = limits::problem_in(root, survey, dialect) {
            return Err(problem);
        }
        let mut draft = Draft::new();
        walk::document(root, survey, dialect, draft.writer());
        match limits::long(root, draft.len(), dialect) {
            Some(problem) => Err(problem),
            None => Ok(draft),
        }
    })
}

/// Puts the document of `root` into `out`.
const fn put(root: SchemaRef, dialect: &Dialect, out: Writer<'_>) {
    with_survey!(root, |survey| walk::document(root, survey, dialect, out));
}

macro_rules! sizes {
    ($($size:literal)*) => {
        /// The text, in a buffer of at least `len` bytes.
        const fn sized<T: ResponseSchema + ?Sized, D: Spec>(len: usize) -> &'static str {
            $(if len <= $size {
                return filled::<T, D, $size>();
            })*
            panic!("the schema's text is longer than 4 MiB")
        }
    };
}

#[rustfmt::skip]
sizes! {
    128 160 200 256 320 400 512 640 800 1024 1280 1600 2048 2560 3200 4096 5120 6400 8192 10_240 12_800 16_384 20_480
    25_600 32_768 40_960 51_200 65_536 81_920 102_400 131_072 163_840 204_800 262_144 327_680 409_600 524_288 655_360 819_200 1_048_576
    1_310_720 1_638_400 2_097_152 2_621_440 3_276_800 4_194_304
}

const fn filled<T: ResponseSchema + ?Sized, D: Spec, const N: usize>() -> &'static str {
    const {
        &{
            let mut text = Text::<N>::new();
            let draft = match Document::<T, D>::DRAFT {
                Ok(draft) => draft.text(),
                Err(_) => None,
            };
            match draft {
                Some(whole) => text.writer().put(whole),
                None => put(T::SCHEMA, &D::DIALECT, text.writer()),
            }
            text
        }
    }
    .as_str()
}
