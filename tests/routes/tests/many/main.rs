//! Runs over many inputs: what comes of each, what is kept, and how fast it goes.

mod cache;
mod kill;
mod limits;
mod resume;
mod rows;
mod run;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use response_schema::adapter::{
    Adapter, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Ending, Enforcement, Role, Usage,
};
use response_schema::testing::VirtualClock;
use response_schema::worker::Clock as _;
use response_schema::{ResponseSchema, dialect};
use serde::{Deserialize, Serialize};

/// What the model is asked for: the number that it was given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ResponseSchema)]
struct Echo {
    number: u64,
    #[response(max = 9)]
    part: u64,
}

/// A route that answers each number after its own fashion, and counts how often it was asked for it.
#[derive(Clone)]
struct Numbers {
    clock: VirtualClock,
    /// Of a number and how often it was asked for before.
    answer: Arc<dyn Fn(u64, u64) -> Say + Send + Sync>,
    asked: Arc<Mutex<BTreeMap<u64, u64>>>,
}

/// What it says, after so many milliseconds.
enum Say {
    Good(u64),
    Bad(u64),
    Refused(u64),
    Fault(CallErrorKind, u64),
}

impl Numbers {
    fn new(clock: &VirtualClock, answer: impl Fn(u64, u64) -> Say + Send + Sync + 'static) -> Self {
        Self { clock: clock.clone(), answer: Arc::new(answer), asked: Arc::default() }
    }

    /// Always good, at once.
    fn good() -> Self {
        Self::new(&VirtualClock::new(), |_, _| Say::Good(0))
    }

    fn asked(&self) -> BTreeMap<u64, u64> {
        self.asked.lock().expect("asked").clone()
    }

    fn calls(&self) -> u64 {
        self.asked().values().sum()
    }
}

impl Adapter for Numbers {
    type Dialect = dialect::Guidance;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new("numbers", Enforcement::Hint)
    }

    fn is_stand_in(&self) -> bool {
        true
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        let said = request.messages.iter().find(|message| message.role() == Role::User).expect("a prompt");
        let number: u64 = said.text().parse().expect("a number");
        let before = {
            let mut asked = self.asked.lock().expect("asked");
            let asked = asked.entry(number).or_default();
            *asked += 1;
            *asked - 1
        };
        let say = (self.answer)(number, before);
        let (Say::Good(wait) | Say::Bad(wait) | Say::Refused(wait) | Say::Fault(_, wait)) = say;
        if wait > 0 {
            self.clock.sleep_until(self.clock.now() + std::time::Duration::from_millis(wait)).await;
        }
        let part = if matches!(say, Say::Bad(_)) { 10 } else { number % 10 };
        let mut response = CallResponse::new(format!("{{\"number\": {number}, \"part\": {part}}}"), Enforcement::Hint);
        response.usage = Usage::new(100, 20);
        "counter".clone_into(&mut response.model);
        match say {
            Say::Fault(kind, _) => return Err(CallError::new(kind, "as it was told")),
            Say::Refused(_) => response.ending = Ending::Refused("I would rather not".to_owned()),
            Say::Good(_) | Say::Bad(_) => {}
        }
        Ok(response)
    }
}

/// Numbers as inputs, each with its own name.
fn numbers(count: u64) -> impl Iterator<Item = (String, String)> + Send {
    (0..count).map(|number| (format!("n{number}"), number.to_string()))
}
