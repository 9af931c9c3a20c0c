//! url: a URI with its scheme. Its parser follows the WHATWG standard, which in turn refuses a
//! few that RFC 3986 allows (`http://`, a port above 65535).

use url::Url;

use crate::schema::impls::text::texts;

texts! {
    "Url" Url { format: "uri" },
}

#[cfg(test)]
mod tests {
    use url::Url;

    use crate::schema::impls::trial::{try_text, try_values};

    #[test]
    fn urls() {
        try_text::<Url>(
            &["https://user@example.com:8080/a/b;c=1?q=a/b?#f", "mailto:a@b.c", "urn:isbn:1", "http://[::1]/"],
            &["", "example.com", "/a", "http:// a", "http://[::1"],
            |text| {
                // Hosts of the schemes that the WHATWG standard calls special are checked further;
                // those of others only where there is a user.
                let special = ["http:", "https:", "ws:", "wss:", "ftp:", "file:"];
                special.iter().any(|scheme| text.starts_with(scheme)) || (text.contains("://") && text.contains('@'))
            },
        );
        try_values(
            ["https://example.com/?q=a%20b#c", "file:///etc", "data:,x"].map(|text| Url::parse(text).expect("a URL")),
        );
    }
}
