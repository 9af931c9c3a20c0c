//! Faults that users of other libraries reported, by the place of the report.

use response_schema::decode::{DecodeErrorKind, Decoder, Finish};
use serde_json::{Value, json};

fn object(properties: &Value) -> Value {
    let required: Vec<_> = properties.as_object().unwrap().keys().cloned().collect();
    json!({"type": "object", "properties": properties, "required": required})
}

#[track_caller]
fn reads(properties: &Value, text: &str, expected: &Value) {
    let done = Decoder::new().decode_value(text, &object(properties));
    assert_eq!(done.unwrap_or_else(|error| panic!("{text}\n{error}")).value, *expected);
}

#[track_caller]
fn refuses(properties: &Value, text: &str, kind: DecodeErrorKind) {
    match Decoder::new().decode_value(text, &object(properties)) {
        Ok(done) => panic!("{text}\nwas read as {}", done.value),
        Err(error) => assert_eq!(error.kind(), kind, "{text}\n{error}"),
    }
}

#[test]
fn fences_inside_of_strings() {
    let text = json!({"type": "string"});
    // langchain-ai/langchain#5428, #19646; guardrails-ai/guardrails#1379, #1549
    reads(
        &json!({"tool": text, "text": text}),
        "```json\n{\"tool\":\"reply\",\"text\":\"Try:\\n```py\\nprint(1)\\n```\\nbye\"}\n```",
        &json!({"tool": "reply", "text": "Try:\n```py\nprint(1)\n```\nbye"}),
    );
    reads(&json!({"md": text}), "{\"md\":\"a ```x``` b\"}", &json!({"md": "a ```x``` b"}));
    reads(
        &json!({"steps": {"type": "array", "items": text}}),
        "{\"steps\":[\"```json\\n{\\\"k\\\":1}\\n```\"]}",
        &json!({"steps": ["```json\n{\"k\":1}\n```"]}),
    );
    reads(&json!({"tip": text}), "````json\n{\"tip\":\"use ``` for code\"}\n````", &json!({"tip": "use ``` for code"}));
    // vercel/ai#20988, #16576
    reads(&json!({"v": text}), "```json\n{\"v\":\"x\"}\n```          ", &json!({"v": "x"}));
    reads(&json!({"t": text}), "{\"t\":\"a b\"}", &json!({"t": "a b"}));
    // A raw line break and a fence inside of a string inside of a fence.
    reads(
        &json!({"md": text}),
        "```json\n{\"md\":\"Run:\n```sh\nls\n```\nthen\"}\n```",
        &json!({"md": "Run:\n```sh\nls\n```\nthen"}),
    );
}

#[test]
fn reasoning_is_no_answer() {
    let text = json!({"type": "string"});
    // vercel/ai#3283, HKUDS/DeepTutor#675
    refuses(&json!({"title": text}), "<thinking>\n{\"title\":\"Hill\"}\n</thinking>", DecodeErrorKind::ReasoningOnly);
    reads(
        &json!({"title": text, "scope": text}),
        "<think>maybe {\"draft\":true}</think>\n{\"title\":\"T\",\"scope\":\"S\"}",
        &json!({"title": "T", "scope": "S"}),
    );
}

#[test]
fn structure_is_never_in_strings() {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    // BoundaryML/baml#1255, #903
    reads(
        &json!({"final": text, "n": number}),
        "{\"final\":\"fn a() { b() }\\n- {x}\\n\",\"n\":1}",
        &json!({"final": "fn a() { b() }\n- {x}\n", "n": 1}),
    );
    reads(&json!({"k": text}), "]} {\"k\":\"v\"}", &json!({"k": "v"}));
    // anthropics/claude-code#55886, mangiucugna/json_repair#94, 567-labs/instructor#644
    let titles = json!({"type": "array", "items": object(&json!({"title": text}))});
    let done = Decoder::new().decode_value("[{\"title\":\"Knopf „Los\" oben\"}]", &titles).unwrap();
    assert_eq!(done.value, json!([{"title": "Knopf „Los\" oben"}]));
    reads(&json!({"plot": text}), "{\"plot\":\"a\"bcd\"e\"}", &json!({"plot": "a\"bcd\"e"}));
    reads(&json!({"poem": text}), "{\"poem\":\"a\nb\tc\"}", &json!({"poem": "a\nb\tc"}));
}

