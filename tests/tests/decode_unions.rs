//! Enums with payloads, in each of serde's shapes, written in each of the others.

use response_schema::__private::{Case, Field, Key, Kind, Schema, SchemaRef, Tagging, Unit, key_hash};
use response_schema::ResponseSchema;
use response_schema::decode::{DecodeErrorKind, Decoder, RepairKind, decode};
use serde::{Deserialize, Serialize};

const fn field(lead: &'static str, schema: SchemaRef) -> Field {
    let name = lead.split_at(lead.len() - 2).0.split_at(1).1;
    Field::new(lead, key_hash(name), schema)
}

macro_rules! one_value {
    ($value:literal) => {
        SchemaRef::new(&Schema::plain("tag", Kind::Enum(&[Unit::new($value)])))
    };
}

macro_rules! object {
    ($($field:expr),*) => {
        SchemaRef::new(&Schema::plain("object", Kind::object(&[$($field),*])))
    };
}

macro_rules! schema {
    ($type:ty, $hash:literal, $kind:expr) => {
        impl ResponseSchema for $type {
            const SCHEMA: SchemaRef = {
                static NODE: Schema = Schema::derived(stringify!($type), $hash, module_path!(), $kind);
                SchemaRef::new(&NODE)
            };
        }
    };
}

const CIRCLE: SchemaRef = object![field("\"radius\":", u32::SCHEMA)];
const BOX: SchemaRef = object![field("\"width\":", u32::SCHEMA), field("\"height\":", u32::SCHEMA)];

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum External {
    Circle { radius: u32 },
    Box { width: u32, height: u32 },
    Scale(u32),
    NoShape,
    Blank,
}

schema!(
    External,
    11,
    Kind::union(
        Tagging::External,
        &[
            Case::new("Circle", object![field("\"circle\":", CIRCLE)]),
            Case::new("Box", object![field("\"box\":", BOX)]),
            Case::new("Scale", object![field("\"scale\":", u32::SCHEMA)]),
            Case::new(
                "",
                SchemaRef::new(&Schema::plain(
                    "units",
                    Kind::Enum(&[
                        Unit::new("\"no_shape\""),
                        Unit { aliases: &["\"empty\""], ..Unit::new("\"blank\"") }
                    ])
                ))
            ),
        ]
    )
);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Internal {
    Circle { radius: u32 },
    Box { width: u32, height: u32 },
    NoShape,
}

schema!(
    Internal,
    12,
    Kind::union(
        Tagging::Internal { tag: Key::of("\"type\":") },
        &[
            Case::new(
                "Circle",
                object![field("\"type\":", one_value!("\"circle\"")), field("\"radius\":", u32::SCHEMA)]
            ),
            Case::new(
                "Box",
                object![
                    field("\"type\":", one_value!("\"box\"")),
                    field("\"width\":", u32::SCHEMA),
                    field("\"height\":", u32::SCHEMA)
                ]
            ),
            Case::new("NoShape", object![field("\"type\":", one_value!("\"no_shape\""))]),
        ]
    )
);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
enum Adjacent {
    Circle { radius: u32 },
    Box { width: u32, height: u32 },
    NoShape,
}

schema!(
    Adjacent,
    13,
    Kind::union(
        Tagging::Adjacent { tag: Key::of("\"kind\":"), content: Key::of("\"data\":") },
        &[
            Case::new("Circle", object![field("\"kind\":", one_value!("\"circle\"")), field("\"data\":", CIRCLE)]),
            Case::new("Box", object![field("\"kind\":", one_value!("\"box\"")), field("\"data\":", BOX)]),
            Case::new("NoShape", object![field("\"kind\":", one_value!("\"no_shape\""))]),
        ]
    )
);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Circle { radius: u32 },
    Box { width: u32, height: u32 },
    Text(String),
}

schema!(
    Untagged,
    14,
    Kind::union(
        Tagging::Untagged,
        &[Case::new("Circle", CIRCLE), Case::new("Box", BOX), Case::new("Text", String::SCHEMA)]
    )
);

/// One of each, below a plain object.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Shapes {
    external: External,
    internal: Internal,
    adjacent: Adjacent,
    untagged: Untagged,
}

schema!(
    Shapes,
    15,
    Kind::object(&[
        field("\"external\":", External::SCHEMA),
        field("\"internal\":", Internal::SCHEMA),
        field("\"adjacent\":", Adjacent::SCHEMA),
        field("\"untagged\":", Untagged::SCHEMA),
    ])
);

fn circles() -> Shapes {
    Shapes {
        external: External::Circle { radius: 3 },
        internal: Internal::Circle { radius: 3 },
        adjacent: Adjacent::Circle { radius: 3 },
        untagged: Untagged::Circle { radius: 3 },
    }
}

