//! A schema's JSON text as a constant.
//!
//! The text is made in const evaluation: once for a type, with its rules left open ([`type_facts`](super::type_facts)), and
//! then for each [`family`](super::family) of dialects a draft, which measures it, and the text itself. An array
//! as long as a generic constant cannot be written on stable Rust, so the text goes into the
//! smallest buffer of a list of sizes that holds it, and is trimmed. It is copied from the draft, which holds
//! all but very long ones; these are filled again. The sizes grow by a quarter, so
//! at most a fifth of a buffer is wasted. Only the chosen one is ever evaluated: the choice calls a
//! `const fn`, and the constants that a function mentions are evaluated when it is called.

use core::marker::PhantomData;

use super::ResponseSchema;
use super::edge::SchemaRef;
use super::family::{Family, Sends, Tells};
use super::limits;
use super::message::Message;
use super::name::name_of;
use super::page::{Page, Template};
use super::render as walk;
use super::survey::{self, with_survey};
use super::type_facts::{Facts, Way};
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
    // Here, and not in the text's own constant: a constant of the user's is then blamed on its line.
    match Document::<T, D>::MADE {
        Ok(text) => text,
        Err(problem) => panic!("{}", problem),
    }
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
    /// The text, or why there is none.
    const MADE: Result<&'static str, &'static str> = match Self::TEXT {
        Ok(text) if text.len() > D::DIALECT.limits.document => too_long::<T, D>(),
        made => made,
    };

    /// The same, however long it is.
    const TEXT: Result<&'static str, &'static str> = small::<T, D>();

    const REFUSAL: &'static Option<Message> = &limits::problem_but_length(T::SCHEMA, &D::DIALECT);

    const LONG: &'static Option<Message> = &match Self::TEXT {
        Ok(text) => limits::long(T::SCHEMA, text.len(), &D::DIALECT),
        Err(_) => None,
    };
}

const fn too_long<T: ResponseSchema + ?Sized, D: Spec>() -> Result<&'static str, &'static str> {
    match Document::<T, D>::LONG {
        Some(problem) => Err(problem.as_str()),
        None => Document::<T, D>::TEXT,
    }
}

/// What all dialects of a type share, in tables of four sizes: places for types, bytes, and holes for rules.
struct Shared<T: ?Sized>(PhantomData<T>);

impl<T: ResponseSchema + ?Sized> Shared<T> {
    const SMALL: &'static Facts<16, 32, 4096, 16> = &Facts::of(T::SCHEMA);
    const MEDIUM: &'static Facts<64, 128, 16_384, 64> = &Facts::of(T::SCHEMA);
    const LARGE: &'static Facts<512, 1024, 131_072, 512> = &Facts::of(T::SCHEMA);
    const HUGE: &'static Facts<4096, 8192, 655_360, 4096> = &Facts::of(T::SCHEMA);
}

/// Sources of a text: the template of a size, or a walk for the dialect alone.
const SMALL: u8 = 0;
const MEDIUM: u8 = 1;
const LARGE: u8 = 2;
const HUGE: u8 = 3;
const WALK: u8 = 4;

const fn small<T: ResponseSchema + ?Sized, D: Spec>() -> Result<&'static str, &'static str> {
    match Shared::<T>::SMALL.way(&D::DIALECT) {
        Way::Full => medium::<T, D>(),
        way => made::<T, D, SMALL>(way),
    }
}

const fn medium<T: ResponseSchema + ?Sized, D: Spec>() -> Result<&'static str, &'static str> {
    match Shared::<T>::MEDIUM.way(&D::DIALECT) {
        Way::Full => large::<T, D>(),
        way => made::<T, D, MEDIUM>(way),
    }
}

const fn large<T: ResponseSchema + ?Sized, D: Spec>() -> Result<&'static str, &'static str> {
    match Shared::<T>::LARGE.way(&D::DIALECT) {
        Way::Full => huge::<T, D>(),
        way => made::<T, D, LARGE>(way),
    }
}

const fn huge<T: ResponseSchema + ?Sized, D: Spec>() -> Result<&'static str, &'static str> {
    made::<T, D, HUGE>(Shared::<T>::HUGE.way(&D::DIALECT))
}

