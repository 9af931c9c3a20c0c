//! Every ending of the real `claude` that a server can bring about.

use std::time::Duration;

use pollster::block_on;
use response_schema::adapter::{
    Adapter, CallErrorKind, CallRequest, Ending as Ended, Enforcement, Message, ResponseFormat,
};
use response_schema::dialect::Dialect;
use response_schema_tests::fixtures;
use response_schema_tests_routes::loopback::{Call, Ending, Exchange, Fail, Failure, Fault, Tokens};
use serde_json::{Value, json};

use crate::world::{World, ask, asking, pieces, request, schema};

const TOOL: &str = "StructuredOutput";

fn answering(arguments: &str) -> Exchange {
    Exchange { calls: vec![Call { name: TOOL.into(), arguments: arguments.into() }], ..Exchange::default() }
}

pub(crate) fn a_valid_answer_comes_with_its_cost_in_pieces_and_with_exact_integers() {
    let arguments = r#"{"name": "Ada", "id": 9007199254740993}"#;
    let usage = Tokens { input: 20, output: 9, cached: 5, ..Tokens::default() };
    let world = World::new([answering(arguments).usage(usage)]);
    let claude = world.claude().model("claude-sonnet-5");
    let (pieces, response) = pieces(&claude, asking("/cost @/etc/hostname: who?"));
    // The client itself has …992.
    assert_eq!(response.text, arguments);
    assert!(pieces.len() > 1 && pieces.concat() == arguments, "{pieces:?}");
    assert_eq!((&response.ending, response.enforcement), (&Ended::Complete, Enforcement::Enforced));
    assert_eq!((response.usage.input_tokens, response.usage.cached_input_tokens), (20, 5));
    assert_eq!(response.usage.output_tokens, 9);
    assert!(response.usage.cost_usd.is_some_and(|cost| cost > 0.0), "{:?}", response.usage);
    assert!(response.model.contains("sonnet") && response.id.is_some(), "{response:?}");

    // What went out: the schema as a tool and no other tool, the instructions, and the prompt as it is.
    let [sent] = &world.requests()[..] else { panic!("{:?}", world.requests()) };
    assert_eq!(sent.body["tools"].as_array().unwrap().len(), 1);
    assert_eq!(sent.body["tools"][0]["name"], TOOL);
    assert_eq!(sent.body["tools"][0]["input_schema"], schema());
    assert!(sent.body["system"].to_string().contains("Be brief."));
    let messages = sent.body["messages"].to_string();
    assert!(messages.contains("/cost @/etc/hostname: who?"), "{messages}");
    let hostname = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    assert!(!messages.contains("Result of calling"), "the file {hostname:?} was sent: {messages}");
    world.settles();
}

