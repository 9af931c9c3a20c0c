//! Whether feedback helps: replies of the embedded model without its token mask, and what becomes of the bad
//! ones when the model is told what was wrong, when it is only told to try again, and when it is asked
//! afresh.
//!
//! `cargo bench -p response-schema-tests-routes --features embedded --bench feedback`
#![allow(clippy::print_stdout)] // a benchmark's business

use response_schema::adapter::{
    Adapter, CallError, CallRequest, CallResponse, Capabilities, Embedded, Enforcement, Message,
};
use response_schema::dialect::Guidance;
use response_schema::worker::Outcome;
use response_schema::{ResponseSchema, SubTask, Worker};
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Debug, Deserialize, ResponseSchema)]
#[allow(dead_code)] // only whether it can be had matters
struct Ticket {
    #[response(max_length = 60)]
    summary: String,
    severity: Severity,
}

#[derive(Debug, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
enum Severity {
    Low,
    Medium,
    High,
}

#[derive(Debug, Deserialize, ResponseSchema)]
#[allow(dead_code)]
struct Order {
    item: String,
    #[response(min = 1, max = 20)]
    quantity: u8,
    size: Size,
}

#[derive(Debug, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
enum Size {
    Small,
    Large,
}

#[derive(Debug, Deserialize, ResponseSchema)]
#[allow(dead_code)]
struct Visit {
    name: String,
    #[response(format = "date")]
    day: String,
    #[response(max = 10)]
    guests: u8,
}

