//! Addresses: of people, hosts and resources.

use std::net::{Ipv4Addr, Ipv6Addr};

/// RFC 5321 `Mailbox`: a dotted or quoted name, and a host or an address in brackets.
pub(super) fn email(text: &str) -> bool {
    let Some((name, host)) = text.rsplit_once('@') else { return false };
    let named = match name.strip_prefix('"') {
        Some(quoted) => quoted.strip_suffix('"').is_some_and(quoted_content),
        None => name.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(is_atom)),
    };
    let hosted = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(literal) => match literal.strip_prefix("IPv6:") {
            Some(literal) => ipv6(literal),
            None => ipv4(literal),
        },
        None => hostname(host),
    };
    named && hosted && name.len() <= 64
}

fn is_atom(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte)
}

/// What may stand between quotes: printable ASCII, with quotes and backslashes escaped.
fn quoted_content(text: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let fits = match byte {
            b'\\' => bytes.next().is_some_and(|byte| (b' '..=b'~').contains(&byte)),
            b'"' => false,
            _ => (b' '..=b'~').contains(&byte),
        };
        if !fits {
            return false;
        }
    }
    true
}

/// RFC 1123: labels of letters, digits and inner hyphens.
pub(super) fn hostname(text: &str) -> bool {
    text.len() <= 253
        && text.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                && !label.starts_with('-')
                && !label.ends_with('-')
        })
}

/// RFC 2673: four numbers up to 255, without leading zeros.
pub(super) fn ipv4(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
}

/// RFC 4291, without a zone.
pub(super) fn ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

/// RFC 3986: with its scheme.
pub(super) fn uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let mut letters = scheme.bytes();
    if !letters.next().is_some_and(|byte| byte.is_ascii_alphabetic())
        || !letters.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    {
        return false;
    }
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    if !encoded(fragment, b":@/?") || !encoded(query, b":@/?") {
        return false;
    }
    match rest.strip_prefix("//") {
        None => encoded(rest, b":@/"),
        Some(rest) => {
            let end = rest.find('/').unwrap_or(rest.len());
            authority(&rest[..end]) && encoded(&rest[end..], b":@/")
        }
    }
}

/// `[user@]host[:port]`
fn authority(text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').unwrap_or(("", text));
    let (host_fits, port) = if let Some(literal) = host.strip_prefix('[') {
        let Some((address, rest)) = literal.split_once(']') else { return false };
        let Some(port) = rest.strip_prefix(':').or(rest.is_empty().then_some("")) else { return false };
        (ip_literal(address), port)
    } else {
        let (name, port) = host.split_once(':').unwrap_or((host, ""));
        (encoded(name, b""), port)
    };
    encoded(user, b":") && host_fits && port.bytes().all(|byte| byte.is_ascii_digit())
}

/// What may stand in brackets: an IPv6 address, or one of a version yet to come.
fn ip_literal(text: &str) -> bool {
    match text.strip_prefix(['v', 'V']) {
        None => ipv6(text),
        Some(future) => future.split_once('.').is_some_and(|(version, address)| {
            !version.is_empty()
                && version.bytes().all(|byte| byte.is_ascii_hexdigit())
                && !address.is_empty()
                && !address.contains('%')
                && encoded(address, b":")
        }),
    }
}

/// Whether `text` is made of characters that need no percent sign, of percent-encoded bytes, and
/// of what is in `more`.
fn encoded(text: &str, more: &[u8]) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let fits = match byte {
            b'%' => (0..2).all(|_| bytes.next().is_some_and(|byte| byte.is_ascii_hexdigit())),
            _ => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte) || more.contains(&byte),
        };
        if !fits {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{email, hostname, ipv4, ipv6, uri};

    #[test]
    fn emails() {
        for right in
            ["a@b", "ada.l+x@example.com", "\"a b\\\"@\"@example.com", "x@[192.0.2.1]", "x@[IPv6:::1]", "~a~b@c.d"]
        {
            assert!(email(right), "{right}");
        }
        for wrong in [
            "a",
            "@b",
            "a@",
            "a..b@c",
            ".a@b",
            "a.@b",
            "a b@c",
            "a@b c",
            "a@-b",
            "a@@b",
            "\"a\"b\"@c",
            "\"a@c",
            "a@[::1]",
            "a@[300.0.0.1]",
            "\u{e9}@b",
            "a@b\n",
        ] {
            assert!(!email(wrong), "{wrong}");
        }
        assert!(!email(&format!("{}@b", "a".repeat(65))));
    }

    #[test]
    fn hostnames() {
        for right in ["localhost", "a-b.c", "1.example.com", "xn--nxasmq6b.example"] {
            assert!(hostname(right), "{right}");
        }
        for wrong in ["", ".", "a.", ".a", "a..b", "-a", "a-", "a_b", "a b", "\u{fc}.de", "a:80"] {
            assert!(!hostname(wrong), "{wrong}");
        }
        assert!(hostname(&"a".repeat(63)) && !hostname(&"a".repeat(64)));
        assert!(!hostname(&["a"; 128].join(".")));
    }

    #[test]
    fn addresses() {
        assert!(ipv4("127.0.0.1") && ipv6("::") && ipv6("::ffff:1.2.3.4") && ipv6("1:2:3:4:5:6:7::"));
        for wrong in ["127.0.0", "127.0.0.01", "256.0.0.1", "1.2.3.4 ", "0x7f.0.0.1", "1.2.3.4/8"] {
            assert!(!ipv4(wrong), "{wrong}");
        }
        for wrong in [":::", "1:2:3:4:5:6:7", "::1%eth0", "[::1]", "12345::", "1::2::3"] {
            assert!(!ipv6(wrong), "{wrong}");
        }
    }

    #[test]
    fn uris() {
        for right in [
            "http://example.com",
            "https://user:p%40ss@example.com:8080/a/b;c=1?q=a/b?#frag?",
            "mailto:ada@example.com",
            "urn:isbn:0451450523",
            "file:///etc/hosts",
            "http://[2001:db8::7]/c=GB?x",
            "http://[v1.a:b]:1/",
            "a:",
            "tel:+1-816",
            "http://",
            "ldap://[2001:db8::7]:/",
        ] {
            assert!(uri(right), "{right}");
        }
        for wrong in [
            "example.com",
            "//example.com/",
            "/a",
            ":a",
            "1http://a",
            "ht tp://a",
            "http://a b",
            "http://a/%zz",
            "http://a/%a",
            "http://a/{b}",
            "http://a/[b]",
            "http://[::1",
            "http://[::1]80",
            "http://a:b",
            "http://a/\u{e9}",
            "http://a/#a#b",
            "http://a/<>",
            "http://a/\\b",
            "http://a@b@c/",
        ] {
            assert!(!uri(wrong), "{wrong}");
        }
    }
}
