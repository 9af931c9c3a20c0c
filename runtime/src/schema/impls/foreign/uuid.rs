//! uuid: the hyphenated form.

use uuid::{NonNilUuid, Uuid};

use crate::schema::impls::text::texts;

texts! {
    "Uuid" Uuid { format: "uuid" },
    "NonNilUuid" NonNilUuid { format: "uuid" },
}

#[cfg(test)]
mod tests {
    use uuid::{NonNilUuid, Uuid};

    use crate::schema::impls::trial::{try_text, try_values};

    #[test]
    fn uuids() {
        try_text::<Uuid>(
            &["123e4567-E89B-12d3-a456-426614174000"],
            &["", "123e4567-e89b-12d3-a456-42661417400", "g"],
            |_| false,
        );
        let nil = "00000000-0000-0000-0000-000000000000";
        try_text::<NonNilUuid>(&["123e4567-e89b-12d3-a456-426614174000"], &["1"], |text| text == nil);
        try_values([Uuid::nil(), Uuid::max(), Uuid::from_u128(7)]);
    }
}
