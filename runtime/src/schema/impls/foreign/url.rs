//! url: a URI with its scheme. Its parser follows the WHATWG standard, which in turn refuses a
//! few that RFC 3986 allows (`http://`, a port above 65535).

use url::Url;

use crate::schema::impls::text::texts;

texts! {
    "Url" Url { format: "uri" },
}
