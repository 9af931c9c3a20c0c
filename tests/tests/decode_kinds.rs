//! One fault after another, each in its own words: what is read, and what is refused and why.

use response_schema::decode::DecodeErrorKind::{self, Ambiguous, CutShort, Invalid, Malformed, NoJson, ReasoningOnly};
use response_schema::decode::{Decoder, Finish, decode};
use serde_json::{Value, json};

fn pet() -> Value {
    json!({"type": "object", "properties": {"name": {"type": "string"}, "legs": {"type": "integer"}},
           "required": ["name", "legs"], "additionalProperties": false})
}

/// A schema of one required key `v`.
fn one(schema: &Value) -> Value {
    json!({"type": "object", "properties": {"v": schema}, "required": ["v"], "additionalProperties": false})
}

#[track_caller]
fn reads(schema: &Value, text: &str, expected: &Value) {
    match Decoder::new().decode_value(text, schema) {
        Ok(done) => assert_eq!(done.value, *expected, "{text}\nby {:?}", done.repairs),
        Err(error) => panic!("{text}\n{error}"),
    }
}

#[track_caller]
fn refuses(schema: &Value, text: &str, kind: DecodeErrorKind) {
    match Decoder::new().decode_value(text, schema) {
        Ok(done) => panic!("{text}\nwas read as {} by {:?}", done.value, done.repairs),
        Err(error) => assert_eq!(error.kind(), kind, "{text}\n{error}"),
    }
}

fn rex() -> Value {
    json!({"name": "Rex", "legs": 4})
}

#[test]
fn around_the_value() {
    for text in [
        "\u{feff}{\"name\":\"Rex\",\"legs\":4}",
        "{\"name\":\"Rex\",\"legs\":4}\0\0",
        "```\n{\"name\":\"Rex\",\"legs\":4}\n```",
        "~~~json\n{\"name\":\"Rex\",\"legs\":4}\n~~~",
        "```json\n{\"name\":\"Rex\",\"legs\":4}",
        "Here: ```json\n{\"name\":\"Rex\",\"legs\":4}\n```   \n\n",
        "{\"name\":\"Rex\",\"legs\":4}\n```",
        "**Answer:** {\"name\":\"Rex\",\"legs\":4}.",
        "json\n{\"name\":\"Rex\",\"legs\":4}",
        "{{\"name\":\"Rex\",\"legs\":4}}",
        "const pet = {\"name\":\"Rex\",\"legs\":4};",
        "callback({\"name\":\"Rex\",\"legs\":4});",
        "data: {\"name\":\"Rex\",\"legs\":4}\n\ndata: [DONE]",
        "{\"name\":\"Rex\",\"legs\":4}<|endoftext|>",
        "]} {\"name\":\"Rex\",\"legs\":4}",
        "{\"name\":\"Rex\",\"legs\":4}}}]",
        "[TOOL] {\"name\":\"Rex\",\"legs\":4} [/TOOL]",
        "| a | b |\n|---|---|\n\n{\"name\":\"Rex\",\"legs\":4}",
        "- [x] done\n- [ ] open\n{\"name\":\"Rex\",\"legs\":4}",
        "It is {\"name\":\"Pip\",\"legs\":2}. Wait, no: {\"name\":\"Rex\",\"legs\":4}",
        "```python\nd = {\"name\":\"Rex\",\"legs\":4}\n```",
        "```json\n{\"name\":\"Rex\",\"legs\":4}\n```\nThen:\n```python\nd = {\"name\":\"x\",\"legs\":0}\n```",
        "｛\"name\"：\"Rex\"，\"legs\"：4｝",
    ] {
        reads(&pet(), text, &rex());
    }
}

