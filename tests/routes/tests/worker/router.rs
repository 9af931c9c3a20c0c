//! Routes by need, and explicit chains.

use response_schema::adapter::{CallErrorKind, Capabilities, DynAdapter, Enforcement, Need, ResponseFormat, Router};
use response_schema::testing::{Offline, Scripted, Turn};
use response_schema::{Error, ErrorKind, ResponseSchema, Worker, dialect};
use serde::Deserialize;

use super::{BAD, GOOD, Pet, task};

fn down(kind: CallErrorKind) -> Scripted {
    Scripted::new([Turn::error(kind, "it is down")])
}

#[test]
fn the_first_that_fits_is_taken_and_named_in_the_report() {
    let hint = Scripted::new([GOOD]).guarantee(Enforcement::Hint);
    let routes =
        Router::new().route("fast", hint).route("safe", Scripted::new([GOOD])).route("other", Scripted::new([GOOD]));
    let chosen = routes.select(Need::enforced()).expect("a route");
    let reply = pollster::block_on(Worker::new(chosen).run::<Pet>(task())).expect("a pet");
    assert_eq!((reply.report.name.as_deref(), reply.report.route.as_ref()), (Some("safe"), "scripted"));
    assert!(reply.report.to_string().starts_with("route      safe: scripted\n"), "{}", reply.report);
    let fast = routes.select(Need::any()).expect("a route");
    assert_eq!(fast.name(), Some("fast"));
}

#[test]
fn each_refusal_is_explained() {
    let routes = Router::new()
        .route("cli", Scripted::new([GOOD]).capable(Capabilities::new("claude-cli", Enforcement::Enforced)))
        .route(
            "glm",
            Scripted::new([GOOD]).capable(Capabilities::new("glm", Enforcement::None).with_tools(Enforcement::Hint)),
        );
    let error = routes.select(Need::enforced().strict_tools().in_one_request().streaming()).expect_err("no route");
    let expected = "\
no route does what is needed
  cli  it carries no tools
       it does not carry tools and a schema in one request
       its replies do not come piece by piece
  glm  its guarantee for schemas is `none`, and `enforced` is asked for
       its guarantee for the arguments of tools is `hint`, and `enforced` is asked for
       it does not carry tools and a schema in one request
       its replies do not come piece by piece";
    assert_eq!(error.to_string(), expected);
    let error = Error::from(error);
    assert_eq!(error.kind(), ErrorKind::NoRoute);
    assert_eq!(Router::new().select(Need::any()).expect_err("none").to_string(), "there are no routes to choose from");
}

/// Eleven objects on a path: more than `OpenAI` takes.
#[derive(Debug, Deserialize, ResponseSchema)]
struct Deep<T> {
    #[allow(dead_code)]
    below: T,
}
type Four<T> = Deep<Deep<Deep<Deep<T>>>>;
type Eleven = Four<Four<Deep<Deep<Deep<bool>>>>>;

#[test]
fn a_type_that_the_dialect_refuses_is_a_reason() {
    let routes = Router::new()
        .route("openai", Scripted::new([GOOD]).as_dialect::<dialect::OpenAi>())
        .route("local", Offline::seeded(1));
    let chosen = routes.select(Need::enforced().carrying::<Eleven>()).expect("a route");
    assert_eq!(chosen.name(), Some("local"));
    let routes = Router::new().route("openai", Scripted::new([GOOD]).as_dialect::<dialect::OpenAi>());
    let words = routes.select(Need::any().carrying::<Eleven>()).expect_err("none").to_string();
    assert!(words.contains("it would refuse the schema"), "{words}");
    let format = ResponseFormat::of::<Eleven>();
    assert!(routes.select(Need::any().carrying_format(format)).is_err());
}

#[test]
fn a_chain_goes_on_and_says_why() {
    for kind in [
        CallErrorKind::Transport,
        CallErrorKind::RateLimited,
        CallErrorKind::Provider,
        CallErrorKind::Unauthorized,
        CallErrorKind::SchemaRefused,
        CallErrorKind::Timeout,
    ] {
        let routes =
            Router::new().route("first", down(kind)).route("second", down(kind)).route("third", Scripted::new([GOOD]));
        let chain = routes.fallback(["first", "second", "third"]).expect("a chain");
        let reply = pollster::block_on(Worker::new(chain).run::<Pet>(task())).expect("a pet");
        let passed: Vec<_> = reply.report.passed_over.iter().map(|passed| passed.route.as_str()).collect();
        assert_eq!(passed, ["first", "second"], "{kind:?}");
        assert_eq!(reply.report.name.as_deref(), Some("third"));
        assert_eq!(reply.report.attempts.len(), 1);
        assert!(reply.report.to_string().contains("\npassed     first: it is down"), "{}", reply.report);
    }
}

