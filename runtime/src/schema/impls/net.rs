//! Addresses of the network: text.
//!
//! IP addresses have a `format` of JSON Schema. Socket addresses have none, so their patterns
//! spell out what the parser of std takes.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

use super::text::{check_written, texts};
use crate::check::{Checks, Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Case, Kind, Schema, Tagging};

macro_rules! byte {
    () => {
        "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
    };
}
macro_rules! v4 {
    () => {
        concat!("(", byte!(), "\\\\.){3}", byte!())
    };
}
macro_rules! port {
    () => {
        "(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9]?[0-9]{1,3}|0)"
    };
}
// A group of four digits, and `$n` of them with a colon behind or before each.
macro_rules! hex {
    () => {
        "[0-9A-Fa-f]{1,4}"
    };
    ($n:literal then colon) => {
        concat!("([0-9A-Fa-f]{1,4}:){", $n, "}")
    };
    (colon then $n:literal) => {
        concat!("(:[0-9A-Fa-f]{1,4}){", $n, "}")
    };
}
// The last two groups, which may be written as an IPv4 address; and up to `$n` groups with a
// colon before each, of which the last two may be.
macro_rules! tail {
    () => {
        concat!("(", hex!(), ":", hex!(), "|", v4!(), ")")
    };
    ($groups:literal, $before_v4:literal) => {
        concat!("(", hex!(colon then $groups), "|", hex!(colon then $before_v4), ":", v4!(), ")")
    };
}
macro_rules! v6 {
    () => {
        concat!(
            "(",
            hex!("6" then colon), tail!(), "|",
            "::", "(", hex!("0,5" then colon), tail!(), "|", hex!(), ")?", "|",
            hex!("1" then colon), "(:|", tail!("1,6", "0,4"), ")", "|",
            hex!("2" then colon), "(:|", tail!("1,5", "0,3"), ")", "|",
            hex!("3" then colon), "(:|", tail!("1,4", "0,2"), ")", "|",
            hex!("4" then colon), "(:|", tail!("1,3", "0,1"), ")", "|",
            hex!("5" then colon), "(:|", hex!(colon then "1,2"), "|:", v4!(), ")", "|",
            hex!("6" then colon), "(:|", hex!(colon then "1"), ")", "|",
            hex!("7" then colon), ":",
            ")"
        )
    };
}

texts! {
    "Ipv4Addr" Ipv4Addr { format: "ipv4" },
    "Ipv6Addr" Ipv6Addr { format: "ipv6" },
    "SocketAddrV4" SocketAddrV4 { pattern: concat!("\"^", v4!(), ":", port!(), "$\"") },
    "SocketAddrV6" SocketAddrV6 { pattern: concat!("\"^\\\\[", v6!(), "(%[0-9]{1,9})?\\\\]:", port!(), "$\"") },
}

macro_rules! either {
    ($($type:ident: $v4:ty, $v6:ty;)*) => {$(
        impl ResponseSchema for $type {
            const SCHEMA: SchemaRef = SchemaRef::new(&Schema::plain(
                stringify!($type),
                Kind::union(Tagging::Untagged, &[Case::new("V4", <$v4>::SCHEMA), Case::new("V6", <$v6>::SCHEMA)]),
            ));

            fn check_rules(&self, checks: &Checks, at: Path<'_>, found: &mut Violations) {
                check_written(self, checks, at, found);
            }
        }
    )*};
}

either! {
    IpAddr: Ipv4Addr, Ipv6Addr;
    SocketAddr: SocketAddrV4, SocketAddrV6;
}
