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

            fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
                check_written(self, checks, at, found);
            }
        }
    )*};
}

either! {
    IpAddr: Ipv4Addr, Ipv6Addr;
    SocketAddr: SocketAddrV4, SocketAddrV6;
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr, SocketAddrV4, SocketAddrV6};

    use crate::schema::impls::trial::{try_text, try_values};

    #[test]
    fn addresses_of_hosts() {
        try_text::<Ipv4Addr>(
            &["0.0.0.0", "255.255.255.255"],
            &["1.2.3", "01.2.3.4", "256.1.1.1", "1.2.3.4:80"],
            |_| false,
        );
        try_text::<Ipv6Addr>(&["::", "::ffff:1.2.3.4", "1:2:3:4:5:6:7::"], &["", "1::2::3", "fe80::1%1"], |_| false);
    }

    #[test]
    fn addresses_of_sockets() {
        try_text::<SocketAddrV4>(
            &["127.0.0.1:80", "0.0.0.0:0", "255.255.255.255:65535"],
            &[
                "127.0.0.1",
                "127.0.0.1:",
                "127.0.0.1:65536",
                "127.0.0.01:80",
                "localhost:80",
                "127.0.0.1:80 ",
                "1.2.3.4:99999",
            ],
            |_| false,
        );
        try_text::<SocketAddrV6>(
            &[
                "[::]:0",
                "[::1]:65535",
                "[1:2:3:4:5:6:7:8]:80",
                "[1:2:3:4:5:6:7::]:80",
                "[fe80::1%3]:80",
                "[::ffff:1.2.3.4]:80",
            ],
            &[
                "::1:80",
                "[::1]",
                "[1:2:3:4:5:6:7]:80",
                "[:::]:80",
                "[1::2::3]:80",
                "[1:2:3:4:5:6:7:8:9]:1",
                "[::1%a]:80",
                "[::1]:65536",
            ],
            |_| false,
        );
        let hosts: [Ipv6Addr; 5] =
            ["::", "::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1::"].map(|text| text.parse().expect("an address"));
        try_values(hosts.map(|host| SocketAddrV6::new(host, 443, 0, 7)));
    }
}
