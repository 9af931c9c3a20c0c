//! The specification of the worker, sentence by sentence.

use std::panic::catch_unwind;

use response_schema::adapter::{
    CallErrorKind, Capabilities, DynAdapter, Enforcement, Message, Need, ResponseFormat, Role, Router, ToolCall,
};
use response_schema::testing::{Offline, Scripted, Turn, VirtualClock};
use response_schema::worker::{Answer, Outcome, RetryPolicy, Verification, Withheld, WorkerRequest};
use response_schema::{ErrorKind, SubTask, Worker};
use serde_json::json;

use super::{BAD, GOOD, Pet, WORSE, pet, scripted, seconds, spoken, task, told};

/// A test for each sentence, named by its words: the sentence, and what proves it.
macro_rules! sentences {
    ($($(#[$sentence:meta])+ $name:ident = $proof:ident;)*) => {$(
        $(#[$sentence])+
        #[test]
        fn $name() {
            $proof();
        }
    )*};
}

sentences! {
    // One surface.
    /// There is one structured-output input: a response schema. […] None anywhere: no structured-output field appears
    /// on the wire.
    there_is_one_structured_output_input_a_response_schema_none_anywhere_no_structured_output_field = none_anywhere;
    /// A schema is either typed (`T: ResponseSchema`) or dynamic (any JSON Schema value).
    a_schema_is_either_typed_t_responseschema_or_dynamic_any_json_schema_value = typed_or_dynamic;
    /// The schema's title is its name on the wire; without one the name is `response`.
    the_schemas_title_is_its_name_on_the_wire_without_one_the_name_is_response = names;
    /// Names are made to fit the provider's rule […], and two types that collapse to one name stay distinguishable.
    names_are_made_to_fit_the_providers_rule_and_two_types_that_collapse_to_one_name_stay = names_fit;
    // The path.
    /// `SubTask.response_schema → WorkerRequest.response_schema → … → CallRequest.response_schema`
    subtask_response_schema_workerrequest_response_schema_callrequest_response_schema = the_path;
    // Routes.
    /// a caller who demands enforcement is refused **before** a request is sent, with the reason and the routes that
    /// would do
    a_caller_who_demands_enforcement_is_refused_before_a_request_is_sent_with_the_reason_and_the = refused_before;
    /// Nothing is ignored silently: a route that cannot carry a schema says so in its capabilities
    nothing_is_ignored_silently_a_route_that_cannot_carry_a_schema_says_so_in_its_capabilities = says_so;
    /// Two facts are independent and recorded apart: whether a route carries a schema, and whether it carries tools
    /// (and whether both fit in one request).
    two_facts_are_independent_and_recorded_apart_whether_a_route_carries_a_schema_and_whether_it = two_facts;
    /// `offline` | no model: the sampler | always valid; for tests
    offline_no_model_the_sampler_always_valid_for_tests = offline;
    // What the worker checks.
    /// 1. there is no result
    bad_one_there_is_no_result = no_result;
    /// 1. … or the run ended in an explicit failure
    bad_one_or_the_run_ended_in_an_explicit_failure = explicit_failure;
    /// 2. the text is empty
    bad_two_the_text_is_empty = empty;
    /// 3. no balanced JSON object can be found in it, or it does not parse
    bad_three_no_balanced_json_object_can_be_found_in_it_or_it_does_not_parse = no_object;
    /// 4. a required key is missing
    bad_four_a_required_key_is_missing = missing_key;
    /// 5. (full verification, the default for typed replies) it does not deserialize, or violates a constraint
    bad_five_it_does_not_deserialize_or_violates_a_constraint = violates;
    /// 5. … or the user's own `validate` rule
    bad_five_or_the_users_own_validate_rule = own_rule;
    /// `Verification::Envelope` stops after 4 (for dynamic schemas where the caller validates downstream)
    verification_envelope_stops_after_4 = envelope;
    /// `Verification::Full` adds 5 – for dynamic schemas a full JSON Schema validation
    verification_full_adds_5_for_dynamic_schemas_a_full_json_schema_validation = full;
    /// A bad result is retried **exactly once** by default
    a_bad_result_is_retried_exactly_once_by_default = exactly_once;
    /// the validator's feedback goes in as a user turn of the same conversation, naming each violation (path,
    /// expected, found) in few words
    the_validators_feedback_goes_in_as_a_user_turn_of_the_same_conversation_naming_each_violation_in = same_conversation;
    /// The retry is allowed only if the first run took **less than 50 %** of the task's timeout.
    the_retry_is_allowed_only_if_the_first_run_took_less_than_fifty_percent_of_the_tasks_timeout = the_gate;
    /// One deadline covers all attempts; an attempt never gets a fresh budget.
    one_deadline_covers_all_attempts_an_attempt_never_gets_a_fresh_budget = one_deadline;
    /// Policy is data (`max_retries`, `max_elapsed_fraction`), and these are its defaults.
    policy_is_data_max_retries_max_elapsed_fraction_and_these_are_its_defaults = policy_is_data;
    /// Never retried, because they are intended endings without JSON: `input_blocked`, `user_cancelled`,
    /// `user_clarification_needed`.
    never_retried_because_they_are_intended_endings_without_json_input_blocked_user_cancelled_user = intended;
    /// Also not retried: refusals, content filters, errors that a second try cannot mend (bad key, schema refused by
    /// the provider: its message is shown whole).
    also_not_retried_refusals_content_filters_errors_that_a_second_try_cannot_mend = unmendable;
    /// Reported as what they are, never as a JSON error.
    reported_as_what_they_are_never_as_a_json_error = as_what_they_are;
    /// A cut reply (token limit) is retried once with the reason, if the gate allows.
    a_cut_reply_token_limit_is_retried_once_with_the_reason_if_the_gate_allows = cut;
    /// Transport faults […] are another layer: […] inside the same deadline, counted apart from the worker's retry.
    transport_faults_are_another_layer_inside_the_same_deadline_counted_apart_from_the_workers_retry = transport;
    /// If the second attempt fails too, the error carries both attempts; a placeholder is never returned as success.
    if_the_second_attempt_fails_too_the_error_carries_both_attempts_a_placeholder_is_never_returned = both_attempts;
    // Guarantee levels.
    /// provider or CLI constraint […] never swaps an unsupporting route for another unasked
    provider_or_cli_constraint_never_swaps_an_unsupporting_route_for_another_unasked = never_swaps;
    /// worker | mends empty, unparsable, incomplete or violating replies once | does not guess
    worker_mends_empty_unparsable_incomplete_or_violating_replies_once_does_not_guess = mends;
    /// typed decode | types, enums, bounds, the user's rules | does not make up for the wire
    typed_decode_types_enums_bounds_the_users_rules_does_not_make_up_for_the_wire = decodes;
    /// `Reply.report.enforcement` says which held.
    reply_report_enforcement_says_which_held = which_held;
    /// Routing by need (`require enforced`, `needs tools`) is explicit, over capabilities, and explains each refusal.
    routing_by_need_is_explicit_over_capabilities_and_explains_each_refusal = by_need;
    // Tools, as far as a worker sees them.
    /// every tool call of a failed turn gets a result, so that the conversation stays valid for the retry
    every_tool_call_of_a_failed_turn_gets_a_result_so_that_the_conversation_stays_valid_for_the = calls_get_results;
    // Cancellation.
    /// Dropping the future cancels
    dropping_the_future_cancels = dropping;
}

fn none_anywhere() {
    let (clock, model, worker) = scripted(["It is a cat."]);
    let reply = clock.run(worker.run_text(task())).expect("text");
    assert_eq!(reply.value, "It is a cat.");
    assert!(model.requests()[0].response_schema.is_none());
}

fn typed_or_dynamic() {
    assert_eq!(pet([GOOD]).0.expect("a pet").value.legs, 4);
    let (clock, model, worker) = scripted([GOOD]);
    let schema = json!({"type": "object", "properties": {"legs": {"type": "integer"}}, "required": ["legs"]});
    let reply = clock.run(worker.run_value(task(), ResponseFormat::from_schema(schema))).expect("a value");
    assert_eq!(reply.value["legs"], 4);
    assert!(model.requests()[0].response_schema.is_some());
}

fn names() {
    let name = |format: ResponseFormat| {
        let (clock, model, worker) = scripted(["{}"]);
        let _ = clock.run(worker.run_value(task(), format));
        model.requests()[0].response_schema.as_ref().expect("a schema").name().to_owned()
    };
    assert_eq!(name(ResponseFormat::from_schema(json!({"title": "Plan"}))), "Plan");
    assert_eq!(name(ResponseFormat::from_schema(json!({}))), "response");
    assert_eq!(name(ResponseFormat::of::<Pet>()), "Pet");
}

fn names_fit() {
    let name = |title: &str| ResponseFormat::from_schema(json!({ "title": title })).name().to_owned();
    let [one, other] = ["Result<Row>", "Result(Row)"].map(name);
    assert_ne!(one, other);
    for name in [one, other, name(&"x".repeat(200))] {
        assert!(name.len() <= 64 && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c)), "{name}");
    }
}