pub(crate) fn an_invalid_answer_is_asked_for_again() {
    let world = World::new([answering(r#"{"name": 12, "id": 1}"#), answering(r#"{"name": "Ada", "id": null}"#)]);
    let (pieces, response) = pieces(&world.claude(), asking("who?"));
    assert_eq!(response.text, r#"{"name": "Ada", "id": null}"#);
    let text = pieces.concat();
    assert_eq!(text, r#"{"name": 12, "id": 1}RESTART{"name": "Ada", "id": null}"#);
    assert_eq!(world.requests().len(), 2);
}

pub(crate) fn answers_that_stay_invalid_are_an_error_with_its_cost() {
    let world = World::new([answering(r#"{"name": 12}"#).usage(Tokens { input: 10, ..Tokens::default() }).always()]);
    let error = ask(&world.claude()).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::InvalidOutput);
    assert!(error.to_string().contains("after 5 attempts"), "{error}");
    // Its own count leaves out the last request, which it does not read to its end.
    assert!(error.usage().unwrap().input_tokens >= 40, "{:?}", error.usage());
    assert_eq!(world.requests().len(), 5);
}

pub(crate) fn words_instead_of_an_answer_are_an_error() {
    let world = World::new([Exchange::text("{\"name\": \"Ada\", \"id\": 1}").always()]);
    let error = ask(&world.claude()).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::InvalidOutput);
    assert!(error.to_string().contains("in words"), "{error}");
    // It asked again by itself.
    assert_eq!(world.requests().len(), 2);
}

pub(crate) fn a_schema_that_its_validator_does_not_compile_is_noticed_before_anything_is_answered() {
    let world = World::new([Exchange::text("prose").fault(Fault::Delay(30_000))]);
    let bad = json!({"type": "object", "properties": {"at": {"type": "string", "format": "date-time"}}}).to_string();
    let error = ask(&world.claude().args(["--json-schema", &bad])).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::SchemaRefused);
    assert!(error.to_string().contains("dropped the schema"), "{error}");
    let error = ask(&world.claude().args(["--json-schema", "[1]"])).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::SchemaRefused);
    assert!(error.to_string().contains("must be a JSON object"), "{error}");
}

pub(crate) fn refusals_and_cut_replies_are_replies() {
    let world = World::new([Exchange::text("I").ending(Ending::Refused("not that".into())).always()]);
    let response = ask(&world.claude()).unwrap();
    assert!(matches!(&response.ending, Ended::Refused(words) if words.contains("not that")), "{response:?}");
    let world = World::new([Exchange::text("half a").ending(Ending::CutShort).always()]);
    assert_eq!(ask(&world.claude()).unwrap().ending, Ended::CutShort);
}

pub(crate) fn errors_of_the_provider_keep_their_kind() {
    let refused = Failure::new(Fail::ToolRefused).message("tools.0.custom.input_schema.type: Field required");
    for (failure, kind) in [
        (refused, CallErrorKind::SchemaRefused),
        (Failure::new(Fail::ContextTooLong), CallErrorKind::InputBlocked),
        (Failure::new(Fail::Forbidden), CallErrorKind::Unauthorized),
        (Failure::new(Fail::RateLimited), CallErrorKind::RateLimited),
        (Failure::new(Fail::Overloaded), CallErrorKind::Provider),
    ] {
        let fail = failure.kind;
        let world = World::new([Exchange::from(failure).always()]);
        let error = ask(&world.claude()).unwrap_err();
        assert_eq!(error.kind(), kind, "{fail:?}: {error}");
        assert!(error.status().is_some() || kind == CallErrorKind::InputBlocked, "{fail:?}: {error:?}");
    }
}

pub(crate) fn a_refused_key_is_not_waited_for() {
    let world = World::new([Exchange::failure(Fail::Unauthorized).always()]);
    // As many retries as it makes by itself, which take minutes.
    let error = ask(&world.claude().env("CLAUDE_CODE_MAX_RETRIES", "10")).unwrap_err();
    assert_eq!((error.kind(), error.status()), (CallErrorKind::Unauthorized, Some(401)), "{error}");
    assert!(world.requests().len() < 5);
    world.settles();
}

pub(crate) fn without_a_login_it_says_so() {
    let world = World::new([]);
    let error = ask(&world.claude().env_remove("ANTHROPIC_API_KEY")).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Unauthorized);
    assert!(error.to_string().contains("/login"), "{error}");
}

pub(crate) fn limits_end_a_run() {
    let world = World::new([answering(r#"{"name": 12}"#).usage(Tokens { input: 900, ..Tokens::default() }).always()]);
    let error = ask(&world.claude().max_turns(2)).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::TurnLimit, "{error}");
    let error = ask(&world.claude().max_budget_usd(0.000_001)).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::BudgetLimit, "{error}");
}

pub(crate) fn a_conversation_goes_as_one_prompt_and_without_a_schema_there_is_no_tool() {
    let world = World::new([Exchange::text("Lovelace")]);
    let mut request = request("Who wrote the first program?");
    request.messages = vec![
        Message::system("Answer with a family name."),
        Message::user("Who wrote the first program?"),
        Message::assistant("Ada"),
        Message::user("Her family name!"),
    ]
    .into();
    let response = block_on(world.claude().call(request)).unwrap();
    assert_eq!((response.text.as_str(), response.enforcement), ("Lovelace", Enforcement::None));
    let [sent] = &world.requests()[..] else { panic!("{:?}", world.requests()) };
    assert!(sent.body["tools"].as_array().is_none_or(Vec::is_empty), "{}", sent.body["tools"]);
    // The conversation's instructions hold, not the adapter's.
    assert!(
        sent.body["system"].to_string().contains("family name")
            && !sent.body["system"].to_string().contains("Be brief")
    );
    let messages = sent.body["messages"].to_string();
    assert!(messages.contains("<turn from=\\\"assistant\\\">\\nAda\\n</turn>"), "{messages}");
}

pub(crate) fn a_provider_that_does_not_answer_is_left_at_the_deadline() {
    let world = World::new([Exchange::text("").fault(Fault::Silence).always()]);
    let mut request = asking("who?");
    let claude = world.claude();
    block_on(claude.version()).unwrap();
    request.deadline = Some(std::time::Instant::now() + Duration::from_secs(4));
    let error = block_on(claude.call(request)).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Timeout, "{error}");
    world.settles();
}

/// Several schemas as one: each is the schema of a property, with its references turned to where it is now.
fn together(parts: &[(usize, Value)]) -> Value {
    let mut properties = serde_json::Map::new();
    let mut definitions = serde_json::Map::new();
    for (index, schema) in parts {
        let mut schema = schema.clone();
        turn(&mut schema, *index);
        if let Some(Value::Object(own)) = schema.as_object_mut().unwrap().remove("$defs") {
            definitions.extend(own.into_iter().map(|(name, definition)| (format!("p{index}_{name}"), definition)));
        }
        properties.insert(format!("p{index}"), schema);
    }
    let required: Vec<_> = properties.keys().cloned().collect();
    let mut whole =
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    if !definitions.is_empty() {
        whole["$defs"] = definitions.into();
    }
    whole
}

fn turn(schema: &mut Value, index: usize) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::String(reference)) = map.get_mut("$ref") {
                *reference = match reference.strip_prefix("#/$defs/") {
                    Some(name) => format!("#/$defs/p{index}_{name}"),
                    None => reference.replacen('#', &format!("#/properties/p{index}"), 1),
                };
            }
            map.values_mut().for_each(|value| turn(value, index));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| turn(value, index)),
        _ => {}
    }
}

