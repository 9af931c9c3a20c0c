mod chain;
mod loops;
mod memory;
mod timing;
mod worker;

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use futures_util::Stream;
use response_schema::adapter::{
    Adapter, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Enforcement, ResponseStream,
    StreamEvent,
};
use response_schema::dialect;
use response_schema::testing::VirtualClock;
use response_schema::{ResponseSchema, SubTask};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ResponseSchema)]
struct Pet {
    name: String,
    #[response(max = 8)]
    legs: u8,
}

const GOOD: &str = r#"{"name": "Biscuit", "legs": 4}"#;
const BAD: &str = r#"{"name": "Biscuit", "legs": 40}"#;

fn task() -> SubTask {
    SubTask::new("…")
}

/// A route whose streams are told piece by piece: what a [`Scripted`](response_schema::testing::Scripted) one does not
/// have, faults in the middle and pauses, stands here.
#[derive(Debug, Clone)]
struct Told {
    streams: Arc<Mutex<VecDeque<Vec<Part>>>>,
    clock: VirtualClock,
    /// How many pieces were asked for.
    read: Arc<Mutex<usize>>,
}

/// A part of a stream.
#[derive(Debug, Clone)]
enum Part {
    Text(&'static str),
    /// Seconds in which nothing comes.
    Pause(u64),
    Fault(CallErrorKind, &'static str),
    /// The whole.
    End(&'static str),
}

impl Told {
    fn new(streams: impl IntoIterator<Item = Vec<Part>>) -> Self {
        let streams = Arc::new(Mutex::new(streams.into_iter().collect()));
        Self { streams, clock: VirtualClock::new(), read: Arc::default() }
    }
}

impl Adapter for Told {
    type Dialect = dialect::Guidance;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new("told", Enforcement::Enforced).with_streaming()
    }

    async fn call(&self, _: CallRequest) -> Result<CallResponse, CallError> {
        Err(CallError::new(CallErrorKind::Unsupported, "only streams are told"))
    }

    fn call_streamed(&self, _: CallRequest) -> ResponseStream<'_> {
        let parts = self.streams.lock().expect("nobody panicked").pop_front().expect("a stream");
        ResponseStream::new(Playing { route: self, parts: parts.into(), pause: None })
    }

    fn is_stand_in(&self) -> bool {
        true
    }
}

struct Playing<'a> {
    route: &'a Told,
    parts: VecDeque<Part>,
    pause: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl Stream for Playing<'_> {
    type Item = Result<StreamEvent, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(pause) = &mut self.pause {
                std::task::ready!(pause.as_mut().poll(context));
                self.pause = None;
            }
            let Some(part) = self.parts.pop_front() else { return Poll::Ready(None) };
            *self.route.read.lock().expect("nobody panicked") += 1;
            return Poll::Ready(Some(match part {
                Part::Text(text) => Ok(StreamEvent::Text(text.to_owned())),
                Part::Fault(kind, words) => Err(CallError::new(kind, words)),
                Part::End(text) => Ok(StreamEvent::Done(Box::new(CallResponse::new(text, Enforcement::Enforced)))),
                Part::Pause(seconds) => {
                    self.pause = Some(Box::pin(self.route.clock.sleep(std::time::Duration::from_secs(seconds))));
                    continue;
                }
            }));
        }
    }
}
