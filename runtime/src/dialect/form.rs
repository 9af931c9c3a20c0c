//! Shapes and sizes that a provider takes.

/// Which shapes a provider takes.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools)] // independent facts
pub struct Forms {
    /// What may stand at the root.
    pub root: Root,
    /// Whether every property must be in `required`.
    pub all_required: bool,
    /// Whether every object must say `additionalProperties: false`.
    pub closed: bool,
    /// Whether a type may contain itself.
    pub recursion: Recursion,
    /// Whether `{"$ref": "#"}` is taken.
    pub root_reference: bool,
    /// Whether anything may stand beside `$ref`.
    pub reference_siblings: super::Support,
    /// Where the description of a reference goes.
    pub described_reference: DescribedReference,
    /// Whether an `enum` or `const` may stand without `type`.
    pub untyped_enum: bool,
    /// Which values an `enum` may have.
    pub enum_values: EnumValues,
    /// Whether an `enum` may mix values of several types.
    pub mixed_enum: bool,
    /// Which property names are taken.
    pub keys: Keys,
}

/// What may stand at the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// An object, not a union of objects and not a reference.
    Object,
    /// An object, or a union or a reference that leads to objects.
    Objects,
    /// Any schema.
    Any,
}

/// Whether a type may contain itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recursion {
    /// It may.
    Accepted,
    /// Only inside properties that are not in `required`; a nullable property is not enough.
    Optional,
    /// It may not.
    Refused,
}

/// Where the description of a reference goes, for nothing portable stands beside `$ref`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DescribedReference {
    /// `{"anyOf": [{"$ref": …}], "description": …}`
    Wrapped,
    /// To the description of the object that has the property: "`key`: …". It is for providers that charge for
    /// each `anyOf`.
    Parent,
}

/// Which values an `enum` may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnumValues {
    /// Text alone.
    Strings,
    /// Text and numbers.
    StringsAndNumbers,
    /// Text, numbers, booleans and null.
    Primitives,
    /// Any JSON.
    Any,
}

/// Which property names are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// Any text.
    Any,
    /// Text without `"`, `\` and control characters.
    Unescaped,
    /// Text that is not empty.
    NotEmpty,
}

/// In which order a constrained reply has its keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As the schema lists them.
    Schema,
    /// The required ones first, both in the order of the schema.
    RequiredFirst,
    /// By name, on some of its routes.
    Alphabetical,
    /// As the model likes.
    Free,
}

/// Which regular expressions a provider reads as they are meant.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools)] // independent facts
pub struct Patterns {
    /// How a pattern is read that is not held by `^` and `$`.
    pub anchors: Anchors,
    /// `\d`, `\w`, `\s` and their opposites. Where they are not read but are easily said as a list of
    /// characters, they are.
    pub short_classes: bool,
    /// `\b`, `\B`.
    pub boundaries: bool,
    /// `\p{…}`.
    pub unicode_classes: bool,
    /// `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`.
    pub lookaround: bool,
    /// `\1`, `\k<…>`.
    pub backreferences: bool,
    /// What Rust's engine reads and JavaScript's (with its flag `u`) does not: `(?i)`, `(?P<…>…)`, `\A`, `\z`, `\x{…}`,
    /// `[[:alpha:]]`, `[a&&b]`, and escapes of characters that need none.
    pub rust_only: bool,
    /// Characters that JSON text escapes (a quote, a line break), which `.` and `[^…]` match too. An engine without them
    /// holds the pattern against the JSON text.
    pub escaped_characters: bool,
    /// Characters beyond ASCII in a list of characters.
    pub wide_lists: bool,
    /// `*?`, `+?`, `??`.
    pub lazy: bool,
    /// Escapes in a list of characters, other than of `[`, `]` and `-`; and `\/`.
    pub listed_escapes: bool,
    /// Whether a pattern, a format and lengths hold beside one another. If not, the first of them is sent.
    pub beside_others: bool,
}

/// How a pattern is read that is not held by `^` and `$`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchors {
    /// As JSON Schema says: it matches somewhere.
    Search,
    /// It is held at both ends all the same, or not read at all.
    Whole,
}

/// How large a schema may be. `usize::MAX` stands for no limit.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Object properties in the whole schema.
    pub properties: usize,
    /// Objects on a path, the root included.
    pub depth: usize,
    /// Enum values in the whole schema.
    pub enum_values: usize,
    /// Bytes of property names, definition names and enum values together.
    pub names: usize,
    /// Values in one string enum from which on [`enum_text`](Self::enum_text) holds.
    pub large_enum: usize,
    /// Bytes of the values of one string enum with more than [`large_enum`](Self::large_enum) values.
    pub enum_text: usize,
    /// Bytes of the schema's JSON text.
    pub document: usize,
    /// `anyOf`s (and lists of types) in the whole schema. Past them, a nullable property is written as one that may be
    /// left out.
    pub unions: usize,
    /// Properties in the whole schema that are not in `required`.
    pub optionals: usize,
    /// Strict tools in one request.
    pub tools: usize,
}

impl Limits {
    /// No limits.
    pub const NONE: Self = Self {
        properties: usize::MAX,
        depth: usize::MAX,
        enum_values: usize::MAX,
        names: usize::MAX,
        large_enum: usize::MAX,
        enum_text: usize::MAX,
        document: usize::MAX,
        unions: usize::MAX,
        optionals: usize::MAX,
        tools: usize::MAX,
    };
}

/// Up to which value a rule holds. One beyond is treated as not enforced. `u64::MAX` and infinity stand for no limit.
#[derive(Debug, Clone, Copy)]
pub struct Ceilings {
    /// Of `minLength` and `maxLength`.
    pub length: u64,
    /// Of `minItems`.
    pub min_items: u64,
    /// Of `maxItems`.
    pub max_items: u64,
    /// Of `minProperties` and `maxProperties`.
    pub properties: u64,
    /// Of the bounds of whole numbers, without their sign.
    pub integer: u64,
    /// Of the bounds of other numbers, without their sign.
    pub number: f64,
    /// The least bound of other numbers but 0, without its sign: there a ceiling on the digits behind the point.
    pub fraction: f64,
    /// Of `multipleOf`, with its fraction written out: 0.25 counts as 25.
    pub multiple_of: f64,
}

impl Ceilings {
    /// Every value holds.
    pub const NONE: Self = Self {
        length: u64::MAX,
        min_items: u64::MAX,
        max_items: u64::MAX,
        properties: u64::MAX,
        integer: u64::MAX,
        number: f64::INFINITY,
        fraction: 0.0,
        multiple_of: f64::INFINITY,
    };

    /// Whether a bound holds: of whole numbers if `integer`. Its value is `whole`, or else `float`.
    pub(crate) const fn hold_bound(&self, integer: bool, whole: Option<i128>, float: f64) -> bool {
        let size = float.abs();
        if !integer {
            return size <= self.number && (size >= self.fraction || size == 0.0);
        }
        match whole {
            Some(whole) => whole.unsigned_abs() <= self.integer as u128,
            #[allow(clippy::cast_precision_loss)] // a ceiling is below 2^53, or none
            None => self.integer == u64::MAX || size <= self.integer as f64,
        }
    }

    /// Whether a step of `multipleOf` holds.
    pub(crate) const fn hold_step(&self, step: f64) -> bool {
        if self.multiple_of == f64::INFINITY {
            return true;
        }
        let mut written_out = step.abs();
        while written_out % 1.0 != 0.0 && written_out <= self.multiple_of {
            written_out *= 10.0;
        }
        written_out <= self.multiple_of
    }
}