/// Every fixture's schema, many in one, for its validator compiles a schema as a whole or not at all. And it judges
/// the instances that the sampler makes: one that it refuses would be asked for again.
pub(crate) fn its_validator_takes_the_schema_of_every_fixture_and_its_instances() {
    let all = fixtures::all();
    let schema = |index: usize| -> Value {
        let wire = (all[index].format)().wire(&Dialect::CLAUDE_CLI).unwrap();
        serde_json::from_str(&wire.json).unwrap()
    };
    let parts: Vec<(usize, Value)> = (0..all.len()).map(|index| (index, schema(index))).collect();
    let mut batches: Vec<Vec<(usize, Value)>> = vec![Vec::new()];
    let mut room = 0;
    for part in parts {
        // References get longer on the way.
        let size = part.1.to_string().len() * 5 / 4 + 20;
        if room + size > 120_000 {
            batches.push(Vec::new());
            room = 0;
        }
        room += size;
        batches.last_mut().unwrap().push(part);
    }
    assert!(batches.len() < 9, "{} runs take too long", batches.len());
    for batch in batches {
        if let Err(fault) = taken(&batch) {
            panic!("{}: {fault}", guilty(&batch));
        }
    }
}

/// A value with its numbers as the client has them. A list of required keys without any says nothing.
fn rounded(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.iter().map(rounded).collect(),
        Value::Object(map) => map
            .iter()
            .filter(|(key, value)| !(*key == "required" && value.as_array().is_some_and(Vec::is_empty)))
            .map(|(key, value)| (key.clone(), rounded(value)))
            .collect(),
        other => other.clone(),
    }
}

/// The first two parts in which two values differ. That the client reads `\u00e9`, written out in a text, as the letter
/// that it stands for, is its own doing.
fn difference(sent: &Value, came: &Value) -> Option<(Value, Value)> {
    match (sent, came) {
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() => {
            a.iter().find_map(|(key, a)| difference(a, b.get(key).unwrap_or(&Value::Null)))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a.iter().zip(b).find_map(|(a, b)| difference(a, b)),
        (Value::String(a), Value::String(_)) if a.contains("\\u") => None,
        (a, b) => (a != b).then(|| (a.clone(), b.clone())),
    }
}

/// The name of a fixture for which a batch is not taken.
fn guilty(batch: &[(usize, Value)]) -> &'static str {
    let (first, second) = batch.split_at(batch.len() / 2);
    match batch {
        [(index, _)] => fixtures::all()[*index].name,
        _ if taken(first).is_err() => guilty(first),
        _ => guilty(second),
    }
}

fn taken(batch: &[(usize, Value)]) -> Result<(), String> {
    let all = fixtures::all();
    let instance: serde_json::Map<String, Value> = batch
        .iter()
        .map(|(index, _)| (format!("p{index}"), serde_json::from_str(&(all[*index].sample)(7)).unwrap()))
        .collect();
    let instance = Value::Object(instance).to_string();
    let world = World::new([answering(&instance).always()]);
    let whole = together(batch);
    let request: CallRequest = request("go").with_response_schema(ResponseFormat::from_schema(whole.clone()));
    let response = block_on(world.claude().call(request)).map_err(|error| error.to_string())?;
    let requests = world.requests();
    let offered = &requests[0].body["tools"][0]["input_schema"];
    assert!(rounded(offered) == rounded(&whole), "another schema went out: {offered}");
    if let Some(again) = requests.get(1) {
        return Err(again.body["messages"].to_string());
    }
    let came: Value = serde_json::from_str(&response.text).unwrap();
    match difference(&serde_json::from_str(&instance).unwrap(), &came) {
        None => Ok(()),
        Some((sent, came)) => Err(format!("{sent} came back as {came}")),
    }
}