fn the_path() {
    let format = ResponseFormat::from_schema(json!({"title": "Plan", "type": "object"}));
    let task = task().response_schema(format);
    let request = WorkerRequest::from(task.clone());
    assert_eq!(request.response_schema.as_ref().expect("a schema").name(), "Plan");
    assert_eq!(request.messages.len(), 2);
    let (clock, model, worker) = scripted(["{}"]);
    clock.run(worker.run_text(task)).expect("text");
    assert_eq!(model.requests()[0].response_schema.as_ref().expect("a schema").name(), "Plan");
    assert!(WorkerRequest::from(SubTask::new("…")).response_schema.is_none());
}

fn refused_before() {
    let model = Scripted::new([GOOD]).guarantee(Enforcement::Hint);
    for worker in [Worker::new(model.clone()).require(Need::enforced()), Worker::new(model.clone())] {
        let task = task().require(Need::enforced());
        let error = pollster::block_on(worker.run::<Pet>(task)).expect_err("a refusal");
        assert_eq!(error.kind(), ErrorKind::NotEnforced);
        let words = error.to_string();
        assert!(words.contains("`scripted` will not do") && words.contains("`hint`"), "{words}");
        assert!(words.contains("`embedded`") && words.contains("`anthropic-payg`"), "{words}");
        assert!(error.report().attempts.is_empty());
    }
    assert!(model.requests().is_empty(), "a request was sent");
    // The same behind an erased type.
    let error =
        pollster::block_on(Worker::new(DynAdapter::from(model.clone())).require(Need::enforced()).run::<Pet>(task()));
    assert_eq!(error.expect_err("a refusal").kind(), ErrorKind::NotEnforced);
    assert!(model.requests().is_empty(), "a request was sent");
    // A route that enforces is none the worse for the demand.
    let worker = Worker::new(Scripted::new([GOOD])).require(Need::enforced());
    assert!(pollster::block_on(worker.run::<Pet>(task())).is_ok());
}