#[test]
fn reasoning() {
    for text in [
        "<think>{\"name\":\"Pip\",\"legs\":2}</think>{\"name\":\"Rex\",\"legs\":4}",
        "{\"name\":\"Pip\",\"legs\":2}</think>{\"name\":\"Rex\",\"legs\":4}",
        "<think>a <think> b </think> {\"name\":\"Pip\",\"legs\":2} </think>{\"name\":\"Rex\",\"legs\":4}",
        "<THINKING>\n{</THINKING>\n{\"name\":\"Rex\",\"legs\":4}",
        "[THINK]{\"name\":\"Pip\",\"legs\":2}[/THINK]{\"name\":\"Rex\",\"legs\":4}",
        "<reasoning effort=\"high\">x</reasoning >{\"name\":\"Rex\",\"legs\":4}",
        "<think></think>\n\n{\"name\":\"Rex\",\"legs\":4}",
        "<thinker>{\"name\":\"Rex\",\"legs\":4}</thinker>",
        "{\"name\":\"Rex\",\"legs\":4}\n<think>",
    ] {
        if text.ends_with("<think>") {
            refuses(&pet(), text, CutShort);
        } else {
            reads(&pet(), text, &rex());
        }
    }
    refuses(&pet(), "<think>{\"name\":\"Rex\",\"legs\":4}</think>", ReasoningOnly);
    refuses(&pet(), "<think>{\"name\":\"Rex\",\"legs\":4}</think> I am done.", ReasoningOnly);
    refuses(&pet(), "{\"name\":\"Rex\",\"legs\":4}</think>", ReasoningOnly);
    refuses(&pet(), "<think>{\"name\":\"Rex\",\"legs\":4}", CutShort);
    refuses(&pet(), "<|channel|>analysis<|message|>{\"name\":\"Rex\",\"legs\":4}<|end|>", ReasoningOnly);
}

#[test]
fn syntax() {
    for text in [
        "{name: \"Rex\", legs: 4}",
        "{\"name\": \"Rex\",, \"legs\": 4}",
        "{“name”: “Rex”, “legs”: 4}",
        "{‘name’: ‘Rex’, ‘legs’: 4}",
        "{`name`: `Rex`, `legs`: 4}",
        "{\"name\": \"\"\"Rex\"\"\", \"legs\": 4}",
        "{\"name\"=\"Rex\", \"legs\"=4}",
        "{\"name\" => \"Rex\", \"legs\" => 4}",
        "{\"name\": \"Rex\"; \"legs\": 4}",
        "{\"name\": \"Rex\" \"legs\": 4}",
        "{\"name\": \"Rex\", \"legs\": 4 /* four",
        "{\"name\": \"Rex\", \"legs\": +4}",
        "{\"name\": \"Rex\", \"legs\": 0x4}",
        "{\"name\": \"Rex\", \"legs\": 04}",
        "{\"name\": \"Rex\", \"legs\": 4.}",
        "{\u{a0}\"name\":\u{3000}\"Rex\",\u{200b}\"legs\": 4\u{feff}}",
        "{'name': \"Rex\", 'legs': 4, }",
        "(\"name\": \"Rex\")",
    ] {
        if text.contains("/* four") {
            refuses(&pet(), text, CutShort);
        } else if text.starts_with('(') {
            refuses(&pet(), text, NoJson);
        } else {
            reads(&pet(), text, &rex());
        }
    }
    let v = |schema: Value, text: &str, expected: Value| reads(&one(&schema), text, &json!({"v": expected}));
    v(json!({"type": "boolean"}), "{\"v\": True}", json!(true));
    v(json!({"type": ["string", "null"]}), "{\"v\": None}", json!(null));
    v(json!({"type": "number"}), "{\"v\": 1_234.5}", json!(1234.5));
    v(json!({"type": "number"}), "{\"v\": .5}", json!(0.5));
    v(json!({"type": "integer"}), "{\"v\": 12,500}", json!(12500));
    v(json!({"type": "string"}), "{\"v\": 'it\\'s \"so\"'}", json!("it's \"so\""));
    v(json!({"type": "string"}), "{\"v\": 'it's so'}", json!("it's so"));
    v(json!({"type": "string"}), "{\"v\": \"don\\'t\"}", json!("don't"));
    v(json!({"type": "string"}), "{\"v\": \"a \"b\" c\"}", json!("a \"b\" c"));
    v(json!({"type": "string"}), "{\"v\": \"5\" pipe\"}", json!("5\" pipe"));
    v(json!({"type": "string"}), "{\"v\": 02139}", json!("02139"));
    v(json!({"type": "string"}), "{\"v\": 2026-02-28}", json!("2026-02-28"));
    v(json!({"enum": ["low", "high"]}), "{\"v\": high}", json!("high"));
    v(json!({"type": "array", "items": {"type": "integer"}}), "{\"v\": [1,\n2\n3,]}", json!([1, 2, 3]));
    v(
        json!({"type": "array", "items": {"type": "string"}}),
        "{\"v\": [\"a \"b\" c\", \"d\"]}",
        json!(["a \"b\" c", "d"]),
    );
}