const SYSTEM: &str = "Answer with one JSON object in the form of the example, and with nothing else.";
const TICKET: (&str, &str) = ("The app is slow. Medium.", r#"{"summary": "The app is slow.", "severity": "medium"}"#);
const ORDER: (&str, &str) = ("Two large shirts, please.", r#"{"item": "shirt", "quantity": 2, "size": "large"}"#);
const VISIT: (&str, &str) =
    ("Ada comes on 3 May 2026 with two guests.", r#"{"name": "Ada", "day": "2026-05-03", "guests": 2}"#);

/// Reports whose words for the severity are not those of the type, or that run long.
const TICKETS: [&str; 16] = [
    "Nobody can log in. This is critical.",
    "The printer is on fire. Urgent!",
    "A typo on the start page. Trivial.",
    "Payments fail for all customers. Severity: blocker.",
    "The logo is a bit blurry. Minor.",
    "Search returns nothing. Major problem.",
    "The report is empty. Severe.",
    "Dark mode flickers. Cosmetic only.",
    "The server is down. Emergency!",
    "Export takes an hour. Serious.",
    "The tooltip is cut off. Negligible.",
    "All data of last week is gone. Catastrophic.",
    "The button has the wrong colour. Unimportant.",
    "Mails are sent twice. Priority one.",
    "Login needs two clicks. Nice to have.",
    "The backup has failed for three days in a row and nobody was told about it. Critical.",
];

/// Orders of sizes that there are not, or of more than may be ordered.
const ORDERS: [&str; 16] = [
    "Three medium hats, please.",
    "I want one extra large coat.",
    "Send us 50 small cups.",
    "Five XL shirts.",
    "A tiny spoon.",
    "Two dozen large plates.",
    "One huge table.",
    "Four XS gloves.",
    "100 large boxes.",
    "Seven normal bags.",
    "Ten big bowls.",
    "Twelve little forks.",
    "One regular lamp.",
    "Thirty small nails.",
    "Six giant pillows.",
    "Two mid-sized pots.",
];

/// Visits whose days are not written as dates, or with too many guests.
const VISITS: [&str; 16] = [
    "Bob comes on Christmas 2026 with one guest.",
    "Eve arrives on the 4th of July, 2026 with three guests.",
    "Dan comes on 12/24/2026 with four guests.",
    "Kim comes on May 5 2026 with 40 guests.",
    "Lou comes on 1.2.2026 alone.",
    "Mia comes tomorrow, on March 8, with two guests.",
    "Ned comes on New Year's Day 2027 with five guests.",
    "Ola comes on Friday 13 November 2026 with a dozen guests.",
    "Pia comes on 2026/06/01 with one guest.",
    "Quinn comes on June 1st 2026 with six guests.",
    "Ray comes on 30-09-2026 with seven guests.",
    "Sue comes on August 20 with nobody.",
    "Tom comes on 9 Sept 2026 with three guests.",
    "Uma comes on Monday with 15 guests.",
    "Vic comes on the last day of 2026 with eight guests.",
    "Wes comes on 5/6/26 with two guests.",
];

/// What is made of a retry.
#[derive(Debug, Clone, Copy)]
enum Second {
    /// As the worker writes it.
    Feedback,
    /// The bad reply stays; what was wrong with it is not said.
    TryAgain,
    /// The first question once more, with other luck.
    Afresh,
}

/// The model without its token mask: the schema does not reach it.
struct Unmasked {
    model: Embedded,
    second: Second,
}

/// System, a worked example, the prompt.
const FIRST: usize = 4;

impl Adapter for Unmasked {
    type Dialect = Guidance;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new("unmasked", Enforcement::None)
    }

    async fn call(&self, mut request: CallRequest) -> Result<CallResponse, CallError> {
        request.response_schema = None;
        request.parameters.max_tokens = Some(100);
        request.parameters.temperature = Some(0.0);
        if request.messages.len() > FIRST {
            match self.second {
                Second::Feedback => {}
                Second::TryAgain => {
                    request.messages.pop();
                    request.messages.push(Message::user("Please try again."));
                }
                Second::Afresh => {
                    request.messages.truncate(FIRST);
                    request.parameters.temperature = Some(0.7);
                    request.parameters.seed = Some(11);
                }
            }
        }
        self.model.call(request).await
    }
}

#[derive(Debug, Default, Clone, Copy)]
struct Count {
    cases: u32,
    bad: u32,
    mended: [u32; 3],
}

fn measure<T>(model: &Embedded, example: (&str, &str), prompts: &[&str]) -> Count
where
    T: ResponseSchema + DeserializeOwned + Send,
{
    let mut count = Count::default();
    for prompt in prompts {
        count.cases += 1;
        for (at, second) in [Second::Feedback, Second::TryAgain, Second::Afresh].into_iter().enumerate() {
            let worker = Worker::new(Unmasked { model: model.clone(), second });
            let task = SubTask::new(*prompt).system(SYSTEM).example(example.0, example.1);
            let result = pollster::block_on(worker.run::<T>(task));
            let report = result.as_ref().map_or_else(response_schema::Error::report, |reply| &reply.report);
            if std::env::args().any(|argument| argument == "show") && at == 0 {
                println!("{prompt}");
                for attempt in &report.attempts {
                    let wrong: Vec<_> = attempt.violations.iter().map(ToString::to_string).collect();
                    println!("    {:?}  {wrong:?}", attempt.raw_text.as_deref().unwrap_or_default());
                }
            }
            if report.attempts[0].outcome == Outcome::Valid {
                break;
            }
            if at == 0 {
                count.bad += 1;
            }
            count.mended[at] += u32::from(result.is_ok());
        }
    }
    count
}

/// With a number behind `--`, so many cases of each kind, for a look; with `show`, the replies.
fn main() {
    let some = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(16);
    let model = Embedded::builder().progress(false).build().expect("the default model");
    let counts = [
        ("tickets", measure::<Ticket>(&model, TICKET, &TICKETS[..some.min(16)])),
        ("orders", measure::<Order>(&model, ORDER, &ORDERS[..some.min(16)])),
        ("visits", measure::<Visit>(&model, VISIT, &VISITS[..some.min(16)])),
    ];
    let mut all = Count::default();
    for (_, count) in &counts {
        all.cases += count.cases;
        all.bad += count.bad;
        for (sum, mended) in all.mended.iter_mut().zip(count.mended) {
            *sum += mended;
        }
    }
    println!("{:8} {:>5} {:>10} {:>10} {:>10} {:>10}", "", "cases", "bad", "feedback", "try again", "afresh");
    for (name, count) in counts.iter().chain([&("all", all)]) {
        let [feedback, again, afresh] = count.mended.map(|mended| share(mended, count.bad));
        println!("{name:8} {:>5} {:>10} {feedback:>10} {again:>10} {afresh:>10}", count.cases, count.bad);
    }
}

fn share(part: u32, whole: u32) -> String {
    (100 * part).checked_div(whole).map_or_else(|| "-".to_owned(), |share| format!("{part} ({share} %)"))
}
