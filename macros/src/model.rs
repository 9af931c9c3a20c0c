//! What a type is, after its attributes have been read: shape, names, texts.
//!
//! Each node keeps the syntax that it came from, so that later rules can still point at it.
//! Skipped fields and variants are not in the model.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, FieldsUnnamed, LitStr, Member, Type};

use crate::attr::container::ContainerAttrs;
use crate::attr::field::{Content, FieldAttrs, With};
use crate::attr::variant::VariantAttrs;
use crate::case::Rule;
use crate::faults::Faults;
use crate::{doc, name, ty};

/// The type that the derive stands on.
pub(crate) struct Container<'a> {
    pub(crate) original: &'a DeriveInput,
    pub(crate) attrs: ContainerAttrs,
    /// The schema's name.
    pub(crate) name: String,
    /// The description; empty if nobody gave one.
    pub(crate) doc: String,
    pub(crate) shape: Shape<'a>,
}

/// What the type's JSON looks like.
pub(crate) enum Shape<'a> {
    /// Like that of the type which `from`, `try_from` or `schema_of` names.
    Stated(Type),
    /// `null`.
    Unit,
    /// Like that of the one field.
    Newtype(Box<Field<'a>>),
    /// A list of as many elements, all of one schema.
    Tuple(Vec<Field<'a>>),
    /// An object.
    Struct(Vec<Field<'a>>),
    /// One of several variants.
    Enum(Tagging, Vec<Variant<'a>>),
}

/// How serde tells variants apart.
pub(crate) enum Tagging {
    External,
    Internal(LitStr),
    Adjacent(LitStr, LitStr),
    Untagged,
}

/// A variant of an enum.
pub(crate) struct Variant<'a> {
    pub(crate) original: &'a syn::Variant,
    pub(crate) attrs: VariantAttrs,
    /// The name on the wire.
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) style: Style,
    pub(crate) fields: Vec<Field<'a>>,
}

/// What a variant's JSON looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Unit,
    Newtype,
    Tuple,
    Struct,
}

/// A field of a struct or a variant.
pub(crate) struct Field<'a> {
    pub(crate) original: &'a syn::Field,
    pub(crate) attrs: FieldAttrs,
    /// Whether the attributes could be read; if not, they may have meant another schema than the type's.
    pub(crate) sound: bool,
    pub(crate) member: Member,
    /// The key on the wire.
    pub(crate) key: String,
    pub(crate) doc: String,
}