#[test]
fn two_readings_are_none() {
    let text = one(&json!({"type": "string"}));
    let list = one(&json!({"type": "array", "items": {"type": "string"}}));
    let integer = one(&json!({"type": "integer"}));
    let number = one(&json!({"type": "number"}));
    refuses(&integer, "{\"v\": 1, \"v\": 2}", Ambiguous);
    reads(&integer, "{\"v\": 1, \"v\": 1}", &json!({"v": 1}));
    refuses(&text, "{\"v\": \"C:\\new\\dir\"}", Ambiguous);
    refuses(&list, "{\"v\": [\"x \"y\", \"z\" w\"]}", Ambiguous);
    refuses(&list, "{\"v\": \"a, b\"}", Ambiguous);
    refuses(&integer, "{\"v\": \"12.000\"}", Ambiguous);
    refuses(&integer, "{\"v\": 010}", Ambiguous);
    refuses(&number, "{\"v\": \"12,500\"}", Ambiguous);
    refuses(&one(&json!({"enum": ["In Review", "in_review"]})), "{\"v\": \"inReview\"}", Ambiguous);
    refuses(&json!({"type": "array", "items": {"type": "integer"}}), "[1, 2] or rather [3]", Ambiguous);
}

#[test]
fn values() {
    let v = |schema: Value, text: &str, expected: Value| reads(&one(&schema), text, &json!({"v": expected}));
    let severity = json!({"type": "string", "enum": ["low", "in_review", "blocking"]});
    for (written, meant) in
        [("Blocking", "blocking"), ("IN-REVIEW", "in_review"), ("In review", "in_review"), (" low ", "low")]
    {
        v(severity.clone(), &json!({"v": written}).to_string(), json!(meant));
    }
    v(json!({"type": "integer"}), "{\"v\": \"4\"}", json!(4));
    v(json!({"type": "integer"}), "{\"v\": 1e3}", json!(1000));
    v(json!({"type": "number"}), "{\"v\": \"$1,234.50\"}", json!(1234.5));
    v(json!({"type": "boolean"}), "{\"v\": \"Yes\"}", json!(true));
    v(json!({"type": "string"}), "{\"v\": 4.10}", json!("4.10"));
    v(json!({"type": ["integer", "null"]}), "{\"v\": \"null\"}", json!(null));
    v(json!({"type": ["string", "null"]}), "{\"v\": \"null\"}", json!("null"));
    v(json!({"type": ["string", "null"]}), "{}", json!(null));
    v(json!({"type": "integer"}), "{\"v\": [4]}", json!(4));
    v(json!({"type": "integer"}), "{\"v\": {\"value\": 4}}", json!(4));
    v(json!({"type": "array", "items": {"type": "string"}}), "{\"v\": \"a\"}", json!(["a"]));
    v(json!({"type": "array", "items": {"type": "string"}}), "{\"v\": {\"items\": [\"a\", \"b\"]}}", json!(["a", "b"]));
    v(pet(), "{\"v\": \"{'name': 'Rex', 'legs': '4'}\"}", rex());
    v(pet(), "{\"V\": {\"pet\": {\"Name\": \"Rex\", \"LEGS\": 4}}}", rex());
    v(json!({"const": 3}), "{\"v\": \"3\"}", json!(3));
    reads(&pet(), "{\"result\": {\"name\": \"Rex\", \"legs\": 4}}", &rex());
    reads(&pet(), "[{\"name\": \"Rex\", \"legs\": 4}]", &rex());
    reads(&pet(), "{\"tool\": \"emit\", \"parameters\": {\"name\": \"Rex\", \"legs\": 4}}", &rex());
    reads(
        &pet(),
        "{\"id\": \"c1\", \"type\": \"function\", \"function\": {\"name\": \"emit\", \"arguments\": \"{\\\"name\\\": \\\"Rex\\\", \\\"legs\\\": 4}\"}}",
        &rex(),
    );
    let map = json!({"type": "array", "items": {"type": "object", "properties": {"key": {"type": "string"}, "value": {"type": "integer"}},
                     "required": ["key", "value"]}});
    v(map, "{\"v\": {\"a\": 1, \"b\": 2}}", json!([{"key": "a", "value": 1}, {"key": "b", "value": 2}]));
}

