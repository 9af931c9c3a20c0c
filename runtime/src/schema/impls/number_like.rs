//! Integers with a rule of their own, or shared between threads.
// Bounds are written as their JSON text; and no `From` widens `isize`, so that one macro for all
// integers must cast.
#![allow(clippy::unreadable_literal, clippy::cast_lossless)]

use std::num::NonZero;
use std::sync::atomic::{self, Ordering};

use crate::check::{Checks, Numeral, Path, Violations, check_number};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Kind, Schema};
use crate::schema::rules::{Bound, Rules};

/// Signed types leave zero inside their bounds, where only their parser refuses it, so the
/// description asks for it.
const NOT_ZERO: &str = ",\"description\":\"Not zero.";

macro_rules! nonzero {
    ($($name:literal $doc:tt $type:ident $([$low:literal $high:literal])? $({$least:literal})?,)*) => {$(
        impl ResponseSchema for NonZero<$type> {
            const SCHEMA: SchemaRef = SchemaRef::new(&Schema::plain($name, Kind::Integer).doc($doc).rules(&Rules {
                $(minimum: Some(Bound::whole(stringify!($low), $low)),
                maximum: Some(Bound::whole(stringify!($high), $high)),)?
                $(minimum: Some(Bound::whole(stringify!($least), $least)),)?
                ..Rules::new()
            }));

            fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
                check_number(Numeral::Whole(self.get() as i128), checks.rules, at, found);
            }
        }
    )*};
}

nonzero! {
    "NonZeroU8" "" u8 [1 255],
    "NonZeroU16" "" u16 [1 65535],
    "NonZeroU32" "" u32 [1 4294967295],
    "NonZeroU64" "" u64 {1},
    "NonZeroUsize" "" usize {1},
    "NonZeroI8" NOT_ZERO i8 [-128 127],
    "NonZeroI16" NOT_ZERO i16 [-32768 32767],
    "NonZeroI32" NOT_ZERO i32 [-2147483648 2147483647],
    "NonZeroI64" NOT_ZERO i64,
    "NonZeroIsize" NOT_ZERO isize,
}

macro_rules! atomics {
    ($($width:literal $atomic:ident $type:ident,)*) => {$(
        #[cfg(target_has_atomic = $width)]
        impl ResponseSchema for atomic::$atomic {
            const SCHEMA: SchemaRef = <$type>::SCHEMA;

            fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
                self.load(Ordering::Relaxed).check_rules(checks, at, found);
            }
        }
    )*};
}

atomics! {
    "8" AtomicBool bool,
    "8" AtomicI8 i8,
    "8" AtomicU8 u8,
    "16" AtomicI16 i16,
    "16" AtomicU16 u16,
    "32" AtomicI32 i32,
    "32" AtomicU32 u32,
    "64" AtomicI64 i64,
    "64" AtomicU64 u64,
    "ptr" AtomicIsize isize,
    "ptr" AtomicUsize usize,
}

#[cfg(feature = "json")]
impl ResponseSchema for serde_json::Number {
    const SCHEMA: SchemaRef = SchemaRef::new(&Schema::plain("Number", Kind::Number));

    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        let whole = self.as_i64().map(i128::from).or_else(|| self.as_u64().map(i128::from)).map(Numeral::Whole);
        if let Some(value) = whole.or_else(|| self.as_f64().map(Numeral::Float)) {
            check_number(value, checks.rules, at, found);
        }
    }
}