/// Whose schema a value has.
pub(crate) enum Source<'a> {
    /// Its type's own.
    Own(&'a Type),
    /// That of another type.
    Stated(&'a Type),
    /// That of a map as a list of its entries.
    Entries(&'a Type),
    /// That of JSON inside a string.
    JsonText,
}

impl<'a> Container<'a> {
    /// Reads the whole type; `None` if it is of a kind that has no schema at all.
    pub(crate) fn read(original: &'a DeriveInput, faults: &Faults) -> Option<Self> {
        let attrs = ContainerAttrs::read(&original.attrs, faults);
        let shape = Shape::read(original, &attrs, faults)?;
        let given = attrs.title.as_ref().or(attrs.rename.as_ref());
        let spoken = given.map_or_else(|| original.ident.unraw().to_string(), LitStr::value);
        let mut doc = described(attrs.description.as_ref(), &[], &original.attrs);
        if let Shape::Tuple(fields) = &shape {
            describe_elements(fields, &mut doc);
        }
        Some(Self { original, name: name::of_schema(&spoken), doc, attrs, shape })
    }

    /// Whether the schema may depend on parameters; lifetimes do not count.
    pub(crate) fn is_generic(&self) -> bool {
        let generics = &self.original.generics;
        generics.type_params().next().is_some() || generics.const_params().next().is_some()
    }

    /// The type's name for serde.
    pub(crate) fn wire_name(&self) -> String {
        self.attrs.rename.as_ref().map_or_else(|| self.original.ident.unraw().to_string(), LitStr::value)
    }

    /// The fields of a struct as they are written.
    pub(crate) fn written(&self) -> Option<&'a Fields> {
        match &self.original.data {
            Data::Struct(data) => Some(&data.fields),
            _ => None,
        }
    }

    /// Every field whose schema the type's schema contains.
    pub(crate) fn fields(&self) -> Vec<&Field<'a>> {
        match &self.shape {
            Shape::Stated(_) | Shape::Unit => Vec::new(),
            Shape::Newtype(field) => vec![&**field],
            Shape::Tuple(fields) | Shape::Struct(fields) => fields.iter().collect(),
            Shape::Enum(_, variants) => variants.iter().flat_map(|variant| &variant.fields).collect(),
        }
    }

    /// Every type whose schema the type's schema contains.
    pub(crate) fn types(&self) -> Vec<&Type> {
        let mut types: Vec<&Type> = Vec::new();
        if let Shape::Stated(ty) = &self.shape {
            types.push(ty);
        }
        if let Shape::Enum(_, variants) = &self.shape {
            for variant in variants {
                match variant.stated() {
                    Some(source) => types.extend(source.ty()),
                    None => types.extend(variant.fields.iter().filter_map(|field| field.source().ty())),
                }
            }
        } else {
            types.extend(self.fields().iter().filter_map(|field| field.source().ty()));
        }
        types
    }
}

impl<'a> Shape<'a> {
    /// Whether the schema, or that of a field, is another type's than that of the value.
    pub(crate) fn is_stated(&self) -> bool {
        let field = |field: &Field<'_>| matches!(field.source(), Source::Stated(_));
        match self {
            Self::Stated(_) => true,
            Self::Unit => false,
            Self::Newtype(inner) => field(inner),
            Self::Tuple(fields) | Self::Struct(fields) => fields.iter().any(field),
            Self::Enum(_, variants) => {
                variants.iter().any(|variant| variant.stated().is_some() || variant.fields.iter().any(field))
            }
        }
    }

    fn read(original: &'a DeriveInput, attrs: &ContainerAttrs, faults: &Faults) -> Option<Self> {
        if let Data::Union(data) = &original.data {
            faults.at(
                data.union_token.span,
                "a union has no strict schema, for nothing in it says which field is meant; write an enum",
            );
            return None;
        }
        let stated = attrs.schema_of.as_ref().or(attrs.from.as_ref());
        if let Some((_, ty)) = stated {
            return Some(Self::Stated(ty.clone()));
        }
        match &original.data {
            Data::Union(_) => None,
            Data::Enum(data) => {
                let variants: Vec<_> =
                    data.variants.iter().filter_map(|variant| Variant::read(variant, attrs, faults)).collect();
                if variants.is_empty() {
                    faults.at(
                        original.ident.span(),
                        format!(
                            "`{}` has no variant that could be read, so no value would fit its schema; add one",
                            original.ident
                        ),
                    );
                }
                Some(Self::Enum(Tagging::read(attrs, faults), variants))
            }
            Data::Struct(data) => Self::read_struct(&data.fields, original, attrs, faults),
        }
    }

    fn read_struct(
        fields: &'a Fields,
        original: &'a DeriveInput,
        attrs: &ContainerAttrs,
        faults: &Faults,
    ) -> Option<Self> {
        let mut read = Field::read_all(fields, attrs.rename_all, attrs, faults);
        if let Some(word) = attrs.transparent {
            read.retain(Field::may_be_transparent);
            if read.len() != 1 {
                faults.at(
                    word,
                    format!(
                        "`transparent` needs exactly one field that is read, but `{}` has {}",
                        original.ident,
                        read.len()
                    ),
                );
                return None;
            }
            return read.pop().map(|field| Self::Newtype(Box::new(field)));
        }
        match fields {
            Fields::Named(_) => Some(Self::Struct(read)),
            Fields::Unit => Some(Self::Unit),
            Fields::Unnamed(list) if list.unnamed.len() == 1 && read.len() == 1 => {
                read.pop().map(|field| Self::Newtype(Box::new(field)))
            }
            Fields::Unnamed(list) => {
                let ident = &original.ident;
                check_list(list, read.len(), [format!("struct {ident};"), format!("struct {ident} {{}}")], faults)
                    .then_some(Self::Tuple(read))
            }
        }
    }
}

