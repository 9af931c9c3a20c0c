//! The name of a schema: what providers take, from whatever the user called the type.

use crate::json;

/// Providers take 64 characters of `[A-Za-z0-9_-]`.
const LIMIT: usize = 64;

/// `spoken` as a schema's name. A name that had to change ends in a hash of the original, so that
/// two names never become one.
pub(crate) fn of_schema(spoken: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !spoken.is_empty() && spoken.len() <= LIMIT && spoken.chars().all(fits) {
        return spoken.to_owned();
    }
    let mut name: String = spoken.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    if name.chars().all(|c| c == '_') {
        "Type".clone_into(&mut name);
    }
    name.truncate(LIMIT - 7);
    format!("{name}_{:06x}", json::key_hash(spoken) & 0xff_ffff)
}

#[cfg(test)]
mod tests {
    use super::of_schema;

    #[test]
    fn names_fit_and_stay_distinct() {
        assert_eq!(of_schema("Ticket-2"), "Ticket-2");
        assert!(of_schema("Größe").starts_with("Gr__e_"));
        assert_ne!(of_schema("a b"), of_schema("a.b"));
        assert!(of_schema("").starts_with("Type_"));
        assert_eq!(of_schema(&"x".repeat(80)).len(), 64);
    }
}
