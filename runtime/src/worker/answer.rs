//! A value, or a question back.

use serde::{Deserialize, Serialize};

use super::report::{Outcome, Reply};
use crate::check::{Path, Violations};
use crate::error::{Error, ErrorKind};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Arg, Case, Field, Kind, Schema, Tagging, key_hash};

/// A value, or a question back: for tasks that may lack what the model needs to know.
///
/// Its schema offers both, so the model may ask instead of making something up. A question is an
/// ending that was meant so: the worker does not retry it.
///
/// ```
/// use response_schema::testing::Scripted;
/// use response_schema::worker::Answer;
/// use response_schema::{ErrorKind, SubTask, Worker};
///
/// # pollster::block_on(async {
/// let model = Scripted::new([r#"{"value": {"question": "Which of the two builds?"}}"#]);
/// let reply = Worker::new(model).run::<Answer<Vec<u8>>>(SubTask::new("…")).await?;
/// match &reply.value {
///     Answer::Value(list) => println!("{list:?}"),
///     Answer::Question(question) => assert_eq!(question, "Which of the two builds?"),
/// }
///
/// // Where a question is a failure like others:
/// let error = reply.answered().unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::ClarificationNeeded);
/// assert_eq!(error.words(), Some("Which of the two builds?"));
/// # Ok::<(), response_schema::Error>(()) }).unwrap();
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Answer<T> {
    /// The value.
    #[serde(rename = "answer")]
    Value(T),
    /// What the model must know before it can answer.
    #[serde(rename = "question")]
    Question(String),
}

impl<T> Answer<T> {
    /// The value, if there is one.
    #[must_use]
    pub fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Question(_) => None,
        }
    }

    /// The question, if there is one.
    #[must_use]
    pub fn question(&self) -> Option<&str> {
        match self {
            Self::Value(_) => None,
            Self::Question(question) => Some(question),
        }
    }
}

impl<T> Reply<Answer<T>> {
    /// The value and its report; a question becomes an error of the kind
    /// [`ClarificationNeeded`](ErrorKind::ClarificationNeeded) with the same report.
    ///
    /// # Errors
    ///
    /// If the model asked back; [`Error::words`] has the question.
    pub fn answered(self) -> Result<Reply<T>, Error> {
        let Self { value, mut report } = self;
        match value {
            Answer::Value(value) => Ok(Reply { value, report }),
            Answer::Question(question) => {
                if let Some(last) = report.attempts.last_mut() {
                    last.outcome = Outcome::ClarificationNeeded;
                }
                Err(Error::new(ErrorKind::ClarificationNeeded, question, report))
            }
        }
    }
}

impl<T: ResponseSchema> ResponseSchema for Answer<T> {
    const SCHEMA: SchemaRef = SchemaRef::new(
        &Schema::plain(
            "Answer",
            Kind::union(
                Tagging::External,
                &[
                    Case::new(
                        "Value",
                        SchemaRef::new(
                            &Schema::plain(
                                "Value",
                                Kind::closed_object(&[
                                    Field::new("\"answer\":", key_hash("answer"), T::SCHEMA).doc(ANSWER)
                                ]),
                            )
                            .of(&[Arg::Type(T::SCHEMA)]),
                        ),
                    ),
                    Case::new("Question", QUESTION),
                ],
            ),
        )
        .of(&[Arg::Type(T::SCHEMA)]),
    );

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        match self {
            Self::Value(value) => value.check(at.key("answer"), found),
            Self::Question(question) => question.check(at.key("question"), found),
        }
    }

    fn __question(&self) -> Option<&str> {
        self.question()
    }
}

const ANSWER: &str = ",\"description\":\"The answer, if all that it takes is known.";
const ASK: &str = ",\"description\":\"Instead of an answer: what must be known first, as a question.";

const QUESTION: SchemaRef = SchemaRef::new(&Schema::plain(
    "Question",
    Kind::closed_object(&[Field::new("\"question\":", key_hash("question"), String::SCHEMA).doc(ASK)]),
));