/// Whether the elements of a tuple make a list that can be told to a model; `unit` are other ways to write one
/// without elements.
fn check_list(list: &FieldsUnnamed, read: usize, unit: [String; 2], faults: &Faults) -> bool {
    if list.unnamed.is_empty() {
        let [one, other] = unit;
        faults.on(list, format!("`()` is read from an empty list; write `{one}` or `{other}`"));
    } else if read != list.unnamed.len() {
        faults.on(list, "a skipped field leaves a list without names; give the fields names");
    } else {
        return true;
    }
    false
}

impl Tagging {
    fn read(attrs: &ContainerAttrs, faults: &Faults) -> Self {
        match (&attrs.tag, &attrs.content, attrs.untagged) {
            (None, None, None) => Self::External,
            (None, None, Some(_)) => Self::Untagged,
            (Some(tag), None, None) => Self::Internal(tag.clone()),
            (Some(tag), Some(content), None) => {
                if tag.value() == content.value() {
                    faults.on(content, format!("`tag` and `content` are both `{}`; they need two keys", tag.value()));
                }
                Self::Adjacent(tag.clone(), content.clone())
            }
            (None, Some(content), None) => {
                faults.on(content, "`content` goes with a tag; add `tag = \"…\"`");
                Self::External
            }
            (_, _, Some(untagged)) => {
                faults.at(untagged, "an enum is either `untagged` or has a `tag`; remove one");
                Self::Untagged
            }
        }
    }
}

impl<'a> Variant<'a> {
    fn read(original: &'a syn::Variant, container: &ContainerAttrs, faults: &Faults) -> Option<Self> {
        let mut attrs = VariantAttrs::read(&original.attrs, faults);
        if attrs.skip {
            return None;
        }
        attrs.content.resolve(container.crate_path.as_ref());
        let ident = original.ident.unraw().to_string();
        let name = match (&attrs.rename, container.rename_all) {
            (Some(name), _) => name.value(),
            (None, Some(rule)) => rule.variant(&ident),
            (None, None) => ident,
        };
        let rule = attrs.rename_all.or(container.rename_all_fields);
        let mut fields = Field::read_all(&original.fields, rule, container, faults);
        let style = match &original.fields {
            Fields::Unit => Style::Unit,
            Fields::Named(_) => Style::Struct,
            // serde reads a newtype variant whose field is skipped as a unit variant.
            Fields::Unnamed(list) if list.unnamed.len() == 1 && fields.is_empty() => Style::Unit,
            Fields::Unnamed(list) if list.unnamed.len() == 1 => Style::Newtype,
            Fields::Unnamed(list) => {
                let ident = &original.ident;
                check_list(list, fields.len(), [ident.to_string(), format!("{ident} {{}}")], faults);
                Style::Tuple
            }
        };
        let mut doc = described(attrs.content.description.as_ref(), &attrs.content.examples, &original.attrs);
        if style == Style::Tuple {
            describe_elements(&fields, &mut doc);
        }
        // A newtype variant and its field are one value: what either says is said of it.
        if let (Style::Newtype, [field]) = (style, fields.as_mut_slice()) {
            let key = attrs.content_key.take();
            if let (false, Some(key)) = (field.attrs.content.absorb(&mut attrs.content), key) {
                faults.at(key, "the variant and its field both say this of the same value; say it in one place");
            }
        }
        Some(Self { original, attrs, name, doc, style, fields })
    }

