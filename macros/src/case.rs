//! serde's `rename_all` rules.
//!
//! Fields and variants have tables of their own: a field is taken to be `snake_case` and a
//! variant `PascalCase`, and neither is ever split where the other would be.

use syn::LitStr;

use crate::faults::{Faults, did_you_mean, listing};

/// A `rename_all` rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

/// The rules by the name that serde gives them.
pub(crate) const RULES: [(&str, Rule); 8] = [
    ("lowercase", Rule::Lower),
    ("UPPERCASE", Rule::Upper),
    ("PascalCase", Rule::Pascal),
    ("camelCase", Rule::Camel),
    ("snake_case", Rule::Snake),
    ("SCREAMING_SNAKE_CASE", Rule::ScreamingSnake),
    ("kebab-case", Rule::Kebab),
    ("SCREAMING-KEBAB-CASE", Rule::ScreamingKebab),
];

impl Rule {
    /// The rule of that name.
    pub(crate) fn named(literal: &LitStr, faults: &Faults) -> Option<Self> {
        let text = literal.value();
        let found = RULES.iter().find(|(name, _)| *name == text).map(|&(_, rule)| rule);
        if found.is_none() {
            let names = RULES.map(|(name, _)| name);
            let hint = match did_you_mean(&text, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("serde knows {}", listing(names, "and")),
            };
            faults.on(literal, format!("unknown `rename_all` rule `{text}`; {hint}"));
        }
        found
    }

    /// The name of the variant `name` under this rule.
    pub(crate) fn variant(self, name: &str) -> String {
        match self {
            Self::Pascal => name.to_owned(),
            Self::Lower => name.to_ascii_lowercase(),
            Self::Upper => name.to_ascii_uppercase(),
            Self::Camel => lower_first(name),
            Self::Snake => {
                let mut snake = String::new();
                for (i, letter) in name.char_indices() {
                    if i > 0 && letter.is_uppercase() {
                        snake.push('_');
                    }
                    snake.push(letter.to_ascii_lowercase());
                }
                snake
            }
            Self::ScreamingSnake => Self::Snake.variant(name).to_ascii_uppercase(),
            Self::Kebab => Self::Snake.variant(name).replace('_', "-"),
            Self::ScreamingKebab => Self::ScreamingSnake.variant(name).replace('_', "-"),
        }
    }

    /// The key of the field `name` under this rule.
    pub(crate) fn field(self, name: &str) -> String {
        match self {
            Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_ascii_uppercase(),
            Self::Pascal => {
                let mut pascal = String::new();
                let mut first = true;
                for letter in name.chars() {
                    match letter {
                        '_' => first = true,
                        _ if first => {
                            pascal.push(letter.to_ascii_uppercase());
                            first = false;
                        }
                        _ => pascal.push(letter),
                    }
                }
                pascal
            }
            Self::Camel => lower_first(&Self::Pascal.field(name)),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => Self::ScreamingSnake.field(name).replace('_', "-"),
        }
    }
}

fn lower_first(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_lowercase().to_string() + letters.as_str())
}
