//! Types whose unfinished values have a type of their own.

use std::collections::{BTreeSet, HashSet, LinkedList, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use super::PartialValue;

/// A type whose unfinished values have a type of their own: the derive makes both with
/// `#[response(partial)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no partial form",
    label = "its unfinished values have no type",
    note = "write `#[response(partial)]` on `{Self}` if it is yours",
    note = "or `#[response(stream = \"done\")]` on the field, so that it appears once it is complete"
)]
pub trait Streamed {
    /// What there is of an unfinished value.
    type Partial;

    /// What there is of a value that has begun; `None` if none of it may be seen yet.
    fn partial(value: PartialValue<'_>) -> Option<Self::Partial>;
}

/// Text grows.
macro_rules! texts {
    ($($type:ty),* $(,)?) => {$(
        impl Streamed for $type {
            type Partial = String;

            fn partial(value: PartialValue<'_>) -> Option<String> {
                value.as_str().map(str::to_owned)
            }
        }
    )*};
}

texts!(String, str, Box<str>, Rc<str>, Arc<str>, std::borrow::Cow<'_, str>);

/// These appear once they are complete.
macro_rules! wholes {
    ($($type:ty),* $(,)?) => {$(
        impl Streamed for $type {
            type Partial = Self;

            fn partial(value: PartialValue<'_>) -> Option<Self> {
                value.read()
            }
        }
    )*};
}

wholes!(
    bool,
    char,
    u8,
    u16,
    u32,
    u64,
    usize,
    i8,
    i16,
    i32,
    i64,
    isize,
    f32,
    f64,
    (),
    std::num::NonZero<u8>,
    std::num::NonZero<u16>,
    std::num::NonZero<u32>,
    std::num::NonZero<u64>,
    std::num::NonZero<usize>,
    std::num::NonZero<i8>,
    std::num::NonZero<i16>,
    std::num::NonZero<i32>,
    std::num::NonZero<i64>,
    std::num::NonZero<isize>,
    std::path::PathBuf,
    std::time::Duration,
    std::net::IpAddr,
    std::net::Ipv4Addr,
    std::net::Ipv6Addr,
);

/// These grow by their elements.
macro_rules! lists {
    ($($type:ty $(, $hasher:ident)?;)*) => {$(
        impl<T: Streamed $(, $hasher)?> Streamed for $type {
            type Partial = Vec<T::Partial>;

            fn partial(value: PartialValue<'_>) -> Option<Vec<T::Partial>> {
                Some(value.items().filter_map(T::partial).collect())
            }
        }
    )*};
}

lists! {
    Vec<T>;
    [T];
    Box<[T]>;
    VecDeque<T>;
    LinkedList<T>;
    BTreeSet<T>;
    HashSet<T, S>, S;
}

impl<T: Streamed, const N: usize> Streamed for [T; N] {
    type Partial = Vec<T::Partial>;

    fn partial(value: PartialValue<'_>) -> Option<Vec<T::Partial>> {
        Some(value.items().filter_map(T::partial).collect())
    }
}

/// `Some(None)` is a `null` that was written; `None` around it is nothing yet.
impl<T: Streamed> Streamed for Option<T> {
    type Partial = Option<T::Partial>;

    fn partial(value: PartialValue<'_>) -> Option<Option<T::Partial>> {
        if value.is_null() { Some(None) } else { T::partial(value).map(Some) }
    }
}

/// Pointers are what they point to.
macro_rules! pointers {
    ($($type:ident),*) => {$(
        impl<T: Streamed> Streamed for $type<T> {
            type Partial = $type<T::Partial>;

            fn partial(value: PartialValue<'_>) -> Option<$type<T::Partial>> {
                T::partial(value).map($type::new)
            }
        }
    )*};
}

pointers!(Box, Rc, Arc);
