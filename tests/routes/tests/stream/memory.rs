//! What a stream holds: the value, and nothing that nobody has asked for.

use allocation_counter::measure;
use futures_util::FutureExt;
use response_schema::partial::Growing;
use response_schema::worker::Update;
use response_schema::{AgentLoop, Worker};

use super::{GOOD, Part, Pet, Told, task};

/// A route is read only as far as its reader has come.
#[test]
fn nothing_is_read_ahead() {
    let parts = || {
        let pieces = ["{\"name\": \"B", "is", "cu", "it", "\", \"legs\"", ": 4}"].map(Part::Text);
        pieces.into_iter().chain([Part::End(GOOD)]).collect::<Vec<_>>()
    };
    let told = Told::new([parts(), parts()]);
    let read = || *told.read.lock().expect("nobody panicked");
    let worker = Worker::new(told.clone());
    let mut reply = worker.stream::<Pet>(task());
    assert_eq!(read(), 0, "nothing is sent before it is asked");
    for expected in 1..=3 {
        assert!(matches!(reply.next().now_or_never(), Some(Some(Ok(Update::Partial(_))))));
        assert_eq!(read(), expected);
    }
    drop(reply);
    let mut agent = AgentLoop::new(told.clone()).response_schema::<Pet>();
    let mut run = agent.stream("…");
    assert_eq!(read(), 3);
    for expected in 4..=6 {
        assert!(run.next().now_or_never().is_some());
        assert_eq!(read(), expected);
    }
}

/// The text once, and the value of it.
#[test]
fn memory_is_proportional_to_the_value() {
    let list = |count: usize| {
        let pets: Vec<_> =
            (0..count).map(|i| serde_json::json!({"name": format!("Biscuit the {i}th"), "legs": 4})).collect();
        serde_json::json!({ "value": pets }).to_string()
    };
    let held = |text: &str| {
        let info = measure(|| {
            let mut growing = Growing::<Vec<Pet>>::new();
            for at in (0..text.len()).step_by(10) {
                drop(growing.push(&text[at..text.len().min(at + 10)]));
            }
            assert!(growing.snapshot().value().is_some());
        });
        info.bytes_max
    };
    let (small, large) = (list(100), list(10_000));
    let (little, much) = (held(&small), held(&large));
    let grown = u64::try_from(large.len() / small.len()).expect("a number");
    assert!(much < 3 * little * grown, "{little} bytes for {}, {much} for {}", small.len(), large.len());
    assert!(much < 20 * u64::try_from(large.len()).expect("a number"), "{much} bytes for {}", large.len());
}

/// What is asked while nothing has changed costs nothing.
#[test]
fn a_snapshot_where_nothing_has_changed_allocates_nothing() {
    for count in [1, 1000] {
        let mut growing = Growing::<Vec<Pet>>::new();
        let pets = vec![GOOD; count].join(",");
        drop(growing.push(&format!("{{\"value\": [{pets}, {{\"name\": \"x\", \"legs\": ")));
        // Room for the next piece is made ahead.
        drop(growing.push(" "));
        let info = measure(|| {
            assert!(growing.push(" ").is_none());
            assert!(growing.snapshot().changed().is_empty());
        });
        assert_eq!(info.count_total, 0, "{count}");
    }
}
