//! rust_decimal: decimal digits in a string, which is what it writes and reads by default.

use rust_decimal::Decimal;

use crate::schema::impls::text::texts;

texts! {
    // 28 digits always fit its 96 bits; more behind the point are rounded.
    "Decimal" Decimal { pattern: "\"^-?[0-9]{1,28}([.][0-9]{1,28})?$\"" },
}