#[test]
fn lists_at_the_root() {
    let pets = json!({"type": "array", "items": pet()});
    let two = json!([{"name": "Rex", "legs": 4}, {"name": "Pip", "legs": 2}]);
    reads(&pets, "{\"name\":\"Rex\",\"legs\":4}\n{\"name\":\"Pip\",\"legs\":2}\n", &two);
    reads(&pets, "{\"name\":\"Rex\",\"legs\":4},{\"name\":\"Pip\",\"legs\":2}", &two);
    reads(&pets, "{\"pets\": [{\"name\":\"Rex\",\"legs\":4},{\"name\":\"Pip\",\"legs\":2}]}", &two);
    reads(&pets, "{\"name\":\"Rex\",\"legs\":4}", &json!([rex()]));
    refuses(&pets, "First {\"name\":\"Rex\",\"legs\":4}, and later {\"name\":\"Pip\",\"legs\":2}", Ambiguous);
    refuses(&pets, "{\"name\":\"Rex\",\"legs\":4}\n{\"name\":\"Pip\",\"legs\":}", Malformed);
    refuses(&pets, "[{\"name\":\"Rex\",\"legs\":4},{\"name\":\"Pip\"", CutShort);
    reads(&json!({"type": "integer"}), " 4 ", &json!(4));
    reads(&json!({"type": "integer"}), "```\n4\n```", &json!(4));
    reads(&json!({"enum": ["low", "high"]}), "High", &json!("high"));
    refuses(&json!({"type": "integer"}), "The answer is 4", NoJson);
}

#[test]
fn cut_short() {
    for text in [
        "{",
        "{\"",
        "{\"na",
        "{\"name\"",
        "{\"name\":",
        "{\"name\":\"Rex\",",
        "{\"name\":\"Rex\",\"legs\":4",
        "{name: 'Rex', legs: 4",
        "{\"name\":\"Rex\\",
        "{\"name\":\"Rex\\u00",
        "{\"name\":\"Rex\\ud83d\\u",
        "{\"name\":tru",
        "{\"name\":\"a \"b\" c\",\"le",
        "{\"name\":\"Rex\",\"legs\":4} {\"name\":\"Pip\"",
        "[{\"name\":\"Rex\",\"legs\":4}",
        "\"{\\\"name\\\":\\\"Re",
        "{\"pet\":{\"name\":\"Rex\",\"legs\":4}",
    ] {
        refuses(&pet(), text, CutShort);
    }
}

#[test]
fn only_the_last_brace_may_be_missing() {
    let stopped = Decoder::new().finish(Finish::Stop);
    for text in
        ["{\"name\":\"Rex\",\"legs\":4", "{\"legs\":4,\"name\":\"Rex\"\n", "```json\n{\"name\":\"Rex\",\"legs\":4\n```"]
    {
        assert_eq!(stopped.decode_value(text, &pet()).unwrap(), rex(), "{text}");
    }
    for text in [
        "{\"name\":\"Rex\",\"legs\":",
        "{\"name\":\"Rex\"",
        "{\"name\":\"Rex\",\"legs\":4,",
        "[{\"name\":\"Rex\",\"legs\":4}",
    ] {
        let error = stopped.decode_value(text, &pet()).unwrap_err();
        assert_eq!(error.kind(), CutShort, "{text}");
    }
}