fn says_so() {
    let model = Scripted::new([GOOD]).guarantee(Enforcement::None);
    let reply = pollster::block_on(Worker::new(model).run::<Pet>(task())).expect("a pet");
    assert_eq!(reply.report.enforcement, Enforcement::None);
}

fn two_facts() {
    let cli = Capabilities::new("claude-cli", Enforcement::Enforced);
    let glm = Capabilities::new("glm-payg", Enforcement::None).with_tools(Enforcement::None);
    let both = Capabilities::new("gemini", Enforcement::Enforced).with_tools(Enforcement::Hint);
    let routes = Router::new()
        .route("cli", Scripted::new([GOOD]).capable(cli))
        .route("glm", Scripted::new([GOOD]).capable(glm))
        .route("gemini", Scripted::new([GOOD]).capable(both));
    let chosen = |need: Need| routes.select(need).map(|route| route.name().unwrap_or_default().to_owned());
    assert_eq!(chosen(Need::enforced()).as_deref(), Ok("cli"));
    assert_eq!(chosen(Need::any().tools()).as_deref(), Ok("glm"));
    assert_eq!(chosen(Need::enforced().tools()).as_deref(), Ok("gemini"));
    assert!(chosen(Need::enforced().tools().in_one_request()).is_err());
}

fn offline() {
    for seed in 0..50 {
        let worker = Worker::new(Offline::seeded(seed)).retry(RetryPolicy::NEVER);
        let reply = pollster::block_on(worker.run::<Pet>(task())).expect("a pet");
        assert!(reply.value.legs <= 8 && reply.report.repairs.is_empty());
    }
}

