//! Dialects: every fixture in the form of every provider, held to the provider's rules by judges that do not know how
//! the schemas are made; and the budgets and refusals of single providers.

use response_schema::dialect::{Anthropic, Cerebras, Dialect, Gemini, Guidance, LlamaCpp, Spec, Xgrammar};
use response_schema::dynamic::{judge, lower};
use response_schema::{ResponseSchema, json, json_for};
use response_schema_tests::fixtures::all;
use response_schema_tests::judge::{Grammar, PROVIDERS, Provider, Validator};
use serde::Deserialize;
use serde_json::{Value, json};

fn provider(name: &str) -> &'static Provider {
    PROVIDERS.iter().find(|provider| provider.name == name).expect("a provider")
}

fn dialect(name: &str) -> &'static Dialect {
    Dialect::ALL.iter().find(|dialect| dialect.name == name).expect("a dialect")
}

fn value<T: ResponseSchema, D: Spec>() -> Value {
    serde_json::from_str(json_for::<T, D>()).expect("JSON")
}

/// Whether some property is not required.
fn leaves_out(node: &Value) -> bool {
    let properties = node.get("properties").and_then(Value::as_object).map_or(0, serde_json::Map::len);
    properties > node.get("required").and_then(Value::as_array).map_or(0, Vec::len)
        || match node {
            Value::Object(map) => map.values().any(leaves_out),
            Value::Array(items) => items.iter().any(leaves_out),
            _ => false,
        }
}

