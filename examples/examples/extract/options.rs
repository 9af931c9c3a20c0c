//! The command line.

use std::str::FromStr;

pub(crate) const USAGE: &str = "\
extract INPUT [OPTIONS]

INPUT is a file of JSON Lines (`.jsonl`) or CSV (`.csv`), or a folder of text files.

  --text FIELD        the field that holds the text; the whole row without it
  --id FIELD          the field that holds the id; without it rows are known by their text
  --schema FILE       a JSON Schema, in place of the type in the program
  --output FILE       where the results go, as JSON Lines [extracted.jsonl]
  --route NAME        the route, and a model behind a colon [offline]
  --concurrency N     so many at once [8]
  --requests N        at most so many requests a minute
  --tokens N          at most so many tokens a minute
  --price IN,OUT      US dollars for a million tokens in and out
  --max-cost USD      stop when so much is spent; needs a price, or a route that states its own
  --resume            go on with the journal of an earlier run
  --retry-failed      and ask again for what the model refused or got wrong
  --cache FOLDER      keep good replies there, and ask for none of them again, in any run
  --dry-run           say what there is and what it would cost, and ask nobody";

/// What the program is told.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) input: String,
    pub(crate) text: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) schema: Option<String>,
    pub(crate) output: String,
    pub(crate) route: String,
    pub(crate) concurrency: usize,
    pub(crate) requests: Option<u32>,
    pub(crate) tokens: Option<u32>,
    pub(crate) price: Option<(f64, f64)>,
    pub(crate) max_cost: Option<f64>,
    pub(crate) resume: bool,
    pub(crate) retry_failed: bool,
    pub(crate) cache: Option<String>,
    pub(crate) dry_run: bool,
}

impl Options {
    pub(crate) fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut input = None;
        let mut options = Self {
            input: String::new(),
            text: None,
            id: None,
            schema: None,
            output: "extracted.jsonl".to_owned(),
            route: "offline".to_owned(),
            concurrency: 8,
            requests: None,
            tokens: None,
            price: None,
            max_cost: None,
            resume: false,
            retry_failed: false,
            cache: None,
            dry_run: false,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--text" => options.text = Some(value()?),
                "--id" => options.id = Some(value()?),
                "--schema" => options.schema = Some(value()?),
                "--output" => options.output = value()?,
                "--route" => options.route = value()?,
                "--concurrency" => options.concurrency = number(&argument, &value()?)?,
                "--requests" => options.requests = Some(number(&argument, &value()?)?),
                "--tokens" => options.tokens = Some(number(&argument, &value()?)?),
                "--price" => options.price = Some(price(&value()?)?),
                "--max-cost" => options.max_cost = Some(number(&argument, &value()?)?),
                "--resume" => options.resume = true,
                "--retry-failed" => options.retry_failed = true,
                "--cache" => options.cache = Some(value()?),
                "--dry-run" => options.dry_run = true,
                "--help" | "-h" => return Err(USAGE.to_owned()),
                other if other.starts_with('-') => return Err(format!("there is no option {other}\n\n{USAGE}")),
                _ if input.is_none() => input = Some(argument),
                other => return Err(format!("one input is read, and `{other}` is another\n\n{USAGE}")),
            }
        }
        options.input = input.ok_or_else(|| USAGE.to_owned())?;
        Ok(options)
    }

    /// Where the journal is.
    pub(crate) fn journal(&self) -> String {
        format!("{}.journal", self.output)
    }
}

fn number<T: FromStr>(option: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{option} needs a number, and `{text}` is none"))
}

fn price(text: &str) -> Result<(f64, f64), String> {
    let (input, output) = text.split_once(',').ok_or("--price needs two numbers with a comma between them")?;
    Ok((number("--price", input.trim())?, number("--price", output.trim())?))
}