#[test]
fn refused() {
    refuses(&pet(), "{\"name\": null, \"legs\": 4}", Invalid);
    refuses(&pet(), "{\"name\": \"Rex\", \"legs\": NaN}", Invalid);
    refuses(&pet(), "{\"name\": \"Rex\", \"legs\": 4.5}", Invalid);
    refuses(&pet(), "{\"name\": \"Rex\", \"legs\": true}", Invalid);
    refuses(&pet(), "{\"name\": \"\\ud83d\", \"legs\": 4}", Malformed);
    refuses(&pet(), "{\"name\": \"Rex\", \"legs\": 4, \"tail\": 1}", Invalid);
    refuses(&pet(), "{\"name\": \"Rex\", \"legs\": ...}", Malformed);
    refuses(&pet(), "{\"pets\": [{\"name\": \"Rex\", \"legs\": 4}, ...]}", Malformed);
    refuses(&pet(), "{\"error\": {\"name\": \"Rex\", \"legs\": 4}}", Invalid);
    refuses(&pet(), "[{\"name\": \"Rex\", \"legs\": 4}, {\"name\": \"Pip\", \"legs\": 2}]", Invalid);
    refuses(&pet(), "{\"name\": \"Tu{\"name\":\"Rex\",\"legs\":4}", Malformed);
    refuses(&pet(), "<pet><name>Rex</name></pet>", NoJson);
    refuses(&pet(), "Draft {\"name\":\"Rex\",\"legs\":4}, final {\"name\":\"Rex\",\"legs\":}", Malformed);
    refuses(&one(&json!({"type": "integer", "format": "int32"})), "{\"v\": 2147483648}", Invalid);
    refuses(&one(&json!({"type": "boolean"})), "{\"v\": \"maybe\"}", Invalid);
    refuses(&one(&json!({"type": "string"})), "{\"v\": {\"a\": 1}}", Invalid);
    refuses(&one(&json!({"type": "string"})), "{\"v\": name}", Invalid);
}

#[test]
fn violations_are_all_told_in_order() {
    let schema = json!({"type": "object", "additionalProperties": false, "required": ["name", "legs", "mood"], "properties": {
        "name": {"type": "string", "maxLength": 3}, "legs": {"type": "integer", "maximum": 100},
        "mood": {"enum": ["calm", "wild"]}, "tags": {"type": "array", "items": {"type": "string"}}}});
    let text = "{\"legs\": \"many\", \"nmae\": \"Rex\", \"mood\": \"clam\", \"tags\": [\"a\", null]}";
    let error = Decoder::new().decode_value(text, &schema).unwrap_err();
    let told: Vec<_> = error.violations().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "`legs`: expected a whole number, found \"many\"",
            "`nmae`: there is no such key; did you mean `name`?",
            "`mood`: expected one of \"calm\" or \"wild\", found \"clam\"; did you mean \"calm\"?",
            "`tags[1]`: expected text, found null",
            "`name`: expected text, found no such key, but `nmae`",
        ]
    );
    let error =
        Decoder::new().decode_value("{\"name\": \"Rexi\", \"legs\": 101, \"mood\": \"calm\"}", &schema).unwrap_err();
    let told: Vec<_> = error.violations().iter().map(ToString::to_string).collect();
    assert_eq!(told, ["`name`: expected at most 3 characters, found 4", "`legs`: expected at most 100, found 101"]);
}

#[test]
fn exact_numbers() {
    let integer = one(&json!({"type": "integer"}));
    for number in ["9007199254740993", "18446744073709551615", "-9223372036854775808", "0"] {
        for text in
            [format!("{{\"v\": {number}}}"), format!("{{\"v\": {number}.0,}}"), format!("{{\"v\": \"{number}\"}}")]
        {
            let done = Decoder::new().decode_value(&text, &integer).unwrap();
            assert_eq!(done["v"].to_string(), number, "{text}");
        }
    }
    refuses(&integer, "{\"v\": 18446744073709551616}", Invalid);
    refuses(&integer, "{\"v\": \"18446744073709551616\"}", Invalid);
    refuses(&one(&json!({})), "{\"v\": 18446744073709551616}", Invalid);
    refuses(&one(&json!({"type": "number"})), "{\"v\": 1e999}", Invalid);
}

#[test]
fn bytes() {
    use response_schema::decode::DecodeErrorKind::NotText;
    let decoder = Decoder::new();
    let utf16: Vec<u8> = "\u{feff}{\"value\": [1]}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(decoder.decode_bytes::<Vec<u8>>(&utf16).unwrap(), vec![1]);
    assert_eq!(decoder.decode_bytes::<Vec<u8>>(b"\xff caf\xe9: {\"value\": [1]}").unwrap(), vec![1]);
    assert_eq!(decoder.decode_bytes::<String>(b"{\"value\": \"caf\xe9\"}").unwrap_err().kind(), NotText);
}

