//! uuid: the hyphenated form.

use uuid::{NonNilUuid, Uuid};

use crate::schema::impls::text::texts;

texts! {
    "Uuid" Uuid { format: "uuid" },
    "NonNilUuid" NonNilUuid { format: "uuid" },
}