    /// The schema of the whole content, where the variant names it.
    pub(crate) fn stated(&self) -> Option<Source<'_>> {
        if self.style == Style::Newtype {
            return None;
        }
        self.attrs.content.schema_of.as_ref().map(Source::Stated)
    }
}

impl<'a> Field<'a> {
    fn read_all(fields: &'a Fields, rule: Option<Rule>, container: &ContainerAttrs, faults: &Faults) -> Vec<Self> {
        let read = |(index, original): (usize, &'a syn::Field)| {
            let before = faults.count();
            let mut attrs = FieldAttrs::read(&original.attrs, faults);
            let sound = faults.count() == before;
            attrs.content.resolve(container.crate_path.as_ref());
            let member = match &original.ident {
                Some(ident) => Member::Named(ident.clone()),
                None => Member::Unnamed(index.into()),
            };
            let plain = original.ident.as_ref().map_or_else(|| index.to_string(), |ident| ident.unraw().to_string());
            let key = match (&attrs.rename, rule) {
                (Some(name), _) => name.value(),
                (None, Some(rule)) => rule.field(&plain),
                (None, None) => plain,
            };
            let doc = described(attrs.content.description.as_ref(), &attrs.content.examples, &original.attrs);
            (!attrs.skip).then_some(Self { original, attrs, sound, member, key, doc })
        };
        fields.iter().enumerate().filter_map(read).collect()
    }

    /// Whether serde takes it for the field of a transparent struct.
    fn may_be_transparent(&self) -> bool {
        !self.attrs.default && ty::last_ident(&self.original.ty).is_none_or(|ident| ident != "PhantomData")
    }

    pub(crate) fn content(&self) -> &Content {
        &self.attrs.content
    }

    /// Whose schema the value has.
    pub(crate) fn source(&self) -> Source<'_> {
        match (&self.content().schema_of, &self.content().with) {
            (Some(ty), _) => Source::Stated(ty),
            (None, Some(With::Entries)) => Source::Entries(&self.original.ty),
            (None, Some(With::JsonText)) => Source::JsonText,
            (None, _) => Source::Own(&self.original.ty),
        }
    }

    /// What gave the key, for faults about it.
    pub(crate) fn key_tokens(&self) -> TokenStream {
        match (&self.attrs.rename, &self.original.ident) {
            (Some(name), _) => name.to_token_stream(),
            (None, Some(ident)) => ident.to_token_stream(),
            (None, None) => self.original.ty.to_token_stream(),
        }
    }
}

impl<'a> Source<'a> {
    /// The type whose spelling the schema depends on.
    pub(crate) fn ty(&self) -> Option<&'a Type> {
        match self {
            Self::Own(ty) | Self::Stated(ty) | Self::Entries(ty) => Some(ty),
            Self::JsonText => None,
        }
    }
}

/// The description: given in so many words or from the doc comment, and the examples.
fn described(given: Option<&LitStr>, examples: &[String], attrs: &[syn::Attribute]) -> String {
    let mut text = given.map_or_else(|| doc::description(attrs), LitStr::value);
    if let Some((first, rest)) = examples.split_first() {
        if !text.is_empty() {
            text.push(' ');
        }
        text += if rest.is_empty() { "Example: " } else { "Examples: " };
        text += first;
        for example in rest {
            text += ", ";
            text += example;
        }
        text.push('.');
    }
    text
}

/// Adds what is said of the elements of a list, each by its place: they share one schema, which cannot say it.
fn describe_elements(fields: &[Field<'_>], doc: &mut String) {
    for (index, field) in fields.iter().enumerate().filter(|(_, field)| !field.doc.is_empty()) {
        if !doc.is_empty() {
            doc.push('\n');
        }
        *doc += &(index + 1).to_string();
        *doc += ". ";
        *doc += &field.doc;
    }
}
