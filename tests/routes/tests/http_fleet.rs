//! A fleet of servers that die and return.

mod http;

use std::time::Duration;

use futures_util::future::join_all;
use http::{TICKET, Ticket, typed};
use response_schema::adapter::{Adapter, ChatCompletions, Ejection, Fleet};
use response_schema::dialect::LlamaCpp;
use response_schema::http::Retry;
use response_schema::{ErrorKind, SubTask, Worker};
use response_schema_tests_routes::loopback::{Exchange, Fail, Failure, Fault, Loopback, Wire};

type Server = ChatCompletions<LlamaCpp>;

fn adapter(url: String) -> Server {
    ChatCompletions::llama_cpp().base_url(url).model("any").retry(Retry::never())
}

fn good() -> [Exchange; 1] {
    [Exchange::text(TICKET).always()]
}

/// Three servers, each at an address where it can be started again.
fn fleet(servers: &[Loopback]) -> Fleet<Server> {
    let quick = Ejection::default().with_time_out(Duration::from_millis(1), Duration::from_millis(20));
    Fleet::named(
        servers
            .iter()
            .enumerate()
            .map(|(index, server)| (["a", "b", "c"][index], adapter(server.base_url(Wire::Chat)))),
    )
    .ejection(quick)
}

fn address(server: &Loopback) -> String {
    server.url().trim_start_matches("http://").to_owned()
}

#[tokio::test]
async fn servers_that_die_under_load_cost_no_request_and_are_used_again() {
    let mut servers: Vec<_> = (0..3).map(|_| Loopback::start(good())).collect();
    let addresses: Vec<_> = servers.iter().map(address).collect();
    let all = fleet(&servers).limit(8);
    let round = || async {
        let replies = join_all((0..60).map(|_| all.extract::<Ticket>("Nobody can log in."))).await;
        assert!(replies.iter().all(Result::is_ok), "{replies:?}");
    };
    round().await;
    assert!(servers.iter().all(|server| server.served() >= 8));
    for dead in 0..3 {
        // It dies with requests under way.
        let dying = std::mem::replace(&mut servers[dead], Loopback::start([]));
        let ((), ()) = tokio::join!(round(), async {
            tokio::task::yield_now().await;
            drop(dying);
        });
        round().await;
        assert!(!all.servers()[dead].is_in);
        servers[dead] = Loopback::at(&addresses[dead], good());
        // It returns with the first trial after its time out.
        while !all.servers()[dead].is_in {
            round().await;
        }
        let before = servers[dead].served();
        round().await;
        assert!(servers[dead].served() > before);
    }
    assert!(all.servers().iter().all(|server| server.in_flight == 0));
}

#[tokio::test]
async fn faults_of_every_kind_go_to_another_server() {
    for fault in [
        Exchange::text("").fault(Fault::ResetAtOnce),
        Exchange::text(TICKET).fault(Fault::Close(20)),
        Exchange::text("").fault(Fault::Garbage),
        Exchange::failure(Fail::ServerError),
        Exchange::failure(Fail::Overloaded),
        Exchange::failure(Fail::BadGateway),
        Exchange::from(Failure::new(Fail::RateLimited).retry_after("7")),
        Exchange::failure(Fail::Unauthorized),
        Exchange::failure(Fail::NotFound),
    ] {
        let servers = [Loopback::start([fault.clone()]), Loopback::start(good())];
        let all = fleet(&servers);
        let response = all.call(typed()).await.unwrap_or_else(|error| panic!("{fault:?}: {error}"));
        assert_eq!(response.text, TICKET);
        assert_eq!(&*response.answered_by.expect("a name").name, "b");
        assert_eq!(response.passed_over.len(), 1);
    }
}

#[tokio::test]
async fn a_stream_that_breaks_before_its_first_piece_comes_from_another_server() {
    let servers = [Loopback::start([Exchange::text("").fault(Fault::ResetAtOnce)]), Loopback::start(good())];
    let all = fleet(&servers);
    let (shown, reply) = http::collect(&all.into(), typed()).await;
    assert_eq!(shown.text, TICKET);
    assert_eq!(reply.expect("a reply").passed_over[0].route, "a");

    let servers = [Loopback::start([Exchange::text(TICKET).fault(Fault::Close(1200))]), Loopback::start(good())];
    let (shown, reply) = http::collect(&fleet(&servers).into(), typed()).await;
    assert!(!shown.text.is_empty() && TICKET.starts_with(&shown.text), "{}", shown.text);
    assert!(reply.is_err());
    assert_eq!(servers[1].served(), 0);
}

#[tokio::test]
async fn with_all_servers_gone_the_error_names_each() {
    let servers = [Loopback::start(good()), Loopback::start(good())];
    let all = fleet(&servers).patience(Duration::ZERO);
    drop(servers);
    let error = Worker::new(all).run::<Ticket>(SubTask::new("?")).await.expect_err("nobody is there");
    assert_eq!(error.kind(), ErrorKind::Transport);
    let why = std::error::Error::source(&error).expect("a cause").to_string();
    assert!(why.contains("`a` (out for") && why.contains("`b` (out for"), "{why}");
    assert!(why.contains("could not be reached: ") && why.contains("refused"), "{why}");
}

#[tokio::test]
async fn limits_hold_over_http_and_dropped_calls_free_their_places() {
    let slow = || [Exchange::text(TICKET).fault(Fault::Silence).times(4), Exchange::text(TICKET).always()];
    let servers = [Loopback::start(slow()), Loopback::start(slow())];
    let all = fleet(&servers).limit(4);
    tokio::select! {
        _ = join_all((0..40).map(|_| all.call(typed()))) => unreachable!("nobody answers"),
        () = async {
            while servers.iter().any(|server| server.served() < 4) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        } => {}
    }
    assert_eq!(servers.iter().map(Loopback::served).collect::<Vec<_>>(), [4, 4]);
    assert!(all.servers().iter().all(|server| server.in_flight == 0));
    let replies = join_all((0..40).map(|_| all.call(typed()))).await;
    assert!(replies.iter().all(Result::is_ok));
}