fn no_result() {
    // The run stopped at calls of tools that nobody runs: that is no output turn, whatever else it says.
    let calls = || Turn::calls([ToolCall::new("1", "search", "{}")]);
    let (result, requests) = pet([calls(), Turn::text(GOOD)]);
    assert_eq!(result.expect("a pet").report.attempts[0].outcome, Outcome::ToolCalls);
    assert_eq!(requests.len(), 2);
    let (result, _) = pet([calls(), calls()]);
    assert_eq!(result.expect_err("none").kind(), ErrorKind::InvalidOutput);
}

fn explicit_failure() {
    let failure = || Turn::error(CallErrorKind::Provider, "the program ended with code 1");
    let (result, requests) = pet([failure(), Turn::text(GOOD)]);
    let reply = result.expect("a pet");
    assert_eq!(reply.report.attempts[0].outcome, Outcome::Failed);
    // There was no reply to speak about, so the same is asked again.
    assert_eq!(spoken(&requests[0]), spoken(&requests[1]));
    let (result, requests) = pet([failure(), failure(), Turn::text(GOOD)]);
    assert_eq!((result.expect_err("none").kind(), requests.len()), (ErrorKind::Provider, 2));
}

fn empty() {
    for text in ["", "  \n "] {
        let (result, requests) = pet([text, GOOD]);
        assert!(result.is_ok());
        assert!(told(&requests[1]).contains("empty"), "{}", told(&requests[1]));
        // Providers refuse empty turns, so an empty reply leaves none.
        let roles: Vec<_> = requests[1].messages.iter().map(Message::role).collect();
        assert_eq!(roles, [Role::System, Role::User, Role::User]);
    }
}

fn no_object() {
    for text in ["It is a cat.", r#"{"name": "Biscuit", "legs""#, "[1, 2", "<think>a cat</think>", "4"] {
        let (result, requests) = pet([text, GOOD]);
        assert_eq!(
            result.expect("a pet").report.attempts[0].outcome,
            if text.contains("legs") || text.contains('[') { Outcome::CutShort } else { Outcome::Invalid }
        );
        assert_eq!(requests.len(), 2, "{text}");
    }
}

