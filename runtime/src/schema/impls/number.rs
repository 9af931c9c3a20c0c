//! Numbers and booleans.
//!
//! Bounds stand in the schema only up to 32 bits, and as the sign: engines that compile schemas
//! to grammars choke on bounds at the ends of the 64-bit range (llguidance on `i64`'s, xgrammar
//! on `u64::MAX`). What is beyond 64 bits no JSON reader of ours would take, so `i128` and
//! `u128` have no impl of their own.
// Bounds are written as their JSON text; and no `From` widens `isize`, so that one macro for all
// integers must cast.
#![allow(clippy::unreadable_literal, clippy::cast_lossless)]

use crate::check::{Checks, Numeral, Path, Violations, check_number};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Kind, Schema};
use crate::schema::rules::{Bound, Rules};

macro_rules! integers {
    ($($type:ident $([$low:literal $high:literal])? $({$least:literal})?,)*) => {$(
        impl ResponseSchema for $type {
            const SCHEMA: SchemaRef = SchemaRef::new(&Schema::plain(stringify!($type), Kind::Integer).rules(&Rules {
                $(minimum: Some(Bound::whole(stringify!($low), $low)),
                maximum: Some(Bound::whole(stringify!($high), $high)),)?
                $(minimum: Some(Bound::whole(stringify!($least), $least)),)?
                ..Rules::new()
            }));

            fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
                check_number(Numeral::Whole(*self as i128), checks.rules, at, found);
            }
        }
    )*};
}

integers! {
    i8 [-128 127],
    u8 [0 255],
    i16 [-32768 32767],
    u16 [0 65535],
    i32 [-2147483648 2147483647],
    u32 [0 4294967295],
    i64,
    isize,
    u64 {0},
    usize {0},
}

macro_rules! floats {
    ($($type:ident)*) => {$(
        impl ResponseSchema for $type {
            const SCHEMA: SchemaRef = SchemaRef::new(&Schema::plain(stringify!($type), Kind::Number));

            fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
                check_number(Numeral::Float(f64::from(*self)), checks.rules, at, found);
            }
        }
    )*};
}

floats! { f32 f64 }

impl ResponseSchema for bool {
    const SCHEMA: SchemaRef = SchemaRef::new(&Schema::plain("bool", Kind::Boolean));
}
