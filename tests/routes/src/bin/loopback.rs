//! The loopback server for other processes.
//!
//! ```text
//! loopback [--port PORT] [--script FILE] [--with-parent]
//! ```
//!
//! Prints its URL and serves until it is killed, or, with `--with-parent`, until its standard input ends. The file
//! holds a list of exchanges; more of them go to `POST /_loopback/script`.
#![allow(clippy::print_stdout)] // it is what the program is for

use std::io::Read;

use response_schema_tests_routes::loopback::{Exchange, Loopback};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut port, mut script, mut with_parent) = (0_u16, Vec::<Exchange>::new(), false);
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{option} needs a value"));
        match option.as_str() {
            "--port" => port = value()?.parse()?,
            "--script" => script = serde_json::from_slice(&std::fs::read(value()?)?)?,
            "--with-parent" => with_parent = true,
            _ => {
                let known = "--port, --script and --with-parent";
                return Err(format!("there is no option {option}; the options are {known}").into());
            }
        }
    }
    let server = Loopback::at(&format!("127.0.0.1:{port}"), script);
    println!("{}", server.url());
    if with_parent {
        std::io::stdin().read_to_end(&mut Vec::new())?;
        return Ok(());
    }
    loop {
        std::thread::park();
    }
}
