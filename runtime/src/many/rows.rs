//! Inputs from files: JSON Lines and CSV, row by row.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde_json::{Map, Value};

use super::Input;
use super::lines::Lines;
use crate::worker::SubTask;

/// The rows of a file of JSON Lines or CSV, read one by one: an iterator that [`extract_many`] takes.
///
/// Each row has a text, and an id if [`id`](Self::id) names a field for it. A row that cannot be read is an error with
/// its line, and the next one follows; a file that cannot be read any further ends with an error, and so does a CSV whose first
/// row has a name twice or lacks one that is asked for, or in which a quote is opened and not closed. The third column of a CSV is
/// named `column 3` where the first row does not name it.
///
/// ```
/// use response_schema::many::Rows;
///
/// let file = "id,body\n17,\"Nobody can\nlog in!\"\n18\n";
/// let mut rows = Rows::csv(file.as_bytes()).named("mails.csv").id("id").text("body");
/// let row = rows.next().unwrap()?;
/// assert_eq!((row.id.as_deref(), row.text.as_str(), row.line), (Some("17"), "Nobody can\nlog in!", 2));
/// assert_eq!(rows.next().unwrap().unwrap_err().to_string(), "mails.csv, line 4: there is no field `body`");
/// assert!(rows.next().is_none());
/// # Ok::<(), response_schema::many::RowError>(())
/// ```
///
/// [`extract_many`]: crate::adapter::Adapter::extract_many
pub struct Rows {
    source: Source,
    name: String,
    id: Option<String>,
    text: Option<String>,
    over: bool,
}

enum Source {
    Json { lines: Box<dyn BufRead + Send>, line: u64, bytes: Vec<u8> },
    Csv { reader: Box<csv::Reader<Lines<Box<dyn Read + Send>>>>, names: Option<Vec<String>>, record: csv::StringRecord },
}

/// One row.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Row {
    /// Its id, if a field is named for it.
    pub id: Option<String>,
    /// Its text: that of the field that is named for it, or the whole row as JSON.
    pub text: String,
    /// The whole row.
    pub value: Value,
    /// The line where it begins, from 1.
    pub line: u64,
}

/// Why a row could not be read, and where.
#[derive(Debug)]
pub struct RowError {
    file: String,
    line: u64,
    why: String,
}

impl Rows {
    fn new(source: Source) -> Self {
        Self { source, name: String::new(), id: None, text: None, over: false }
    }

    /// JSON Lines: a value on each line; blank lines are passed over.
    pub fn json_lines(reader: impl BufRead + Send + 'static) -> Self {
        Self::new(Source::Json { lines: Box::new(reader), line: 0, bytes: Vec::new() })
    }

    /// CSV, with names in its first row.
    pub fn csv(reader: impl Read + Send + 'static) -> Self {
        let reader: Box<dyn Read + Send> = Box::new(reader);
        let reader = csv::ReaderBuilder::new().flexible(true).from_reader(Lines::new(reader));
        Self::new(Source::Csv { reader: Box::new(reader), names: None, record: csv::StringRecord::new() })
    }

