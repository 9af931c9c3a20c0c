//! Inputs from files.

use std::io::{BufReader, Read};

use response_schema::SubTask;
use response_schema::many::Rows;
use serde_json::json;

use super::{Adapter as _, Echo, Numbers};

/// A row's id, text and line, or what is wrong with it.
type Told = Result<(Option<String>, String, u64), String>;

fn all(rows: Rows) -> Vec<Told> {
    rows.map(|row| row.map(|row| (row.id, row.text, row.line)).map_err(|error| error.to_string())).collect()
}

#[allow(clippy::unnecessary_wraps, reason = "it stands beside the errors in a list")]
fn ok(id: &str, text: &str, line: u64) -> Told {
    Ok((Some(id.to_owned()), text.to_owned(), line))
}

#[test]
fn json_lines_are_read_one_by_one_and_faults_name_their_line() {
    let file = "\u{feff}{\"id\": 1, \"body\": \"one\"}\r\n\n{\"id\": \"b\", \"body\": {\"x\": 1}}\n{\"id\": 3\n[1]\n{\"id\": 5, \"body\": null}\n{\"body\": \"six\"}\n{\"id\": 7, \"body\": \"last\"}";
    let rows = Rows::json_lines(file.as_bytes()).named("mails.jsonl").id("id").text("body");
    assert_eq!(
        all(rows),
        [
            ok("1", "one", 1),
            ok("b", "{\"x\":1}", 3),
            Err("mails.jsonl, line 4: this is no JSON: EOF while parsing an object, at column 8".to_owned()),
            Err("mails.jsonl, line 5: there is no field `id`".to_owned()),
            Err("mails.jsonl, line 6: there is no field `body`".to_owned()),
            Err("mails.jsonl, line 7: there is no field `id`".to_owned()),
            ok("7", "last", 8),
        ]
    );
    let mut plain = Rows::json_lines("\"text\"\n{\"b\": 1, \"a\": 2}\n".as_bytes());
    assert_eq!(plain.next().expect("a row").expect("text").text, "text");
    let whole = plain.next().expect("a row").expect("an object");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&whole.text).expect("JSON"), json!({"b": 1, "a": 2}));
}

#[test]
fn csv_is_read_row_by_row_and_faults_name_their_line() {
    let file = b"id,body\n1,\"one\n\"\"two\"\"\"\n2\n3,x,y\n4,\xff\n5,last".to_vec();
    let rows = Rows::csv(std::io::Cursor::new(file)).named("mails.csv").id("id").text("body");
    assert_eq!(
        all(rows),
        [
            ok("1", "one\n\"two\"", 2),
            Err("mails.csv, line 4: there is no field `body`".to_owned()),
            Err("mails.csv, line 5: 3 fields, and the first row names 2".to_owned()),
            Err("mails.csv, line 6: field 2 is not UTF-8".to_owned()),
            ok("5", "last", 7),
        ]
    );
    assert_eq!(all(Rows::csv(&b""[..])), []);
}

#[test]
fn lines_are_those_of_the_file_whatever_ends_them() {
    for end in ["\n", "\r\n"] {
        for mark in ["", "\u{feff}"] {
            let lines = ["id,body", "1,one", "", "2,\"two", "", "two\"", "3", "", "", "4,\"four", "\"", "5,five"];
            let file = format!("{mark}{}", lines.join(end));
            let told: Vec<_> = Rows::csv(std::io::Cursor::new(file.into_bytes())).id("id").text("body").collect();
            let lines =
                told.iter().map(|row| row.as_ref().map_or_else(response_schema::many::RowError::line, |row| row.line));
            assert_eq!(lines.collect::<Vec<_>>(), [2, 4, 7, 10, 12], "{end:?} {mark:?}");
        }
    }
    // Further than a reader takes in at once, where a row ends at each place of it.
    let rows = 20_000;
    let file: String = std::iter::once("n,m\r\n".to_owned()).chain((0..rows).map(|n| format!("{n},x\r\n"))).collect();
    let lines = Rows::csv(std::io::Cursor::new(file.into_bytes())).id("n").map(|row| {
        let row = row.expect("a row");
        (row.id.expect("an id").parse::<u64>().expect("a number"), row.line)
    });
    assert!(lines.enumerate().all(|(at, (n, line))| n == at as u64 && line == n + 2));
}

