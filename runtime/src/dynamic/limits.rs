//! How large a schema may be, counted on the schema that would be sent.

use super::definitions::Definitions;
use super::departure::{Departure, Fate, Rule};
use super::document::Place;
use super::draft::{Draft, list_len};
use super::heights::Heights;
use super::rewrite::Rewriter;
use crate::dialect::Dialect;

/// What a schema amounts to. Its pieces are the root, then each definition; each is counted as soon as it is written.
#[derive(Debug, Default)]
pub(super) struct Counts {
    properties: usize,
    enum_values: usize,
    names: usize,
    optionals: usize,
    pub(super) unions: usize,
    heights: Heights,
    /// The bytes of each piece as text, of a definition with its name; counted where the dialect limits them.
    texts: Vec<usize>,
}

impl Counts {
    /// Counts a piece, which is kept; `index` is that of a definition.
    pub(super) fn add(
        &mut self,
        index: Option<usize>,
        piece: &Draft<'_>,
        definitions: &mut Definitions<'_>,
        dialect: &Dialect,
    ) {
        self.heights.begin(index.map_or(0, |index| index + 1));
        self.look(piece, 0);
        for node in self.heights.references() {
            definitions.keep(node);
        }
        let name = index.map_or("", |index| definitions.name_of(index));
        self.names += name.len();
        if dialect.limits.document != usize::MAX {
            let named = if name.is_empty() { 0 } else { name.len() + r#""":"#.len() };
            self.texts.push(named + piece.text_len(definitions));
        }
    }

    /// Counts a schema that stands in so many objects.
    fn look(&mut self, schema: &Draft<'_>, above: usize) {
        let fields = match schema {
            Draft::Object(fields) => fields,
            Draft::Reference(node) => return self.heights.refers(*node, above),
            _ => return,
        };
        let (mut properties, mut required, mut union, mut height) = (0, 0, false, above);
        for (key, value) in fields {
            match (*key, value) {
                ("properties", Draft::Object(members)) => {
                    height += 1;
                    properties = members.len();
                    self.names += members.iter().map(|(name, _)| name.len()).sum::<usize>();
                }
                ("required", Draft::List(names)) => required = names.len(),
                ("required", Draft::Given(names)) => required = names.as_array().map_or(0, Vec::len),
                ("enum", Draft::Values(values)) => {
                    self.enum_values += values.len();
                    self.names += values.iter().filter_map(|value| value.as_str()).map(str::len).sum::<usize>();
                }
                ("const", Draft::Given(value)) => {
                    self.enum_values += 1;
                    self.names += value.as_str().map_or(0, str::len);
                }
                ("type", Draft::List(_)) | ("anyOf" | "oneOf", _) => union = true,
                _ => {}
            }
        }
        self.properties += properties;
        self.optionals += properties.saturating_sub(required);
        self.unions += usize::from(union);
        self.heights.reach(height);
        for (key, value) in fields {
            match (*key, value) {
                ("properties", Draft::Object(members)) => {
                    for (_, one) in members {
                        self.look(one, height);
                    }
                }
                ("anyOf" | "oneOf" | "prefixItems" | "items", Draft::List(list)) => {
                    for one in list {
                        self.look(one, height);
                    }
                }
                ("items" | "additionalProperties" | "additionalItems", one) => self.look(one, height),
                _ => {}
            }
        }
    }

    /// The bytes of the whole schema as text, where they were counted.
    fn document(&self) -> usize {
        let Some((root, definitions)) = self.texts.split_first() else { return 0 };
        if definitions.is_empty() {
            return *root;
        }
        let comma = usize::from(*root > "{}".len());
        root + comma + r#""$defs":"#.len() + list_len(definitions.iter().copied())
    }

    /// The limits that are exceeded.
    pub(super) fn departures(&self, dialect: &Dialect) -> Vec<Departure> {
        let limits = &dialect.limits;
        let depth = if limits.depth == usize::MAX { 0 } else { self.heights.of_root() };
        let &Self { properties, enum_values, names, unions, optionals, .. } = self;
        let exceeded = [
            (properties, limits.properties, "parameters", "split the schema into several requests"),
            (
                depth,
                limits.depth,
                "levels of nesting",
                "carry inner objects as a list beside each other, linked by an identifier",
            ),
            (enum_values, limits.enum_values, "enum values", "write the values into the description of a plain string"),
            (names, limits.names, "bytes of property names, definition names and enum values", "shorten the names"),
            (self.document(), limits.document, "bytes of schema", "shorten names and descriptions"),
        ];
        let mut over = Vec::new();
        let mut exceeds = |text: String, remedy: &'static str| {
            over.push(Departure::new(String::new(), Rule::Limit, Fate::Stays, text, remedy));
        };
        for (found, limit, what, remedy) in exceeded {
            if found > limit {
                exceeds(format!("{found} {what} exceeds limit of {limit}"), remedy);
            }
        }
        if unions > limits.unions {
            let found = format!(
                "too many parameters with union types ({unions} parameters with type arrays or anyOf; limit: {} parameters with unions)",
                limits.unions
            );
            exceeds(found, "let properties be left out instead of being null, or split the schema");
        }
        if optionals > limits.optionals {
            let found = format!("too many optional parameters ({optionals}; limit: {})", limits.optionals);
            exceeds(found, "require some of the properties, or split the schema");
        }
        over
    }
}

/// Reports an enum of many values whose text is too long.
pub(super) fn enum_text(rewriter: &mut Rewriter<'_, '_>, place: Place, values: usize, text: usize) {
    let limit = rewriter.dialect.limits.enum_text;
    if text > limit {
        let found = format!("{values} enum values with {text} bytes of text exceeds limit of {limit}");
        rewriter.report(place, Rule::Limit, Fate::Stays, found, "shorten the values");
    }
}