#[test]
fn what_is_final_stays_final_in_a_chain() {
    for (turn, kind) in [
        (Turn::refused("no"), ErrorKind::Refused),
        (Turn::filtered("no"), ErrorKind::Filtered),
        (Turn::error(CallErrorKind::InputBlocked, "no"), ErrorKind::InputBlocked),
        (Turn::error(CallErrorKind::Cancelled, "no"), ErrorKind::Cancelled),
    ] {
        let second = Scripted::new([GOOD]);
        let routes = Router::new().route("first", Scripted::new([turn])).route("second", second.clone());
        let chain = routes.fallback(["first", "second"]).expect("a chain");
        let error = pollster::block_on(Worker::new(chain).run::<Pet>(task())).expect_err("final");
        assert_eq!((error.kind(), second.requests().len()), (kind, 0));
    }
}

#[test]
fn the_end_of_a_chain_is_the_last_error_with_the_others() {
    let routes = Router::new().route("a", down(CallErrorKind::Transport)).route("b", down(CallErrorKind::Unauthorized));
    let chain = routes.fallback(["a", "b"]).expect("a chain");
    let error = pollster::block_on(Worker::new(chain).run::<Pet>(task())).expect_err("none");
    assert_eq!(error.kind(), ErrorKind::Unauthorized);
    assert_eq!(error.report().passed_over[0].route, "a");
}

#[test]
fn a_bad_reply_is_the_workers_business_and_no_reason_to_go_on() {
    let (first, second) = (Scripted::new([BAD, GOOD]), Scripted::new([GOOD]));
    let routes = Router::new().route("first", first.clone()).route("second", second.clone());
    let chain = routes.fallback(["first", "second"]).expect("a chain");
    assert!(pollster::block_on(Worker::new(chain).run::<Pet>(task())).is_ok());
    assert_eq!((first.requests().len(), second.requests().len()), (2, 0));
}

#[test]
fn a_chain_promises_what_all_of_its_routes_do() {
    let routes = Router::new()
        .route("strict", Offline::seeded(1))
        .route("hint", Scripted::new([GOOD]).guarantee(Enforcement::Hint))
        .route("plain", Scripted::new([GOOD]).capable(Capabilities::new("plain", Enforcement::Enforced)));
    let guarantee = |names: &[&'static str]| routes.fallback(names.iter().copied()).expect("a chain").capabilities();
    assert_eq!(guarantee(&["strict", "hint"]).schema, Enforcement::Hint);
    assert_eq!(guarantee(&["strict", "plain"]).tools, None);
    let chain = routes.fallback(["strict", "hint"]).expect("a chain");
    let error = pollster::block_on(Worker::new(chain).require(Need::enforced()).run::<Pet>(task())).expect_err("hint");
    assert_eq!(error.kind(), ErrorKind::NotEnforced);
}

#[test]
fn a_chain_of_unknown_names_is_refused() {
    let routes = Router::new().route("a", Offline::seeded(1)).route("b", Offline::seeded(1));
    let words = routes.fallback(["a", "c"]).expect_err("no such route").to_string();
    assert_eq!(words, "there is no route `c`; there are `a`, `b`");
    assert!(routes.fallback([]).is_err());
    // A chain is a route like others.
    let chain: DynAdapter = routes.fallback(["a", "b"]).expect("a chain");
    assert!(Router::new().route("chain", chain).select(Need::enforced()).is_ok());
}

#[test]
fn a_reply_with_less_than_was_demanded_is_refused() {
    /// Claims more than it holds.
    struct Boaster;
    impl response_schema::adapter::Adapter for Boaster {
        type Dialect = dialect::Guidance;
        fn capabilities(&self) -> Capabilities {
            Capabilities::new("boaster", Enforcement::Enforced)
        }
        fn is_stand_in(&self) -> bool {
            true
        }
        async fn call(
            &self,
            _: response_schema::adapter::CallRequest,
        ) -> Result<response_schema::adapter::CallResponse, response_schema::adapter::CallError> {
            Ok(response_schema::adapter::CallResponse::new(GOOD, Enforcement::Hint))
        }
    }
    let error =
        pollster::block_on(Worker::new(Boaster).require(Need::enforced()).run::<Pet>(task())).expect_err("less");
    assert_eq!(error.kind(), ErrorKind::NotEnforced);
    assert_eq!(error.raw_text(), Some(GOOD));
    assert!(pollster::block_on(Worker::new(Boaster).run::<Pet>(task())).is_ok());
}