#[test]
fn columns_that_cannot_be_told_apart_or_are_not_there_end_the_rows() {
    let told = |file: &'static str| all(Rows::csv(file.as_bytes()).named("m.csv").id("id").text("body"));
    assert_eq!(
        told("id,body,id\n1,one,2\n3,x,y\n"),
        [Err("m.csv, line 1: two columns are named `id`; rename one".into())]
    );
    let missing = "m.csv, line 1: no column is named `id`; there is `id;body`";
    assert_eq!(told("id;body\n1;one\n2;two\n"), [Err(missing.to_owned())]);
    assert_eq!(told("id,body,,\n1,one,,\n"), [ok("1", "one", 2)]);
    let row = Rows::csv("id,,\n1,a,b\n".as_bytes()).next().expect("a row").expect("a good one");
    assert_eq!(row.value, json!({"id": "1", "column 2": "a", "column 3": "b"}));
    assert_eq!(told(""), []);
    let error = Rows::open("no/such/mails.csv").expect_err("no such file");
    assert!(error.to_string().starts_with("no/such/mails.csv: "), "{error}");
}

#[test]
fn a_quote_that_is_not_closed_is_an_error_and_not_the_rest_of_the_file() {
    let told = |file: &'static str| all(Rows::csv(file.as_bytes()).named("m.csv").id("id").text("body"));
    let open = "m.csv, line 3: a quote is opened here and not closed, so all that follows would be one field";
    for file in ["id,body\n1,one\n2,\"two\n3,three\n", "id,body\r\n1,one\r\n2,\"two \"\"quoted\"\" words\r\n3,three"] {
        assert_eq!(told(file), [ok("1", "one", 2), Err(open.to_owned())], "{file}");
    }
    for (file, body) in [
        ("id,body\n1,\"one\ntwo\"\n\n", "one\ntwo"),
        ("id,body\n1,\"one\n\"", "one\n"),
        ("id,body\n1,\"one\ntwo\" \n", "one\ntwo "),
        ("id,body\n1,5\" pipe", "5\" pipe"),
    ] {
        assert_eq!(told(file), [ok("1", body, 2)], "{file}");
    }
}

/// A disk that fails after some bytes.
struct Broken(&'static [u8]);

impl Read for Broken {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.0.is_empty() {
            return Err(std::io::Error::other("the disk is gone"));
        }
        self.0.read(buffer)
    }
}

#[test]
fn a_disk_that_fails_ends_the_rows_with_an_error() {
    for rows in [Rows::csv(Broken(b"id,body\n1,x\n")), Rows::json_lines(BufReader::new(Broken(b"{\"id\": 1}\n")))] {
        let rows = all(rows.id("id"));
        assert_eq!(rows.len(), 2, "{rows:?}");
        assert!(rows[0].is_ok() && rows[1].as_ref().is_err_and(|error| error.contains("the disk is gone")), "{rows:?}");
    }
}

#[test]
fn rows_are_inputs_and_a_bad_one_is_an_item_that_failed() {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, file) in [
        ("n.csv", "id,number\na,1\nb\nc,3\n"),
        ("n.jsonl", "{\"id\":\"a\",\"number\":1}\n{\"id\":\"b\"}\n{\"id\":\"c\",\"number\":3}\n"),
    ] {
        let path = directory.path().join(name);
        std::fs::write(&path, file).expect("is written");
        let rows = || Rows::open(&path).expect("opens").id("id").text("number");
        let model = Numbers::good();
        let told = rows().map(|row| row.map(|row| row.ask(|text| SubTask::new(text).system("Echo it."))));
        let mut results = model.extract_many::<Echo>(told).ordered().start().expect("starts");
        pollster::block_on(async {
            assert_eq!(results.next().await.expect("an item").id, "a");
            let bad = results.next().await.expect("an item").outcome.expect_err("bad").to_string();
            assert!(bad.contains(name) && bad.contains("there is no field `number`"), "{bad}");
            assert_eq!(results.next().await.expect("an item").outcome.expect("an echo").value.number, 3);
            assert!(results.next().await.is_none());
        });
        let summary = model.extract_many::<Echo>(rows()).start().expect("starts").finish();
        assert_eq!(pollster::block_on(summary).valid, 2);
    }
}