#[test]
fn every_fixture_satisfies_the_rules_of_every_provider() {
    let mut faults = Vec::new();
    for provider in PROVIDERS {
        let dialect = dialect(provider.name);
        let mut accepted = 0;
        for fixture in all() {
            if let Ok(schema) = (fixture.document)(dialect) {
                accepted += 1;
                faults.extend(provider.faults(&schema).iter().map(|fault| format!("{}: {fault}", fixture.name)));
            }
        }
        assert!(accepted > 200, "{} accepts {accepted} fixtures", dialect.name);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Constants are filled into what dialects share; at run time each dialect has a walk of its own.
#[test]
fn constants_say_what_is_said_at_run_time() {
    for fixture in all() {
        for (dialect, constant) in fixture.constants {
            let made = std::panic::catch_unwind(constant)
                .map(str::to_owned)
                .map_err(|panic| panic.downcast::<String>().map_or_else(|_| "no text".to_owned(), |text| *text));
            assert_eq!(made, (fixture.document)(dialect), "{} for {}", fixture.name, dialect.name);
        }
    }
}

/// A refusal has a reason in the schema, and is not made out of caution.
#[test]
fn what_is_refused_would_be_refused() {
    for provider in PROVIDERS {
        let dialect = dialect(provider.name);
        for fixture in all() {
            let Err(refusal) = (fixture.document)(dialect) else { continue };
            let word = [
                ("contains itself", "circular"),
                ("quote, a backslash", "does not escape"),
                ("bytes long", "characters exceed"),
                ("may be left out", "with type arrays or anyOf exceed"),
            ]
            .into_iter()
            .find_map(|(ours, theirs)| refusal.contains(ours).then_some(theirs));
            // An empty key is refused for what llama.cpp does with it, which its own judge shows.
            let Some(word) = word else {
                assert!(refusal.contains("empty key"), "{}: {refusal}", fixture.name);
                continue;
            };
            assert!(refusal.contains(dialect.name), "{refusal}");
            let faults = provider.faults(fixture.full);
            assert!(faults.iter().any(|fault| fault.contains(word)), "{}: {refusal}; {faults:?}", fixture.name);
        }
    }
}

#[test]
fn instances_satisfy_the_schema_of_every_dialect() {
    for dialect in Dialect::ALL {
        for fixture in all() {
            let Ok(schema) = (fixture.document)(dialect) else { continue };
            let node: Value = serde_json::from_str(&schema).expect("JSON");
            // `null` is no instance of a member that may be left out instead.
            if leaves_out(&node) {
                continue;
            }
            let validator = Validator::new(&schema).unwrap_or_else(|fault| panic!("{}: {fault}", fixture.name));
            for seed in 0..4 {
                let sample = (fixture.sample)(seed);
                if let Err(fault) = validator.judge(&sample) {
                    panic!("{} for {}: {sample}: {fault}\n  {schema}", fixture.name, dialect.name);
                }
            }
        }
    }
}

/// Dialects that are engines, and the one engine that is a crate: whatever is sent to it compiles.
#[test]
fn the_forms_of_every_dialect_compile_in_llguidance() {
    for name in ["OpenAI", "Anthropic", "Gemini", "llama.cpp", "xgrammar", "the portable subset", "llguidance"] {
        let dialect = dialect(name);
        for fixture in all() {
            if let Ok(schema) = (fixture.document)(dialect) {
                Grammar::new(&schema)
                    .unwrap_or_else(|fault| panic!("{} for {name}: {fault}\n  {schema}", fixture.name));
            }
        }
    }
}

#[test]
fn profiles_of_one_wire_have_its_text() {
    for fixture in all() {
        let of = |dialect: &Dialect| (fixture.document)(dialect).ok();
        assert_eq!(of(&Dialect::AZURE), of(&Dialect::OPENAI), "{}", fixture.name);
        assert_eq!(of(&Dialect::CODEX_CLI), of(&Dialect::OPENAI), "{}", fixture.name);
        assert_eq!(of(&Dialect::OLLAMA), of(&Dialect::LLAMA_CPP), "{}", fixture.name);
        assert_eq!(of(&Dialect::GLM), of(&Dialect::PROMPT), "{}", fixture.name);
        assert_eq!(of(&Dialect::OPENAI).as_deref(), Some(fixture.strict), "{}", fixture.name);
    }
}

macro_rules! options {
    ($name:ident $($field:ident)*; $($more:tt)*) => {
        #[allow(clippy::struct_field_names)] // they are as long as their names
        #[derive(Debug, PartialEq, Deserialize, ResponseSchema)]
        struct $name { $($field: Option<bool>,)* $($more)* }
    };
}

options! { Sixteen a b c d e f g h i j k l m n o p; }
options! { Seventeen a b c d e f g h i j k l m n o p q; }
options! { Forty
    a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 d0 d1 d2 d3 d4 d5 d6 d7 d8 d9;
}
options! { FortyOne
    a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 d0 d1 d2 d3 d4 d5 d6 d7 d8 d9
    e0;
}
options! { WithEnum a b c d e f g h i j k l m n o p; choice: Choice }
options! { Outer a b c d e f g h i j k l m n; inner: Inner, list: Vec<Element> }
options! { Inner a b c; }
options! { Element z; }

#[derive(Debug, PartialEq, Deserialize, ResponseSchema)]
enum Choice {
    A(bool),
    B { b: bool },
}

/// The properties that are not required, with their schemas.
fn left_out(node: &Value) -> Vec<(&str, &Value)> {
    let required = node["required"].as_array().expect("a list");
    let properties = node["properties"].as_object().expect("properties");
    properties
        .iter()
        .filter(|(key, _)| !required.contains(&json!(key)))
        .map(|(key, node)| (key.as_str(), node))
        .collect()
}

#[test]
fn anthropic_has_sixteen_nullables_and_then_optional_members() {
    let sixteen = value::<Sixteen, Anthropic>();
    assert_eq!(left_out(&sixteen), []);
    assert_eq!(sixteen["properties"]["p"], json!({"anyOf": [{"type": "boolean"}, {"type": "null"}]}));

    let seventeen = value::<Seventeen, Anthropic>();
    assert_eq!(left_out(&seventeen), [("q", &json!({"type": "boolean"}))]);
    let full: Seventeen = serde_json::from_value(
        seventeen["properties"]
            .as_object()
            .expect("properties")
            .keys()
            .filter(|key| *key != "q")
            .map(|key| (key.clone(), json!(null)))
            .collect(),
    )
    .expect("serde fills in what is left out");
    assert_eq!(full.q, None);

    assert_eq!(left_out(&value::<Forty, Anthropic>()).len(), 24);
    let refusal = Anthropic::accepts::<FortyOne>().expect_err("too many").to_string();
    for part in ["`FortyOne`", "41 `Option` fields", "16 unions", "24 fields that may be left out"] {
        assert!(refusal.contains(part), "{part}: {refusal}");
    }
    // Everyone else has no such budget.
    assert_eq!(left_out(&serde_json::from_str(json::<FortyOne>()).expect("JSON")), []);
}

#[test]
fn enums_with_data_and_nested_objects_use_the_same_budget() {
    // One of sixteen goes to the enum.
    assert_eq!(left_out(&value::<WithEnum, Anthropic>()), [("p", &json!({"type": "boolean"}))]);
    // Those of the outer object first, then those further in.
    let outer = value::<Outer, Anthropic>();
    assert_eq!(left_out(&outer), []);
    assert_eq!(left_out(&outer["properties"]["inner"]), [("c", &json!({"type": "boolean"}))]);
    assert_eq!(left_out(&outer["properties"]["list"]["items"]), [("z", &json!({"type": "boolean"}))]);
    for schema in [json_for::<WithEnum, Anthropic>(), json_for::<Outer, Anthropic>(), json_for::<Forty, Anthropic>()] {
        assert_eq!(provider("Anthropic").faults(schema), Vec::<String>::new());
    }
}

/// A part of a tree.
#[derive(Debug, PartialEq, Deserialize, ResponseSchema)]
struct Node {
    name: String,
    /// What stands below.
    #[serde(default)]
    children: Vec<Node>,
    next: Option<Box<Node>>,
}

#[derive(Debug, Deserialize, ResponseSchema)]
struct Strict {
    children: Vec<Strict>,
}

#[test]
fn recursion_is_as_the_provider_takes_it() {
    let node = value::<Node, Gemini>();
    assert_eq!(
        left_out(&node),
        [
            (
                "children",
                &json!({"type": "array", "description": "What stands below.", "items": {"$ref": "#/$defs/Node"}})
            ),
            ("next", &json!({"$ref": "#/$defs/Node"})),
        ]
    );
    assert_eq!(provider("Gemini").faults(json_for::<Node, Gemini>()), Vec::<String>::new());
    let read: Node = serde_json::from_str(r#"{"name":"a"}"#).expect("serde fills in what is left out");
    assert_eq!(read, Node { name: "a".to_owned(), children: Vec::new(), next: None });

    let refusal = Gemini::accepts::<Strict>().expect_err("required recursion").to_string();
    assert!(
        refusal.contains("`Strict` contains itself through `children`") && refusal.contains("#[serde(default)]"),
        "{refusal}"
    );
    let refusal = Anthropic::accepts::<Node>().expect_err("recursion").to_string();
    assert!(
        refusal.contains("`Node` contains itself through `children`") && refusal.contains("Anthropic"),
        "{refusal}"
    );
    assert!(LlamaCpp::accepts::<Strict>().is_ok());
}

/// An address.
#[derive(Debug, Deserialize, ResponseSchema)]
struct Address {
    street: String,
}

/// An order.
#[derive(Debug, Deserialize, ResponseSchema)]
struct Order {
    /// Where it goes.
    shipping: Address,
    /// Where the "invoice" goes.
    billing: Option<Address>,
    past: Vec<Address>,
}

#[test]
fn a_reference_is_described_without_a_union_where_unions_are_counted() {
    let order = value::<Order, Anthropic>();
    assert_eq!(order["description"], "An order.\n`shipping`: Where it goes.");
    assert_eq!(order["properties"]["shipping"], json!({"$ref": "#/$defs/Address"}));
    assert_eq!(order["properties"]["billing"]["description"], "Where the \"invoice\" goes.");
    assert_eq!(order["$defs"]["Address"]["description"], "An address.");
    let openai: Value = serde_json::from_str(json::<Order>()).expect("JSON");
    assert_eq!(
        openai["properties"]["shipping"],
        json!({"anyOf": [{"$ref": "#/$defs/Address"}], "description": "Where it goes."})
    );
}

#[derive(Debug, Deserialize, ResponseSchema)]
struct Ruled {
    /// A share.
    #[response(min = 0, max = 1)]
    share: f64,
    #[response(exclusive_min = 3, multiple_of = 5)]
    count: u8,
    #[response(min_length = 2, max_length = 8)]
    name: String,
    #[response(pattern = r"^\d{3}-[\w-]+$")]
    code: String,
    #[response(pattern = r"\d+")]
    digits: String,
    letter: char,
    #[response(format = "uri")]
    link: String,
    #[response(format = "uuid")]
    id: String,
    #[response(min_items = 2, max_items = 300)]
    list: Vec<bool>,
}

#[test]
fn rules_are_keywords_where_they_hold_and_sentences_elsewhere() {
    let of = |name: &str| -> Value {
        let dialect = dialect(name);
        let text =
            response_schema::adapter::ResponseFormat::of::<Ruled>().wire(dialect).expect("accepted").json.into_owned();
        let mut node: Value = serde_json::from_str(&text).expect("JSON");
        node["properties"].take()
    };
    let anthropic = of("Anthropic");
    assert_eq!(anthropic["share"], json!({"type": "number", "description": "A share. Must be between 0 and 1."}));
    assert_eq!(
        anthropic["count"]["description"],
        "Must be between 0 and 255. Must be more than 3. Must be a multiple of 5."
    );
    assert_eq!(anthropic["name"]["description"], "Must have between 2 and 8 characters.");
    assert_eq!(anthropic["letter"], json!({"type": "string", "description": "Must have exactly 1 character."}));
    assert_eq!(anthropic["link"], json!({"type": "string", "format": "uri"}));
    assert_eq!(
        anthropic["list"],
        json!({"type": "array", "description": "Must have between 2 and 300 elements.", "items": {"type": "boolean"}})
    );
    let llama = of("llama.cpp");
    assert_eq!(llama["share"], anthropic["share"]);
    assert_eq!(llama["count"]["exclusiveMinimum"], 3);
    assert_eq!(llama["code"], json!({"type": "string", "pattern": "^[0-9]{3}-[A-Za-z0-9_-]+$"}));
    assert_eq!(llama["digits"]["description"], "Must match the regular expression \\d+ .");
    assert_eq!(llama["letter"], json!({"type": "string", "minLength": 1, "maxLength": 1}));
    assert_eq!(llama["link"]["description"], "Must be in the format uri.");
    assert_eq!(llama["id"], json!({"type": "string", "format": "uuid"}));
    let claude = of("the claude command line");
    assert_eq!(claude["id"]["description"], "Must be in the format uuid.");
    assert_eq!(claude["code"]["pattern"], r"^\d{3}-[\w-]+$");
    assert_eq!(of("xAI")["list"]["description"], "Must have at most 300 elements.");
    assert_eq!(of("xAI")["list"]["minItems"], 2);
    assert_eq!(of("Gemini")["count"]["minimum"], 0);
    assert_eq!(of("Gemini")["count"]["description"], "Must be more than 3. Must be a multiple of 5.");
    let prompt = of("prompt text");
    assert_eq!(prompt["name"], json!({"type": "string", "minLength": 2, "maxLength": 8}));
    assert_eq!(prompt["link"]["format"], "uri");
}

#[derive(Debug, Deserialize, ResponseSchema)]
struct OddKey {
    #[serde(rename = "a\"b")]
    a: bool,
}

#[derive(Debug, Deserialize, ResponseSchema)]
struct NoKey {
    #[serde(rename = "")]
    a: bool,
}

/// A long text.
#[derive(Debug, Deserialize, ResponseSchema)]
struct Long {
    #[doc = "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "]
    a: [Option<bool>; 1],
    list: Vec<Wide>,
}

options! { Wide
    a_property_with_a_long_name_00 a_property_with_a_long_name_01 a_property_with_a_long_name_02 a_property_with_a_long_name_03
    a_property_with_a_long_name_04 a_property_with_a_long_name_05 a_property_with_a_long_name_06 a_property_with_a_long_name_07
    a_property_with_a_long_name_08 a_property_with_a_long_name_09 a_property_with_a_long_name_10 a_property_with_a_long_name_11
    a_property_with_a_long_name_12 a_property_with_a_long_name_13 a_property_with_a_long_name_14 a_property_with_a_long_name_15
    a_property_with_a_long_name_16 a_property_with_a_long_name_17 a_property_with_a_long_name_18 a_property_with_a_long_name_19
    a_property_with_a_long_name_20 a_property_with_a_long_name_21 a_property_with_a_long_name_22 a_property_with_a_long_name_23
    a_property_with_a_long_name_24 a_property_with_a_long_name_25 a_property_with_a_long_name_26 a_property_with_a_long_name_27
    a_property_with_a_long_name_28 a_property_with_a_long_name_29 a_property_with_a_long_name_30 a_property_with_a_long_name_31
    a_property_with_a_long_name_32 a_property_with_a_long_name_33 a_property_with_a_long_name_34 a_property_with_a_long_name_35
    a_property_with_a_long_name_36 a_property_with_a_long_name_37 a_property_with_a_long_name_38 a_property_with_a_long_name_39
    a_property_with_a_long_name_40 a_property_with_a_long_name_41 a_property_with_a_long_name_42 a_property_with_a_long_name_43
    a_property_with_a_long_name_44 a_property_with_a_long_name_45 a_property_with_a_long_name_46 a_property_with_a_long_name_47
    a_property_with_a_long_name_48 a_property_with_a_long_name_49 a_property_with_a_long_name_50 a_property_with_a_long_name_51;
}

#[test]
fn keys_and_lengths_are_refused_where_they_must_be() {
    let refusal = Xgrammar::accepts::<OddKey>().expect_err("a quote in a key").to_string();
    assert!(refusal.contains("the key `a\\\"b`; xgrammar takes no key with a quote"), "{refusal}");
    assert!(Guidance::accepts::<OddKey>().is_ok());
    let refusal = LlamaCpp::accepts::<NoKey>().expect_err("an empty key").to_string();
    assert!(refusal.contains("llama.cpp takes no empty key"), "{refusal}");
    let refusal = Cerebras::accepts::<Long>().expect_err("more than 5,000 characters").to_string();
    assert!(refusal.contains("bytes long; Cerebras takes 5000"), "{refusal}");
}

/// A number with one rule.
macro_rules! ruled {
    ($($name:ident($type:ty: $($rule:tt)*);)*) => {
        $(#[derive(Debug, Deserialize, ResponseSchema)]
        struct $name {
            #[response($($rule)*)]
            #[allow(dead_code)] // read by serde
            x: $type,
        })*
    };
}

ruled! {
    LeastExact(i64: min = -9007199254740991);
    LeastInexact(i64: min = -9007199254740992);
    AboveExact(i64: exclusive_min = 9007199254740991);
    AboveInexact(i64: exclusive_min = 9007199254740992);
    BelowExact(u64: exclusive_max = 9007199254740991);
    BelowInexact(u64: exclusive_max = 9007199254740992);
    LeastOfAll(i64: min = -9223372036854775807);
    BelowAll(u64: exclusive_max = 18446744073709551615);
    LargeFloat(f64: min = 1e15);
    LargerFloat(f64: min = 1e18);
    LargestFloat(f64: max = 1e300);
    SmallFloat(f64: min = 1e-30);
    SmallestFloat(f64: exclusive_min = 1e-300);
    ZeroFloat(f64: min = 0.0);
    Step(u64: multiple_of = 1000);
    LargeStep(u64: multiple_of = 1009);
    WrappingStep(u64: multiple_of = 429496730);
    FineStep(f64: multiple_of = 0.0001);
    FinestStep(f64: multiple_of = 1e-12);
    LongText(String: max_length = 4294967295);
    LongerText(String: max_length = 4294967296);
}

/// What the engine takes is a keyword, and holds; what it is wrong about, or fails at, is a sentence, and is checked.
#[test]
fn rules_that_llguidance_cannot_hold_are_told() {
    fn ask<T: ResponseSchema + serde::de::DeserializeOwned>(keyword: &str, good: &str, bad: &str, sent: bool) {
        let schema = json_for::<T, Guidance>();
        let node: Value = serde_json::from_str(schema).expect("JSON");
        let x = &node["properties"]["x"];
        assert_eq!(x.get(keyword).is_some(), sent, "{schema}");
        let said = x["description"].as_str().unwrap_or_default();
        assert_eq!(said.contains("Must "), !sent, "{schema}");
        let (good, bad) = (format!("{{\"x\":{good}}}"), format!("{{\"x\":{bad}}}"));
        let grammar = Grammar::new(schema).unwrap_or_else(|fault| panic!("{schema}: {fault}"));
        grammar.judge(&good).unwrap_or_else(|fault| panic!("{schema}: {good}: {fault}"));
        assert_eq!(grammar.judge(&bad).is_err(), sent, "{schema}: {bad}");
        for (text, fits) in [(&good, true), (&bad, false)] {
            let decoded = response_schema::decode::decode::<T>(text);
            assert_eq!(decoded.is_ok(), fits, "{schema}: {text}");
        }
    }
    ask::<LeastExact>("minimum", "-9007199254740991", "-9007199254740992", true);
    ask::<LeastInexact>("minimum", "-9007199254740992", "-9007199254740993", false);
    ask::<AboveExact>("exclusiveMinimum", "9007199254740992", "9007199254740991", true);
    ask::<AboveInexact>("exclusiveMinimum", "9007199254740993", "9007199254740992", false);
    ask::<BelowExact>("exclusiveMaximum", "9007199254740990", "9007199254740991", true);
    ask::<BelowInexact>("exclusiveMaximum", "9007199254740991", "9007199254740992", false);
    ask::<LeastOfAll>("minimum", "-9223372036854775807", "-9223372036854775808", false);
    ask::<BelowAll>("exclusiveMaximum", "18446744073709551614", "18446744073709551615", false);
    ask::<LargeFloat>("minimum", "1000000000000000", "999999999999999", true);
    ask::<LargerFloat>("minimum", "1000000000000000000", "999999999999998976", false);
    ask::<LargestFloat>("maximum", "1e300", "1e301", false);
    ask::<SmallFloat>("minimum", "1", "0", true);
    ask::<SmallestFloat>("exclusiveMinimum", "1e-299", "0", false);
    ask::<ZeroFloat>("minimum", "0", "-1", true);
    ask::<Step>("multipleOf", "2000", "2001", true);
    ask::<LargeStep>("multipleOf", "2018", "2019", false);
    ask::<WrappingStep>("multipleOf", "858993460", "858993461", false);
    ask::<FineStep>("multipleOf", "0.0002", "0.00025", true);
    ask::<FinestStep>("multipleOf", "1", "0.0000000000005", false);
    for (schema, sent) in [(json_for::<LongText, Guidance>(), true), (json_for::<LongerText, Guidance>(), false)] {
        assert_eq!(schema.contains("maxLength"), sent, "{schema}");
        Grammar::new(schema).unwrap_or_else(|fault| panic!("{schema}: {fault}"));
    }
}

/// Schemas of run time are held to the same limits: whatever bound they have, the engine takes what is sent, and what
/// it takes it holds.
#[test]
fn lowered_bounds_compile_and_hold_in_llguidance() {
    let ends = [
        json!(i64::MIN),
        json!(i64::MIN + 1),
        json!(-9_007_199_254_740_993_i64),
        json!(-9_007_199_254_740_992_i64),
        json!(-9_007_199_254_740_991_i64),
        json!(9_007_199_254_740_991_i64),
        json!(9_007_199_254_740_992_i64),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(-1e300),
        json!(-1e18),
        json!(1e19),
        json!(-1e-300),
        json!(1e-300),
        json!(5e-324),
        json!(-0.0),
        json!(0.1),
    ];
    for bound in &ends {
        for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] {
            for kind in ["integer", "number"] {
                if keyword == "multipleOf" && bound.as_f64().is_none_or(|step| step <= 0.0) {
                    continue;
                }
                let property = json!({"type": kind, keyword: bound});
                let schema = json!({"type": "object", "properties": {"x": property}, "required": ["x"], "additionalProperties": false});
                let lowered = lower(&schema, Dialect::GUIDANCE).expect("lowered");
                let sent = lowered["properties"]["x"].get(keyword).is_some();
                assert_eq!(sent, judge(&schema, Dialect::GUIDANCE).is_strict(), "{schema}");
                Grammar::new(&lowered.to_string()).unwrap_or_else(|fault| panic!("{schema}: {lowered}: {fault}"));
            }
        }
    }
}
