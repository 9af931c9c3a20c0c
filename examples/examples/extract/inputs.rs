//! What there is to read.

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};

use response_schema::SubTask;
use response_schema::adapter::ResponseFormat;
use response_schema::dialect::Dialect;
use response_schema::many::{Input, Rows};

use crate::options::Options;

/// Bytes of text that are a token, about; and tokens of a reply, nobody knows.
const BYTES: usize = 4;
const REPLY: u64 = 200;

/// A file of rows, or a folder of text files.
pub(crate) struct Inputs<'o> {
    options: &'o Options,
    instructions: &'static str,
    /// The files of a folder, in the order of their names.
    files: Option<Vec<PathBuf>>,
}

impl<'o> Inputs<'o> {
    pub(crate) fn of(options: &'o Options, instructions: &'static str) -> Result<Self, String> {
        let path = Path::new(&options.input);
        let unreadable = |error: std::io::Error| format!("`{}` cannot be read: {error}", path.display());
        let files = if std::fs::metadata(path).map_err(unreadable)?.is_dir() {
            let entries: Result<Vec<_>, _> = std::fs::read_dir(path).map_err(unreadable)?.collect();
            let mut files: Vec<_> = entries.map_err(unreadable)?.into_iter().map(|entry| entry.path()).collect();
            files.retain(|file| file.is_file());
            files.sort();
            Some(files)
        } else {
            None
        };
        Ok(Self { options, instructions, files })
    }

    fn rows(&self) -> Result<Rows, String> {
        let path = &self.options.input;
        let mut rows = Rows::open(path).map_err(|error| format!("`{path}` cannot be read: {error}"))?;
        if let Some(field) = &self.options.id {
            rows = rows.id(field);
        }
        if let Some(field) = &self.options.text {
            rows = rows.text(field);
        }
        Ok(rows)
    }

    /// One after the other; none is held longer than it takes.
    pub(crate) fn read(&self) -> Result<Box<dyn Iterator<Item = Input> + Send>, String> {
        let instructions = self.instructions;
        let task = move |text: String| SubTask::new(text).system(instructions);
        Ok(match &self.files {
            Some(files) => Box::new(files.clone().into_iter().map(move |path| {
                let id = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                match std::fs::read_to_string(&path) {
                    Ok(text) => Input::from(task(text)).with_id(id),
                    Err(error) => Input::unreadable(id, error),
                }
            })),
            None => Box::new(self.rows()?.map(move |row| row.map(|row| row.ask(task)).into())),
        })
    }

    /// How many there are.
    pub(crate) fn count(&self) -> Result<u64, String> {
        Ok(match &self.files {
            Some(files) => files.len() as u64,
            None => self.rows()?.count() as u64,
        })
    }

    /// What it would take, in words.
    pub(crate) fn estimate(&self, format: &ResponseFormat, price: Option<(f64, f64)>) -> Result<String, String> {
        let schema = format.wire(&Dialect::GUIDANCE).map_err(|refusal| refusal.to_string())?.json.len();
        let around = schema + self.instructions.len();
        let (mut count, mut bad, mut bytes) = (0_u64, Vec::new(), 0);
        let mut see = |length: Result<usize, String>| match length {
            Ok(length) => {
                count += 1;
                bytes += length + around;
            }
            Err(why) => bad.push(why),
        };
        match &self.files {
            Some(files) => files.iter().for_each(|path| {
                let length = File::open(path).and_then(|file| file.metadata());
                see(length
                    .map(|data| usize::try_from(data.len()).unwrap_or(usize::MAX))
                    .map_err(|error| error.to_string()));
            }),
            None => self.rows()?.for_each(|row| see(row.map(|row| row.text.len()).map_err(|error| error.to_string()))),
        }
        let (tokens_in, tokens_out) = ((bytes / BYTES) as u64, count * REPLY);
        let mut text = format!("{count} items, about {tokens_in} tokens in and {tokens_out} out");
        match price {
            #[allow(clippy::cast_precision_loss)] // nobody has so many tokens
            Some((input, output)) => {
                let cost = (tokens_in as f64 * input + tokens_out as f64 * output) / 1e6;
                let _ = write!(text, ": about {cost:.2} USD");
            }
            None => text.push_str("; with --price IN,OUT (US dollars for a million) also what that costs"),
        }
        if let Some(first) = bad.first() {
            let _ = write!(text, "\n{} rows cannot be read; the first: {first}", bad.len());
        }
        Ok(text)
    }
}
