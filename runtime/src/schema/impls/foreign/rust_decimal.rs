//! `rust_decimal`: decimal digits in a string, which is what it writes and reads by default.

use rust_decimal::Decimal;

use crate::schema::impls::text::texts;

texts! {
    // 28 digits always fit its 96 bits; more behind the point are rounded.
    "Decimal" Decimal { pattern: "\"^-?[0-9]{1,28}([.][0-9]{1,28})?$\"" },
}

#[cfg(test)]
mod tests {
    use rust_decimal::Decimal;

    use crate::schema::impls::trial::{try_text, try_values};

    #[test]
    fn decimals() {
        let nines = "9999999999999999999999999999.9999999999999999999999999999";
        try_text::<Decimal>(&["0", "-1.50", "007", nines], &["", "1,5", "1.5.1", "one", "--1", "1 "], |_| false);
        try_values([Decimal::ZERO, Decimal::new(-150, 2), Decimal::new(1, 28), Decimal::new(i64::MIN, 0)]);
    }
}