#[test]
fn empty_and_cut() {
    let number = json!({"n": {"type": "integer"}});
    // stanfordnlp/dspy#9389, ollama/ollama#7603, cline/cline#13001
    refuses(&number, "", DecodeErrorKind::Empty);
    let filtered = Decoder::new().finish(Finish::Filtered).decode_value("", &object(&number)).unwrap_err();
    assert_eq!(filtered.kind(), DecodeErrorKind::Filtered);
    refuses(&number, "{}\n \n \n \n", DecodeErrorKind::Invalid);
    let commands = object(&json!({"commands": {"type": "array", "items": {"type": "string"}}}));
    for finish in [Finish::Length, Finish::Stop, Finish::Unknown] {
        let cut = Decoder::new().finish(finish).decode_value("{\"commands\":[\"install\",\"te", &commands).unwrap_err();
        assert_eq!(cut.kind(), DecodeErrorKind::CutShort);
    }
}

#[test]
fn around_and_twice() {
    let number = json!({"n": {"type": "integer"}});
    // ollama/ollama#12413
    let call = "{\"name\":\"emit\",\"arguments\":\"{\\\"city\\\":\\\"Oslo\\\"}\"}";
    reads(&json!({"city": {"type": "string"}}), call, &json!({"city": "Oslo"}));
    reads(
        &json!({"name": {"type": "string"}, "arguments": {"type": "string"}}),
        call,
        &json!({"name": "emit", "arguments": "{\"city\":\"Oslo\"}"}),
    );
    // Effect-TS/effect#6178, Mirascope/mirascope#939, openai/openai-node#1265, MemberJunction/MJ#3065
    reads(&number, "{\"n\":1}{\"n\":1}", &json!({"n": 1}));
    reads(&number, "{\"n\":1}\n\nNote: I kept only scores above 2.", &json!({"n": 1}));
    reads(&number, "{\"{\"n\":1}", &json!({"n": 1}));
    reads(&json!({"a": {"type": "string"}}), "{\"a\":\"x.\"}.\"\n}", &json!({"a": "x."}));
}

#[test]
fn numbers_and_names() {
    // stanfordnlp/dspy#9088, BoundaryML/baml#1023
    reads(&json!({"score": {"type": "number"}}), "{'score': 123_456.789}", &json!({"score": 123_456.789}));
    reads(
        &json!({"int": {"type": "integer"}, "float": {"type": "number"}}),
        "{\"int\": \"12,111\", \"float\": \"$1,234.50\"}",
        &json!({"int": 12111, "float": 1234.5}),
    );
    // xai-org/xai-sdk-python#128
    let ways = object(&json!({"way": {"enum": ["Sjöfart", "Luft"]}}));
    let error = Decoder::new().decode_value("{\"way\": \"Sj\u{85}rt\"}", &ways).unwrap_err();
    assert_eq!(error.kind(), DecodeErrorKind::Invalid);
    assert!(error.to_string().contains("one of \"Sjöfart\" or \"Luft\""), "{error}");
    // BoundaryML/baml#934
    let column = object(&json!({"type": {"type": "string"}, "column_list": {"type": "object"}}));
    let crumb = object(&json!({"type": {"type": "string"}, "breadcrumb": {"type": "object"}}));
    let block = json!({"type": "column_list", "column_list": {"cols": 2}});
    reads(
        &json!({"block": {"anyOf": [crumb, column]}}),
        &json!({"block": block}).to_string(),
        &json!({"block": block}),
    );
    // guardrails-ai/guardrails#584, Pipelex/pipelex#1089
    reads(
        &json!({"name": {"type": "string"}, "nick": {"type": ["string", "null"]}}),
        "{\"name\": \"A\"}",
        &json!({"name": "A", "nick": null}),
    );
    refuses(&json!({"d": {"type": "string", "format": "date"}}), "{\"d\": \"2026-W07-5\"}", DecodeErrorKind::Invalid);
    // pydantic/pydantic-ai#7630
    reads(
        &json!({"off": {"const": false}, "none": {"const": ""}}),
        "{\"off\": false, \"none\": \"\"}",
        &json!({"off": false, "none": ""}),
    );
}
