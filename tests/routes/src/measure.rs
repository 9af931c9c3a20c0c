//! Benchmarks that compare. The contenders take turns in short rounds, and each is compared with the first one of the
//! same round, so that a machine that is busy with other work is as busy for all of them; what is told is the median.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

type Call = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// One way to make a call.
#[derive(Clone)]
pub struct Contender {
    /// Its name in the table.
    pub name: &'static str,
    call: Call,
}

impl Contender {
    /// A contender whose every call is a future of this.
    pub fn new<F, C>(name: &'static str, call: F) -> Self
    where
        F: Fn() -> C + Send + Sync + 'static,
        C: Future<Output = ()> + Send + 'static,
    {
        Self { name, call: Arc::new(move || Box::pin(call())) }
    }

    /// One call.
    pub async fn call(&self) {
        (self.call)().await;
    }
}

impl fmt::Debug for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contender").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What one contender took.
#[derive(Debug, Clone)]
pub struct Took {
    /// Its name.
    pub name: &'static str,
    /// Microseconds a call by the clock, the best round.
    pub wall: f64,
    /// Microseconds a call of this thread's processor, the best round.
    pub processor: f64,
    /// Its throughput by that of the first contender, the median of the rounds.
    pub throughput: f64,
    /// The processor time of the first contender by its own, the median of the rounds.
    pub thrift: f64,
}

impl fmt::Display for Took {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, wall, processor, throughput, thrift } = self;
        write!(f, "{name:<24} {wall:>7.1} µs, throughput {throughput:.3}; processor {processor:>6.1} µs, {thrift:.3}")
    }
}

/// So many calls at a time on this thread, in so many rounds of about so many calls each.
///
/// # Panics
///
/// If there is no contender or no round, or a call panics.
#[must_use]
pub fn compare(contenders: &[Contender], at_once: u32, calls: u32, rounds: usize) -> Vec<Took> {
    let runtime = runtime();
    let each = calls.div_ceil(at_once);
    let made = f64::from(each * at_once);
    let mut took = vec![Vec::with_capacity(rounds); contenders.len()];
    runtime.block_on(async {
        for contender in contenders {
            // Connections are there before the clock starts.
            go(contender, at_once, 2).await;
        }
        for round in 0..rounds {
            // Whoever comes after another finds other things in the caches: the order changes.
            for at in 0..contenders.len() {
                let at = (at + round) % contenders.len();
                let before = processor();
                let wall = go(&contenders[at], at_once, each).await;
                let spent = processor().saturating_sub(before);
                took[at].push([wall, spent].map(|took| took.as_secs_f64() * 1e6 / made));
            }
        }
    });
    let median = |at: usize, what: usize| {
        let mut ratios: Vec<f64> = took[0].iter().zip(&took[at]).map(|(first, own)| first[what] / own[what]).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    };
    let best = |at: usize, what: usize| took[at].iter().map(|took| took[what]).min_by(f64::total_cmp).expect("a round");
    let told = contenders.iter().enumerate().map(|(at, contender)| Took {
        name: contender.name,
        wall: best(at, 0),
        processor: best(at, 1),
        throughput: median(at, 0),
        thrift: median(at, 1),
    });
    told.collect()
}

/// A runtime on this thread.
///
/// # Panics
///
/// If there can be none.
#[must_use]
pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// Time that this thread ran, where the system says it.
fn processor() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(stat.split(' ').next().and_then(|time| time.parse().ok()).unwrap_or_default())
}

async fn go(contender: &Contender, at_once: u32, each: u32) -> Duration {
    let begun = Instant::now();
    let task = |_| {
        let contender = contender.clone();
        tokio::spawn(async move {
            for _ in 0..each {
                contender.call().await;
            }
        })
    };
    let tasks: Vec<_> = (0..at_once).map(task).collect();
    for task in tasks {
        task.await.expect("calls that succeed");
    }
    begun.elapsed()
}