    /// A file, read as its name says: `.csv`, or JSON Lines for any other.
    ///
    /// # Errors
    ///
    /// If it cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> std::io::Result<Self> {
        let path = path.as_ref();
        let named = |error: std::io::Error| std::io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let file = BufReader::new(File::open(path).map_err(named)?);
        let is_csv = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
        Ok(if is_csv { Self::csv(file) } else { Self::json_lines(file) }.named(path.display().to_string()))
    }

    /// With a name of the source for messages.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// With ids from this field. A row without it is an error.
    #[must_use]
    pub fn id(mut self, field: impl Into<String>) -> Self {
        self.id = Some(field.into());
        self
    }

    /// With the text of this field, in place of the whole row. A row without it is an error.
    #[must_use]
    pub fn text(mut self, field: impl Into<String>) -> Self {
        self.text = Some(field.into());
        self
    }

    /// The next row's value and line.
    fn read(&mut self) -> Option<Result<(u64, Value), (u64, String)>> {
        match &mut self.source {
            Source::Json { lines, line, bytes } => loop {
                bytes.clear();
                *line += 1;
                match lines.read_until(b'\n', bytes) {
                    Ok(0) => return None,
                    Ok(_) => {}
                    Err(error) => {
                        self.over = true;
                        return Some(Err((*line, error.to_string())));
                    }
                }
                let mark: &[u8] = if *line == 1 { b"\xef\xbb\xbf" } else { b"" };
                let text = bytes.strip_prefix(mark).unwrap_or(bytes);
                if !text.trim_ascii().is_empty() {
                    let value = serde_json::from_slice(text.trim_ascii());
                    return Some(value.map(|value| (*line, value)).map_err(|error| {
                        let column = error.column();
                        let why = error.to_string();
                        let why = why.split(" at line ").next().unwrap_or_default();
                        (*line, format!("this is no JSON: {why}, at column {column}"))
                    }));
                }
            },
            Source::Csv { reader, names, record } => {
                let names = if let Some(names) = names {
                    names
                } else {
                    let headers = reader.headers().map_err(|error| csv_words(&error));
                    let wanted = [&self.id, &self.text].into_iter().flatten();
                    match headers.and_then(|headers| columns(headers, wanted)) {
                        Ok(headers) => names.insert(headers),
                        Err(why) => {
                            self.over = true;
                            return Some(Err((1, why)));
                        }
                    }
                };
                match reader.read_record(record) {
                    Ok(false) => None,
                    Ok(true) => {
                        let place = record.position().map_or(0, csv::Position::byte);
                        let line = reader.get_mut().line_at(place);
                        if record.len() > names.len() {
                            let why = format!("{} fields, and the first row names {}", record.len(), names.len());
                            return Some(Err((line, why)));
                        }
                        if is_open(reader, record) {
                            let why = "a quote is opened here and not closed, so all that follows would be one field";
                            return Some(Err((line, why.to_owned())));
                        }
                        let fields = names.iter().cloned().zip(record.iter().map(Value::from)).collect::<Map<_, _>>();
                        Some(Ok((line, Value::Object(fields))))
                    }
                    Err(error) => {
                        self.over = error.is_io_error();
                        let place = error.position().unwrap_or(reader.position()).byte();
                        let line = reader.get_mut().line_at(place);
                        Some(Err((line, csv_words(&error))))
                    }
                }
            }
        }
    }

    fn row(&self, line: u64, value: Value) -> Result<Row, RowError> {
        let field = |name: &str| match value.get(name) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(Value::Null) | None => Err(self.fault(line, format!("there is no field `{name}`"))),
            Some(other) => Ok(other.to_string()),
        };
        let id = self.id.as_deref().map(field).transpose()?;
        let text = match (&self.text, &value) {
            (Some(name), _) => field(name)?,
            (None, Value::String(text)) => text.clone(),
            (None, other) => other.to_string(),
        };
        Ok(Row { id, text, value, line })
    }

    fn fault(&self, line: u64, why: String) -> RowError {
        RowError { file: self.name.clone(), line, why }
    }
}

/// The names of columns; what is wrong with them, if a field could not be found by them.
fn columns<'w>(headers: &csv::StringRecord, wanted: impl Iterator<Item = &'w String>) -> Result<Vec<String>, String> {
    let called =
        |(at, name): (usize, &str)| if name.is_empty() { format!("column {}", at + 1) } else { name.to_owned() };
    let names: Vec<String> = headers.iter().enumerate().map(called).collect();
    let twice = |(at, name): (usize, &String)| names[..at].contains(name);
    if let Some(name) = names.iter().enumerate().find(|&each| twice(each)).map(|(_, name)| name) {
        return Err(format!("two columns are named `{name}`; rename one"));
    }
    // Of a file without any row nobody asks more.
    for wanted in wanted.filter(|_| !names.is_empty()) {
        if !names.contains(wanted) {
            return Err(format!("no column is named `{wanted}`; there is `{}`", names.join("`, `")));
        }
    }
    Ok(names)
}

/// Whether a record goes on to the end of the file for want of a quote: only in quotes there is the end of a line, and behind
/// the last of them would be nothing else.
fn is_open<R: Read>(reader: &csv::Reader<Lines<R>>, record: &csv::StringRecord) -> bool {
    let in_quotes = record.iter().next_back().is_some_and(|field| field.contains(['\n', '\r']));
    in_quotes && reader.get_ref().last().is_some_and(|last| last != b'"')
}

/// The reader's words without its own position.
fn csv_words(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { err, .. } => format!("field {} is not UTF-8", err.field() + 1),
        csv::ErrorKind::Io(error) => error.to_string(),
        _ => error.to_string(),
    }
}

impl Iterator for Rows {
    type Item = Result<Row, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        Some(match self.read()? {
            Ok((line, value)) => self.row(line, value),
            Err((line, why)) => Err(self.fault(line, why)),
        })
    }
}

impl Row {
    /// It as an input, asked for as the function says.
    pub fn ask(self, task: impl FnOnce(String) -> SubTask) -> Input {
        let input = Input::from(task(self.text));
        match self.id {
            Some(id) => input.with_id(id),
            None => input,
        }
    }
}

impl From<Row> for Input {
    fn from(row: Row) -> Self {
        row.ask(SubTask::new)
    }
}

impl RowError {
    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, why } = self;
        if !file.is_empty() {
            write!(f, "{file}, ")?;
        }
        write!(f, "line {line}: {why}")
    }
}

impl std::error::Error for RowError {}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows")
            .field("name", &self.name)
            .field("id", &self.id)
            .field("text", &self.text)
            .finish_non_exhaustive()
    }
}