fn missing_key() {
    let (result, requests) = pet([r#"{"name": "Biscuit", "mood": "happy"}"#, GOOD]);
    assert!(result.is_ok());
    assert!(told(&requests[1]).contains("`legs`"), "{}", told(&requests[1]));
    // In an envelope, too.
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]});
    let (clock, model, worker) = scripted([r#"{"b": 1}"#, r#"{"a": 1}"#]);
    let worker = worker.verification(Verification::Envelope);
    let reply = clock.run(worker.run_value(task(), ResponseFormat::from_schema(schema))).expect("a value");
    assert_eq!(reply.value, json!({"a": 1}));
    assert!(told(&model.requests()[1]).contains("`a`"), "{}", told(&model.requests()[1]));
}

fn violates() {
    let (result, requests) = pet([BAD, GOOD]);
    let report = result.expect("a pet").report;
    assert_eq!(report.attempts[0].violations[0].to_string(), "`legs`: expected at most 8, found 40");
    assert_eq!(requests.len(), 2);
    // A type that does not deserialize.
    let (result, requests) = pet([r#"{"name": "Biscuit", "legs": "many", "mood": "happy"}"#, GOOD]);
    assert!(result.is_ok());
    assert!(told(&requests[1]).contains("`legs`"), "{}", told(&requests[1]));
}

fn own_rule() {
    #[derive(Debug, serde::Deserialize, response_schema::ResponseSchema)]
    #[response(validate = even)]
    struct Pair {
        left: u8,
        right: u8,
    }
    fn even(pair: &Pair) -> Result<(), String> {
        if pair.left == pair.right { Ok(()) } else { Err("both sides to be the same".to_owned()) }
    }
    let (clock, model, worker) = scripted([r#"{"left": 1, "right": 2}"#, r#"{"left": 1, "right": 1}"#]);
    assert!(clock.run(worker.run::<Pair>(task())).is_ok());
    assert!(told(&model.requests()[1]).contains("both sides to be the same"));
}

/// A value with all its keys, one of them of another type.
const LOOSE: &str = r#"{"name": 7}"#;

fn name_schema() -> ResponseFormat {
    let members = json!({"name": {"type": "string", "minLength": 2}});
    ResponseFormat::from_schema(json!({"type": "object", "properties": members, "required": ["name"]}))
}

fn envelope() {
    let (clock, model, worker) = scripted([r#"{"name": [], "more": 1}"#]);
    let worker = worker.verification(Verification::Envelope);
    let reply = clock.run(worker.run_value(task(), name_schema())).expect("a value");
    assert_eq!(reply.value, json!({"name": [], "more": 1}));
    assert!(reply.report.repairs.is_empty());
    assert_eq!(model.requests().len(), 1);
    // 1 to 4 hold in an envelope, too.
    for bad in ["", "no JSON", r#"{"name": "#, r#"{"other": 1}"#, "[1]", "\"name\""] {
        let (clock, model, worker) = scripted([bad, LOOSE]);
        let worker = worker.verification(Verification::Envelope);
        assert!(clock.run(worker.run_value(task(), name_schema())).is_ok(), "{bad}");
        assert_eq!(model.requests().len(), 2, "{bad}");
    }
}

fn full() {
    let (clock, model, worker) = scripted([r#"{"name": "x"}"#, r#"{"name": "xy"}"#]);
    let reply = clock.run(worker.run_value(task(), name_schema())).expect("a value");
    assert_eq!((reply.value, model.requests().len()), (json!({"name": "xy"}), 2));
    #[cfg(feature = "jsonschema")]
    {
        // What only a full validator reads.
        let schema = json!({"type": "object", "minProperties": 2});
        let (clock, model, worker) = scripted([r#"{"a": 1}"#, r#"{"a": 1, "b": 2}"#]);
        assert!(clock.run(worker.run_value(task(), ResponseFormat::from_schema(schema))).is_ok());
        assert_eq!(model.requests().len(), 2);
    }
}

fn exactly_once() {
    let (result, requests) = pet([BAD, WORSE, GOOD]);
    assert_eq!(result.expect_err("no third attempt").kind(), ErrorKind::InvalidOutput);
    assert_eq!(requests.len(), 2);
    let (result, requests) = pet([GOOD, GOOD]);
    assert!(result.is_ok());
    assert_eq!(requests.len(), 1, "a good result is asked for once");
}

fn same_conversation() {
    let (result, requests) = pet([BAD, GOOD]);
    assert!(result.is_ok());
    let (first, second) = (spoken(&requests[0]), spoken(&requests[1]));
    assert_eq!(second[..2], first[..]);
    assert_eq!(second[2], (Role::Assistant, BAD));
    assert_eq!(second[3].0, Role::User);
    assert!(second[3].1.contains("`legs`: found 40, expected at most 8"), "{}", second[3].1);
    assert_eq!(second.len(), 4);
    let name = |at: usize| requests[at].response_schema.as_ref().map(|format| format.name().to_owned());
    assert_eq!(name(0), name(1));
}

fn the_gate() {
    for (milliseconds, calls) in [(0, 2), (4_999, 2), (5_000, 1), (9_000, 1)] {
        let first = Turn::text(BAD).after(std::time::Duration::from_millis(milliseconds));
        let (result, requests) = pet([first, Turn::text(GOOD)]);
        assert_eq!(requests.len(), calls, "after {milliseconds} ms");
        if calls == 1 {
            let error = result.expect_err("no retry");
            assert_eq!(error.kind(), ErrorKind::InvalidOutput);
            let took = std::time::Duration::from_millis(milliseconds);
            assert_eq!(error.report().withheld, Some(Withheld::TookTooLong { took, limit: seconds(5) }));
        }
    }
    // It is the first run that is measured: a second retry asks the same.
    let (clock, model, worker) = scripted([Turn::text(BAD), Turn::text(BAD).after(seconds(6)), Turn::text(GOOD)]);
    assert!(clock.run(worker.retry(RetryPolicy::retries(2)).run::<Pet>(task())).is_ok());
    assert_eq!(model.requests().len(), 3);
    // Without a timeout there is no half of it.
    let clock = VirtualClock::new();
    let model = Scripted::new([Turn::text(BAD).after(seconds(7200)), Turn::text(GOOD)]).clock(&clock);
    assert!(clock.run(Worker::new(model).clock(clock.clone()).run::<Pet>(task())).is_ok());
}

fn one_deadline() {
    // Four seconds are gone, so the second attempt has six.
    let (clock, model, worker) = scripted([Turn::text(BAD).after(seconds(4)), Turn::text(GOOD).after(seconds(7))]);
    let error = clock.run(worker.run::<Pet>(task())).expect_err("out of time");
    assert_eq!((error.kind(), clock.elapsed()), (ErrorKind::Timeout, seconds(10)));
    let outcomes: Vec<_> = error.report().attempts.iter().map(|attempt| attempt.outcome).collect();
    assert_eq!(outcomes, [Outcome::Invalid, Outcome::TimedOut]);
    let deadlines: Vec<_> = model.requests().iter().map(|request| request.deadline).collect();
    assert_eq!(deadlines[0], deadlines[1]);
    // The worker sees to it itself, whatever the route does.
    let (clock, _, worker) = scripted([Turn::silence()]);
    let error = clock.run(worker.run::<Pet>(task())).expect_err("out of time");
    assert_eq!((error.kind(), clock.elapsed()), (ErrorKind::Timeout, seconds(10)));
}

fn policy_is_data() {
    let defaults = RetryPolicy::default();
    assert_eq!((defaults.max_retries, defaults.max_elapsed_fraction), (1, 0.5));
    for (policy, calls) in [(RetryPolicy::NEVER, 1), (RetryPolicy::retries(0), 1), (RetryPolicy::retries(3), 4)] {
        let (clock, model, worker) = scripted([BAD, BAD, BAD, BAD, BAD, BAD]);
        let error = clock.run(worker.retry(policy).run::<Pet>(task())).expect_err("all bad");
        assert_eq!(model.requests().len(), calls);
        assert_eq!(error.report().withheld, (calls == 1).then_some(Withheld::Policy));
    }
    for (fraction, calls) in [(0.8, 2), (0.2, 1), (0.0, 1), (f64::NAN, 1), (-1.0, 1), (f64::INFINITY, 2)] {
        let (clock, model, worker) = scripted([Turn::text(BAD).after(seconds(3)), Turn::text(GOOD)]);
        let _ = clock.run(worker.retry(RetryPolicy::retries(1).within(fraction)).run::<Pet>(task()));
        assert_eq!(model.requests().len(), calls, "{fraction}");
    }
}

/// The error of a first turn that nothing follows.
fn final_at_once(turn: Turn) -> response_schema::Error {
    let (result, requests) = pet([turn, Turn::text(GOOD)]);
    assert_eq!(requests.len(), 1, "it was tried again");
    result.expect_err("an ending")
}

fn intended() {
    for (turn, kind) in [
        (Turn::error(CallErrorKind::InputBlocked, "blocked"), ErrorKind::InputBlocked),
        (Turn::error(CallErrorKind::Cancelled, "cancelled"), ErrorKind::Cancelled),
        (Turn::cancelled(), ErrorKind::Cancelled),
    ] {
        let error = final_at_once(turn);
        assert_eq!((error.kind(), &error.report().withheld), (kind, &Some(Withheld::Intended)));
    }
    // A question back is a reply in form; it is an error to those alone who want a value.
    let (clock, model, worker) = scripted([r#"{"value": {"question": "Which cat?"}}"#, GOOD]);
    let error = clock.run(worker.run::<Answer<Pet>>(task())).expect("an answer").answered().expect_err("a question");
    assert_eq!((error.kind(), model.requests().len()), (ErrorKind::ClarificationNeeded, 1));
}

fn unmendable() {
    let whole =
        "Invalid schema for response_format 'Pet': In context=('properties', 'legs'), 'maximum' is not permitted.";
    for (turn, kind, withheld) in [
        (Turn::refused("I cannot."), ErrorKind::Refused, Withheld::Intended),
        (Turn::filtered("content_filter"), ErrorKind::Filtered, Withheld::Intended),
        (Turn::error(CallErrorKind::Unauthorized, "bad key"), ErrorKind::Unauthorized, Withheld::Unmendable),
        (Turn::error(CallErrorKind::SchemaRefused, whole), ErrorKind::SchemaRefused, Withheld::Unmendable),
        (Turn::error(CallErrorKind::InvalidRequest, "no such model"), ErrorKind::InvalidRequest, Withheld::Unmendable),
    ] {
        let error = final_at_once(turn);
        assert_eq!((error.kind(), &error.report().withheld), (kind, &Some(withheld)));
        if kind == ErrorKind::SchemaRefused {
            assert_eq!(std::error::Error::source(&error).expect("the provider's message").to_string(), whole);
            assert_eq!(error.report().attempts[0].problem, whole);
        }
    }
}

fn as_what_they_are() {
    let error = final_at_once(Turn::refused("I cannot help with that."));
    assert_eq!(error.words(), Some("I cannot help with that."));
    let words = error.to_string();
    assert!(words.contains("refused") && !words.contains("JSON"), "{words}");
    assert!(error.violations().is_empty());
    let words = final_at_once(Turn::filtered("safety")).to_string();
    assert!(words.contains("withheld") && words.contains("safety") && !words.contains("JSON"), "{words}");
}

fn cut() {
    // Also a reply that would parse: what was cut is never taken for the whole.
    for text in [r#"{"name": "Bisc"#, GOOD] {
        let (result, requests) = pet([Turn::cut(text), Turn::text(GOOD)]);
        assert_eq!(result.expect("a pet").report.attempts[0].outcome, Outcome::CutShort);
        assert!(told(&requests[1]).contains("cut short by a token limit"), "{}", told(&requests[1]));
    }
    let (result, requests) = pet([Turn::cut(GOOD).after(seconds(5)), Turn::text(GOOD)]);
    assert_eq!((result.expect_err("too late").kind(), requests.len()), (ErrorKind::Truncated, 1));
    let (result, requests) = pet([Turn::cut(GOOD), Turn::cut(GOOD), Turn::text(GOOD)]);
    assert_eq!((result.expect_err("twice").kind(), requests.len()), (ErrorKind::Truncated, 2));
}

fn transport() {
    for (turn, kind) in [
        (Turn::error(CallErrorKind::Transport, "reset").retries(3), ErrorKind::Transport),
        (Turn::error(CallErrorKind::RateLimited, "429").status(429).retries(3), ErrorKind::RateLimited),
        (Turn::error(CallErrorKind::Provider, "overloaded").status(529).retries(3), ErrorKind::Provider),
    ] {
        let error = final_at_once(turn);
        assert_eq!((error.kind(), &error.report().withheld), (kind, &Some(Withheld::Transport)));
        assert_eq!(error.report().attempts[0].transport_retries, 3);
    }
    // Faults that the route has mended leave the worker its retry.
    let (result, requests) = pet([Turn::text(BAD).retries(4), Turn::text(GOOD).retries(1)]);
    let retries: Vec<_> =
        result.expect("a pet").report.attempts.iter().map(|attempt| attempt.transport_retries).collect();
    assert_eq!((retries, requests.len()), (vec![4, 1], 2));
}

fn both_attempts() {
    let (result, _) = pet([BAD, WORSE]);
    let error = result.expect_err("no placeholder");
    let [first, second] = error.report().attempts.as_slice() else { panic!("two attempts") };
    assert_eq!((first.raw_text.as_deref(), second.raw_text.as_deref()), (Some(BAD), Some(WORSE)));
    assert_eq!((first.violations[0].found.as_str(), second.violations[0].found.as_str()), ("40", "90"));
    assert_eq!(error.violations()[0].found, "90");
    assert_eq!(error.raw_text(), Some(WORSE));
    // Also where the second has no reply at all.
    let (result, _) = pet([Turn::text(BAD), Turn::error(CallErrorKind::Transport, "reset")]);
    let error = result.expect_err("no placeholder");
    assert_eq!((error.kind(), error.report().attempts.len()), (ErrorKind::Transport, 2));
    assert_eq!(error.raw_text(), Some(BAD));
}

fn never_swaps() {
    let (one, other) = (Scripted::new([Turn::error(CallErrorKind::Transport, "down")]), Scripted::new([GOOD]));
    let routes = Router::new().route("one", one).route("other", other.clone());
    let chosen = routes.select(Need::enforced()).expect("the first");
    assert!(pollster::block_on(Worker::new(chosen).run::<Pet>(task())).is_err());
    assert!(other.requests().is_empty());
}

fn mends() {
    for bad in ["", "no idea", r#"{"name": "Biscuit", "legs": 4}"#, BAD] {
        assert!(pet([bad, GOOD]).0.is_ok(), "{bad}");
    }
    // What is neither mood stays neither, and what is missing stays missing.
    let (result, _) = pet([r#"{"name": "Biscuit", "legs": 4, "mood": "so-so"}"#, r#"{"name": "Biscuit", "legs": 4}"#]);
    assert_eq!(result.expect_err("no guess").kind(), ErrorKind::InvalidOutput);
}

fn decodes() {
    for (bad, path) in [
        (r#"{"name": [], "legs": 4, "mood": "happy"}"#, "name"),
        (r#"{"name": "Biscuit", "legs": 4, "mood": "so-so"}"#, "mood"),
        (BAD, "legs"),
    ] {
        let (result, _) = pet([bad, bad]);
        assert_eq!(result.expect_err("no pet").violations()[0].path, path);
    }
    // A reply that did not come is not made of one that came before.
    let (result, _) = pet([Turn::text(BAD), Turn::error(CallErrorKind::Transport, "reset")]);
    assert_eq!(result.expect_err("no pet").kind(), ErrorKind::Transport);
}

fn which_held() {
    for held in [Enforcement::Enforced, Enforcement::Hint, Enforcement::None] {
        let model = Scripted::new([GOOD]).guarantee(held);
        let reply = pollster::block_on(Worker::new(model).run::<Pet>(task())).expect("a pet");
        assert_eq!(reply.report.enforcement, held);
    }
}

fn by_need() {
    let routes = Router::new()
        .route("plain", Scripted::new([GOOD]).capable(Capabilities::new("plain", Enforcement::Hint)))
        .route("strict", Scripted::new([GOOD]).capable(Capabilities::new("strict", Enforcement::Enforced)));
    let none = routes.select(Need::enforced().tools()).expect_err("no route");
    let refused: Vec<_> = none.refused().map(|(name, reasons)| (name, reasons.len())).collect();
    assert_eq!(refused, [("plain", 2), ("strict", 1)]);
    let words = none.to_string();
    assert!(words.contains("plain") && words.contains("strict  it carries no tools"), "{words}");
}

fn calls_get_results() {
    let calls = [ToolCall::new("a", "search", "{}"), ToolCall::new("b", "search", "{\"q\":")];
    let (result, requests) = pet([Turn::calls(calls), Turn::text(GOOD)]);
    assert!(result.is_ok());
    let messages = serde_json::to_value(&requests[1].messages).expect("JSON");
    let roles: Vec<_> = messages.as_array().expect("a list").iter().map(|message| &message["role"]).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "tool", "user"]);
    assert_eq!((&messages[3]["call_id"], &messages[4]["call_id"]), (&json!("a"), &json!("b")));
    assert_eq!(messages[3]["is_error"], true);
}

fn dropping() {
    use std::future::Future;
    use std::task::{Context, Waker};
    let (clock, model, worker) = scripted([Turn::text(GOOD).after(seconds(3))]);
    let mut run = Box::pin(worker.run::<Pet>(task()));
    assert!(run.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    assert_eq!(model.requests().len(), 1);
    drop(run);
    // Nobody sleeps on the clock any more.
    let waits = catch_unwind(std::panic::AssertUnwindSafe(|| clock.run(std::future::pending::<()>())));
    assert!(waits.is_err());
    assert_eq!(clock.elapsed(), seconds(0));
}

#[test]
fn a_prompt_is_a_task() {
    let model = Scripted::new([GOOD, GOOD]);
    let worker = Worker::new(model.clone());
    assert!(pollster::block_on(worker.run::<Pet>("My cat Biscuit …")).is_ok());
    assert!(pollster::block_on(worker.run_text("My cat Biscuit …".to_owned())).is_ok());
    for request in model.requests() {
        assert_eq!(request.messages.len(), 1);
        assert_eq!((request.messages[0].role(), request.messages[0].text()), (Role::User, "My cat Biscuit …"));
    }
}
