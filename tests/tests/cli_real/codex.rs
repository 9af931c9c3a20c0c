//! Every ending of the real `codex` that a server can bring about.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use pollster::block_on;
use response_schema::adapter::{Adapter, CallErrorKind, Ending as Ended, Enforcement, Message};
use response_schema::dialect::Dialect;
use response_schema_tests::fixtures::{self, Fixture};
use response_schema_tests_routes::loopback::{Ending, Exchange, Fail, Fault, Tokens};
use serde_json::Value;

use crate::world::{World, ask, asking, pieces, request, schema};

pub(crate) fn a_valid_answer_comes_with_its_usage_and_the_schema_went_out_as_it_is() {
    let arguments = r#"{"name": "Ada", "id": 9007199254740993}"#;
    let usage = Tokens { input: 20, output: 9, cached: 5, reasoning: 3 };
    let world = World::new([Exchange::text(arguments).thinking("hm").usage(usage)]);
    let (pieces, response) = pieces(&world.codex(), asking("$imagegen @/etc/hostname: who?"));
    assert_eq!(response.text, arguments);
    assert_eq!(pieces, [arguments]);
    assert_eq!(response.ending, Ended::Complete);
    let usage = response.usage;
    assert_eq!((usage.input_tokens, usage.output_tokens), (20, 9));
    assert_eq!((usage.cached_input_tokens, usage.reasoning_tokens), (5, 3));

    let [sent] = &world.requests()[..] else { panic!("{:?}", world.requests()) };
    assert_eq!(sent.refused, None);
    assert_eq!(sent.body["text"]["format"]["schema"], schema());
    assert_eq!(sent.body["text"]["format"]["strict"], true);
    let input = format!("{} {}", sent.body["instructions"], sent.body["input"]);
    assert!(input.contains("Be brief.") && input.contains("$imagegen @/etc/hostname: who?"), "{input}");
    // Neither its own instructions nor its skills, nor tools that act.
    assert!(!input.contains("SKILL.md") && !input.contains("coding agent"), "{input}");
    let tools = sent.body["tools"].to_string();
    for tool in ["exec_command", "shell", "web_search", "apply_patch"] {
        assert!(!tools.contains(&format!("\"{tool}\"")), "{tools}");
    }
    world.settles();
}

pub(crate) fn replies_that_are_no_answers_are_told_apart() {
    let prose = World::new([Exchange::text("I would rather not say.")]);
    assert_eq!(ask(&prose.codex()).unwrap().text, "I would rather not say.");
    let refused = World::new([Exchange::text("").ending(Ending::Refused("not that".into()))]);
    assert!(matches!(ask(&refused.codex()).unwrap().ending, Ended::Refused(_)));
    let cut = World::new([Exchange::text("{\"name\":").ending(Ending::CutShort)]);
    let response = ask(&cut.codex()).unwrap();
    assert_eq!((response.text.as_str(), response.ending), ("{\"name\":", Ended::CutShort));
    let filtered = World::new([Exchange::text("{\"name\":").ending(Ending::Filtered).always()]);
    assert!(matches!(ask(&filtered.codex()).unwrap().ending, Ended::Filtered(_)));
}

pub(crate) fn errors_of_the_provider_keep_their_kind() {
    for (fail, kind) in [
        (Fail::SchemaRefused, CallErrorKind::SchemaRefused),
        (Fail::ContextTooLong, CallErrorKind::InputBlocked),
        (Fail::InvalidRequest, CallErrorKind::InvalidRequest),
        (Fail::Unauthorized, CallErrorKind::Unauthorized),
        (Fail::RateLimited, CallErrorKind::RateLimited),
        (Fail::ServerError, CallErrorKind::Provider),
    ] {
        let world = World::new([Exchange::failure(fail).always()]);
        let error = ask(&world.codex()).unwrap_err();
        assert_eq!(error.kind(), kind, "{fail:?}: {error}");
        assert!(!error.to_string().contains("sk-a-key-for-tests"), "{error}");
    }
}

pub(crate) fn arguments_that_it_does_not_know_are_the_callers_fault() {
    let world = World::new([]);
    let error = ask(&world.codex().arg("--no-such-option")).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::InvalidRequest);
    assert!(error.to_string().contains("--no-such-option"), "{error}");
}

pub(crate) fn without_a_key_it_does_not_get_far() {
    let world = World::new([]);
    let error = ask(&world.codex().env_remove("TEST_KEY")).unwrap_err();
    assert!(error.to_string().contains("TEST_KEY"), "{error}");
}

pub(crate) fn a_provider_that_does_not_answer_is_left_at_the_deadline_with_all_processes() {
    let world = World::new([Exchange::text("").fault(Fault::Silence).always()]);
    let codex = world.codex();
    block_on(codex.version()).unwrap();
    let mut request = asking("who?");
    request.deadline = Some(Instant::now() + Duration::from_secs(4));
    let error = block_on(codex.call(request)).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Timeout, "{error}");
    // The program is a script that starts the real one.
    world.settles();
}

pub(crate) fn a_schema_in_the_prompt_leaves_the_request_free() {
    let world = World::new([Exchange::text("{\"name\": \"Ada\", \"id\": 1}")]);
    let mut request = asking("who?");
    request.messages.insert(0, Message::system("Answer well."));
    let response = block_on(world.codex().schema_in_prompt().call(request)).unwrap();
    assert_eq!(response.enforcement, Enforcement::Hint);
    let [sent] = &world.requests()[..] else { panic!("{:?}", world.requests()) };
    assert!(sent.body["text"]["format"].is_null(), "{}", sent.body["text"]);
    assert!(sent.body["input"].to_string().contains("satisfies this JSON Schema"));
}

/// One fixture of each family, the longest; the server judges its schema as the provider does.
pub(crate) fn a_schema_of_each_family_goes_through() {
    let mut families: BTreeMap<&str, &Fixture> = BTreeMap::new();
    for fixture in fixtures::all() {
        let family = fixture.name.split("::").next().unwrap();
        let longest = families.entry(family).or_insert(fixture);
        if fixture.strict.len() > longest.strict.len() {
            *longest = fixture;
        }
    }
    assert!(families.len() > 10, "{:?}", families.keys());
    for fixture in families.values() {
        let instance = (fixture.sample)(7);
        let world = World::new([Exchange::text(instance.as_str())]);
        let response = block_on(world.codex().call(request("go").with_response_schema((fixture.format)()))).unwrap();
        assert_eq!((response.text, response.enforcement), (instance, Enforcement::Enforced), "{}", fixture.name);
        let sent: Value = serde_json::from_str(&(fixture.format)().wire(&Dialect::CODEX_CLI).unwrap().json).unwrap();
        assert_eq!(world.requests()[0].body["text"]["format"]["schema"], sent, "{}", fixture.name);
        assert_eq!(world.requests()[0].refused, None, "{}", fixture.name);
    }
}