#[test]
fn own_shapes_are_not_touched() {
    let json = serde_json::to_string(&circles()).unwrap();
    let done = decode::<Shapes>(&json).unwrap();
    assert_eq!(done, circles());
    assert!(done.repairs.is_empty());
    // A trailing comma takes the slow way, with one repair.
    let done = decode::<Shapes>(&json.replace("}}", "},}")).unwrap();
    assert_eq!(done, circles());
    assert!(done.repairs.iter().all(|repair| repair.kind == RepairKind::ExtraComma), "{:?}", done.repairs);
}

#[test]
fn every_shape_is_read_for_every_other() {
    let shapes = [
        r#"{"circle": {"radius": 3}}"#,
        r#"{"Circle": {"radius": "3"}}"#,
        r#"{"type": "circle", "radius": 3}"#,
        r#"{"type": "Circle", "radius": 3}"#,
        r#"{"kind": "circle", "data": {"radius": 3}}"#,
        r#"{"kind": "CIRCLE", "content": {"radius": 3}}"#,
        r#"{"radius": 3}"#,
        r#"[{"circle": {"radius": 3}}]"#,
        r#""{\"circle\": {\"radius\": 3}}""#,
    ];
    for shape in shapes {
        let text = format!(
            r#"{{"external": {shape}, "internal": {shape}, "adjacent": {shape}, "untagged": {{"radius": 3}}}}"#
        );
        match decode::<Shapes>(&text) {
            Ok(done) => assert_eq!(done, circles(), "{shape}"),
            Err(error) => panic!("{shape}\n{error}"),
        }
    }
}

#[test]
fn units_and_scalars() {
    for (text, expected) in [
        ("\"no_shape\"", External::NoShape),
        ("\"NoShape\"", External::NoShape),
        ("\"Empty\"", External::Blank),
        ("{\"no_shape\": null}", External::NoShape),
        ("{\"type\": \"blank\"}", External::Blank),
        ("{\"scale\": \"4\"}", External::Scale(4)),
        ("{\"type\": \"scale\", \"value\": 4}", External::Scale(4)),
    ] {
        let done = decode::<External>(&format!("{{\"value\": {text}}}"));
        assert_eq!(done.unwrap_or_else(|error| panic!("{text}: {error}")), expected, "{text}");
        // The model forgot the wrapper around the root.
        let done = decode::<External>(text).unwrap_or_else(|error| panic!("bare {text}: {error}"));
        assert_eq!(done, expected, "{text}");
        assert!(done.repairs.iter().any(|repair| repair.kind == RepairKind::Root), "{:?}", done.repairs);
    }
    assert_eq!(decode::<Internal>("{\"value\": \"no shape\"}").unwrap(), Internal::NoShape);
    assert_eq!(decode::<Adjacent>("{\"value\": {\"kind\": \"NoShape\"}}").unwrap(), Adjacent::NoShape);
    assert_eq!(decode::<Untagged>("{\"value\": \"3\"}").unwrap(), Untagged::Text("3".into()));
}

#[test]
fn faults_are_told_within_the_variant_that_was_meant() {
    let text = r#"{"value": {"type": "box", "width": "wide", "height": 2}}"#;
    let error = decode::<Internal>(text).unwrap_err();
    assert_eq!(error.kind(), DecodeErrorKind::Invalid);
    assert_eq!(error.violations()[0].path, "value.width", "{error}");
}

/// A name that no case has is told with its place and with the names that there are.
#[test]
fn a_tag_that_names_no_case_is_told_by_itself() {
    for value in [r#"{"type": "circel", "radius": 2}"#, r#"{"radius": 2, "type": "circel"}"#] {
        let error = decode::<Internal>(&format!("{{\"value\": {value}}}")).unwrap_err();
        let [violation] = error.violations() else { panic!("{error}") };
        assert_eq!((violation.path.as_str(), violation.found.as_str()), ("value.type", "\"circel\""));
        assert!(violation.expected.starts_with("one of \"") && violation.expected.contains("\"circle\""), "{error}");
        assert_eq!(violation.hint, "`circle`", "{error}");
    }
    // No name at all: the whole is told.
    let error = decode::<Internal>(r#"{"value": {"diameter": 2}}"#).unwrap_err();
    assert_eq!(error.violations()[0].path, "value", "{error}");
    // The same of a schema that is known at run time only.
    let case = |name: &str| {
        let tag = serde_json::json!({"const": name});
        serde_json::json!({"type": "object", "properties": {"kind": tag}, "required": ["kind"]})
    };
    let schema = serde_json::json!({"type": "object", "properties": {"way": {"anyOf": [case("air"), case("sea")]}}});
    let format = response_schema::adapter::ResponseFormat::from_schema(schema);
    let error = Decoder::new().decode_value(r#"{"way": {"kind": "rail"}}"#, &format).unwrap_err();
    let told: Vec<_> = error.violations().iter().map(ToString::to_string).collect();
    assert_eq!(told, [r#"`way.kind`: expected one of "air" or "sea", found "rail""#]);
}