/// What is JSON is read as JSON, also where a reader who looks for forgotten backslashes would stumble.
#[test]
fn json_goes_before_repair() {
    let long = "k".repeat(300);
    let text = json!({"a": "x", "b\"c": 1, "d": "e: \"f\", g", (long): "}, {"}).to_string();
    let value: Value = serde_json::from_str(&text).unwrap();
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
    let list = json!({"type": "array", "items": schema});
    for (text, schema, value) in [
        (text.clone(), &schema, value.clone()),
        (format!("Here: {text} and {{more}}."), &schema, value.clone()),
        (format!("Here: [{text}, {text}]"), &list, json!([value, value])),
        (format!("```json\n{text}\n```"), &schema, value.clone()),
    ] {
        let done = Decoder::new().decode_value(&text, schema).unwrap();
        assert_eq!((done.value, done.repairs), (value, vec![]), "{text}");
    }
}

/// A draft is no answer once the model has begun another, whatever is wrong with that.
#[test]
fn withdrawn_answers_are_not_gone_back_to() {
    let schema = json!({
        "type": "object",
        "properties": {"level": {"enum": ["low", "high"]}, "n": {"type": "integer"}},
        "required": ["level", "n"],
    });
    for (last, kind) in [
        ("{\"level\": \"urgent\", \"n\": 1}", Invalid),
        ("{\"level\": \"high\", \"n\": }", Malformed),
        ("{\"level\": \"high\", \"n\": 1, \"n\": 2}", Ambiguous),
        ("{\"level\": \"high\", \"n\"", CutShort),
    ] {
        let text = format!("{{\"level\": \"low\", \"n\": 1}}\nNo, I meant:\n{last}");
        let error = Decoder::new().decode_value(&text, &schema).unwrap_err();
        assert_eq!(error.kind(), kind, "{text}\n{error}");
    }
    // A name that no case has is one, however cases carry their names.
    let tagged = |name: &str| json!({"type": "object", "properties": {"kind": {"const": name}}, "required": ["kind"]});
    let keyed = |name: &str| json!({"type": "object", "properties": {name: {"type": "object"}}, "required": [name], "additionalProperties": false});
    for (pay, draft, last) in [
        (json!({"anyOf": [tagged("cash"), tagged("card")]}), json!({"kind": "cash"}), json!({"kind": "bitcoin"})),
        (json!({"anyOf": [keyed("cash"), keyed("card")]}), json!({"cash": {}}), json!({"bitcoin": {}})),
        (json!({"anyOf": [{"enum": ["cash", "none"]}, keyed("card")]}), json!("cash"), json!("bitcoin")),
    ] {
        let schema = json!({"type": "object", "properties": {"pay": pay}, "required": ["pay"]});
        let text = format!("{}\nNo, I meant:\n{}", json!({"pay": draft}), json!({"pay": last}));
        let error = Decoder::new().decode_value(&text, &schema).unwrap_err();
        assert_eq!(error.kind(), Invalid, "{text}\n{error}");
        assert!(error.to_string().contains("bitcoin"), "{error}");
    }
    for last in [r#"{"kind": "bitcoin"}"#, r#"{"kind": "card", "last4": 1}"#] {
        let text = format!("{{\"pay\": {{\"kind\": \"cash\"}}}}\nNo, I meant:\n{{\"pay\": {last}}}");
        assert_eq!(decode::<Purchase>(&text).unwrap_err().kind(), Invalid, "{text}");
    }
}

#[derive(Debug, serde::Deserialize, response_schema::ResponseSchema)]
struct Purchase {
    #[allow(dead_code, reason = "it is only read")]
    pay: Payment,
}

#[derive(Debug, serde::Deserialize, response_schema::ResponseSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Payment {
    Cash,
    Card {
        #[allow(dead_code, reason = "it is only read")]
        #[response(pattern = "^[0-9]{4}$")]
        last4: String,
    },
}
