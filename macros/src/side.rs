//! Whether serde writes the type in another form than it reads it from.
//!
//! The schema is that of what is read. Attributes about writing do not change it, but
//! with some of them what serde writes is no instance of the schema; the node says so, and the
//! proof of the contract leaves that half out.

use proc_macro2::TokenStream;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Data, DeriveInput, Fields, LitStr, Token};

/// Whether an attribute of the type, a variant or a field sets the two sides apart.
pub(crate) fn is_one_sided(input: &DeriveInput) -> bool {
    let container = Words::of(&input.attrs);
    let (read, written) = (container.text("from").or(container.text("try_from")), container.text("into"));
    if read.is_some() || written.is_some() {
        return read != written;
    }
    let inside = match &input.data {
        Data::Struct(data) => any_field(&data.fields),
        Data::Enum(data) => data.variants.iter().any(|variant| {
            let words = Words::of(&variant.attrs);
            !words.has("skip") && (words.set_apart() || any_field(&variant.fields))
        }),
        Data::Union(_) => false,
    };
    inside || container.set_apart()
}

fn any_field(fields: &Fields) -> bool {
    fields.iter().map(|field| Words::of(&field.attrs)).any(|words| !words.has("skip") && words.set_apart())
}

/// serde's words at one place.
struct Words(Vec<Word>);

struct Word {
    name: String,
    /// What stands behind `=`, as tokens are written.
    text: Option<String>,
    /// Of a pair, whether its sides differ.
    apart: bool,
}

impl Words {
    fn of(attrs: &[Attribute]) -> Self {
        let mut words = Vec::new();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
            // What cannot be read has been reported before.
            let _ = attr.parse_nested_meta(|meta| {
                words.extend(Word::read(&meta)?);
                Ok(())
            });
        }
        Self(words)
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|word| word.name == name)
    }

    /// What the word says: a type, whichever way it is spaced.
    fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|word| word.name == name)?.text.as_deref()
    }

    fn set_apart(&self) -> bool {
        self.has("skip_serializing_if")
            || self.has("skip_serializing") != self.has("skip_deserializing")
            || self.has("serialize_with") != self.has("deserialize_with")
            || self.0.iter().any(|word| word.apart)
    }
}

impl Word {
    fn read(meta: &ParseNestedMeta<'_>) -> syn::Result<Option<Self>> {
        let Some(name) = meta.path.get_ident().map(ToString::to_string) else { return Ok(None) };
        let (mut text, mut apart) = (None, false);
        if meta.input.peek(syn::token::Paren) {
            let (mut read, mut written) = (None, None);
            meta.parse_nested_meta(|side| {
                let text: LitStr = side.value()?.parse()?;
                *(if side.path.is_ident("serialize") { &mut written } else { &mut read }) = Some(text.value());
                Ok(())
            })?;
            // A pair of bounds is about serde's impls, not about what they read and write.
            apart = name != "bound" && read != written;
        } else if meta.input.peek(Token![=]) {
            text = match meta.value()?.parse::<syn::Expr>()? {
                syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => {
                    text.parse::<TokenStream>().ok().map(|tokens| tokens.to_string())
                }
                _ => None,
            };
        }
        Ok(Some(Self { name, text, apart }))
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::is_one_sided;

    #[test]
    fn the_sides_are_apart_where_serde_writes_something_else() {
        for field in [
            quote!(#[serde(skip_serializing)]),
            quote!(#[serde(default, skip_deserializing)]),
            quote!(#[serde(skip_serializing_if = "Option::is_none", rename = "b")]),
            quote!(#[serde(serialize_with = "f")]),
            quote!(#[serde(rename(deserialize = "b"))]),
            quote!(#[serde(rename(deserialize = "b", serialize = "c"))]),
        ] {
            let item = quote!(struct A { #field a: u8 }).to_string();
            assert!(is_one_sided(&syn::parse_str(&item).expect("an item")), "{item}");
            let item = quote!(enum A { B { #field a: u8 } }).to_string();
            assert!(is_one_sided(&syn::parse_str(&item).expect("an item")), "{item}");
        }
        for container in [
            quote!(#[serde(into = "B")]),
            quote!(#[serde(try_from = "B")]),
            quote!(#[serde(from = "B", into = "C")]),
            quote!(#[serde(rename_all(serialize = "camelCase"))]),
        ] {
            let item = quote!(#container struct A { a: u8 }).to_string();
            assert!(is_one_sided(&syn::parse_str(&item).expect("an item")), "{item}");
        }
    }

    #[test]
    fn they_are_not_where_it_writes_what_it_reads() {
        for item in [
            quote!(
                struct A {
                    #[serde(skip, skip_serializing_if = "f")]
                    a: u8,
                    #[serde(with = "m", alias = "c")]
                    b: u8,
                }
            ),
            quote!(
                struct A {
                    #[serde(skip_serializing, skip_deserializing)]
                    a: u8,
                }
            ),
            quote!(
                struct A {
                    #[serde(rename(serialize = "b", deserialize = "b"))]
                    a: u8,
                }
            ),
            quote!(
                #[serde(from = "B<u8>", into = "B <u8>")]
                struct A {
                    #[serde(skip_serializing)]
                    a: u8,
                }
            ),
            quote!(
                #[serde(bound(serialize = "T: X"), tag = "t")]
                enum A<T> {
                    B(T),
                }
            ),
        ] {
            let item = item.to_string();
            assert!(!is_one_sided(&syn::parse_str(&item).expect("an item")), "{item}");
        }
    }
}