const fn made<T: ResponseSchema + ?Sized, D: Spec, const SOURCE: u8>(way: Way) -> Result<&'static str, &'static str> {
    match way {
        Way::Filled(Family::Sends) => Ok(text::<T, Sends, SOURCE>()),
        Way::Filled(Family::Tells) => Ok(text::<T, Tells, SOURCE>()),
        Way::Filled(Family::Own) => Ok(text::<T, D, SOURCE>()),
        Way::Apart => Ok(text::<T, D, WALK>()),
        Way::Full | Way::Doubted => doubted::<T, D>(),
    }
}

const fn doubted<T: ResponseSchema + ?Sized, D: Spec>() -> Result<&'static str, &'static str> {
    match Document::<T, D>::REFUSAL {
        Some(problem) => Err(problem.as_str()),
        None => Ok(text::<T, D, WALK>()),
    }
}

const fn text<T: ResponseSchema + ?Sized, D: Spec, const SOURCE: u8>() -> &'static str {
    Written::<T, D, SOURCE>::JSON
}

/// The text from a source, with the rules as the dialect `D` takes them.
struct Written<T: ?Sized, D, const SOURCE: u8>(PhantomData<D>, PhantomData<T>);

impl<T: ResponseSchema + ?Sized, D: Spec, const SOURCE: u8> Written<T, D, SOURCE> {
    /// The text as far as it fits, and its length.
    const DRAFT: &'static Draft<4096> = &{
        let mut draft = Draft::new();
        put::<T, D, SOURCE>(draft.writer());
        draft
    };

    const JSON: &'static str = sized::<T, D, SOURCE>(Self::DRAFT.len());
}

/// Puts the text.
const fn put<T: ResponseSchema + ?Sized, D: Spec, const SOURCE: u8>(out: Writer<'_>) {
    let template = match SOURCE {
        SMALL => template_small::<T>(),
        MEDIUM => template_medium::<T>(),
        LARGE => template_large::<T>(),
        HUGE => template_huge::<T>(),
        _ => None,
    };
    match template {
        Some(template) => template.fill(&D::DIALECT, out),
        None => walk_for(T::SCHEMA, &D::DIALECT, out),
    }
}

const fn template_small<T: ResponseSchema + ?Sized>() -> Option<Template<'static>> {
    Shared::<T>::SMALL.template()
}

const fn template_medium<T: ResponseSchema + ?Sized>() -> Option<Template<'static>> {
    Shared::<T>::MEDIUM.template()
}

const fn template_large<T: ResponseSchema + ?Sized>() -> Option<Template<'static>> {
    Shared::<T>::LARGE.template()
}

const fn template_huge<T: ResponseSchema + ?Sized>() -> Option<Template<'static>> {
    Shared::<T>::HUGE.template()
}

const fn walk_for(root: SchemaRef, dialect: &Dialect, out: Writer<'_>) {
    with_survey!(root, |survey| walk::document(root, survey, dialect, Page::of(dialect, out)));
}

/// The document of `root` as text, made at run time by the same walk.
///
/// # Errors
///
/// Why the dialect refuses the schema.
pub(crate) fn render(root: SchemaRef, dialect: &Dialect) -> Result<String, Refusal> {
    dialect.accepts(root)?;
    Ok(survey::on_heap(root, |survey| {
        write::to_string(|out| walk::document(root, survey, dialect, Page::of(dialect, out)))
    }))
}

macro_rules! sizes {
    ($($size:literal)*) => {
        /// The text, in a buffer of at least `len` bytes.
        const fn sized<T: ResponseSchema + ?Sized, D: Spec, const SOURCE: u8>(len: usize) -> &'static str {
            $(if len <= $size {
                return filled::<T, D, SOURCE, $size>();
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

const fn filled<T: ResponseSchema + ?Sized, D: Spec, const SOURCE: u8, const N: usize>() -> &'static str {
    const {
        &{
            let mut text = Text::<N>::new();
            match Written::<T, D, SOURCE>::DRAFT.text() {
                Some(whole) => text.writer().put(whole),
                None => put::<T, D, SOURCE>(text.writer()),
            }
            text
        }
    }
    .as_str()
}
