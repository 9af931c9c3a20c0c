//! What the command lines have in common: where they are, what they get, and what is shared by clones.

use std::ffi::OsString;
use std::future::Future;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};

use super::environment::Environment;
use super::file::HandedFile;
use super::mask::Secrets;
use super::output::{Enough, Reader};
use super::process::{self, Ended, Job};
use super::program::{Program, Said};
use super::run::{ReplyRun, Replying, Run, over};
use super::version::Version;
use crate::adapter::{CallError, CallErrorKind, CallResponse, ResponseStream, StreamEvent};
use crate::timer::Sleep;

/// How many processes one adapter and its clones run at a time, unless another number is set.
const AT_ONCE: usize = 4;

/// How much one run may write, unless another number is set.
const MOST_OUTPUT: usize = 64 * 1024 * 1024;

/// The settings of a command line, and what its clones share.
#[derive(Clone)]
pub(super) struct Setup {
    pub(super) about: &'static Program,
    pub(super) program: OsString,
    pub(super) model: Option<String>,
    pub(super) directory: Option<PathBuf>,
    pub(super) arguments: Vec<OsString>,
    pub(super) environment: Environment,
    pub(super) most_output: usize,
    at_once: Arc<Semaphore>,
    version: Arc<OnceCell<Version>>,
}

/// One run, as its adapter wants it.
pub(super) struct Order<P> {
    pub(super) arguments: Vec<OsString>,
    /// Variables that hold where the user says nothing else.
    pub(super) settings: Vec<(&'static str, String)>,
    pub(super) input: String,
    pub(super) files: Vec<HandedFile>,
    pub(super) deadline: Option<Instant>,
    pub(super) protocol: P,
}

/// What one command line writes, and what that means.
pub(super) trait Protocol: Send + 'static {
    /// One line; pieces of the reply go to `pieces`.
    fn line(&mut self, line: &str, pieces: &mut dyn FnMut(StreamEvent)) -> ControlFlow<Enough>;

    /// The reply, or why there is none. The secrets are masked in what it says.
    fn finish(self, ended: &Ended) -> Result<CallResponse, CallError>;
}

impl Setup {
    /// What replies depend on, apart from the environment.
    #[allow(
        clippy::unnecessary_debug_formatting,
        reason = "names that are no text, and differ, must not look the same"
    )]
    pub(super) fn identity(&self) -> String {
        let Self { program, model, directory, arguments, .. } = self;
        format!("{program:?} {model:?} {directory:?} {arguments:?}")
    }

    pub(super) fn new(about: &'static Program, environment: &[&str]) -> Self {
        Self {
            about,
            program: about.name.into(),
            model: None,
            directory: None,
            arguments: Vec::new(),
            environment: Environment::passing(environment),
            most_output: MOST_OUTPUT,
            at_once: Arc::new(Semaphore::new(AT_ONCE)),
            version: Arc::default(),
        }
    }

    pub(super) fn set_program(&mut self, program: OsString) {
        self.program = program;
        self.version = Arc::default();
    }

    pub(super) fn set_at_once(&mut self, count: usize) {
        self.at_once = Arc::new(Semaphore::new(count.clamp(1, Semaphore::MAX_PERMITS)));
    }

    /// The version, found out once.
    pub(super) async fn version(&self, deadline: Option<Instant>) -> Result<Version, CallError> {
        let find_out = async || {
            let environment = self.environment.variables(&[]);
            let path = self.about.find(&self.program, &environment)?;
            let job = Program::ask_version(path.clone(), environment.clone(), deadline);
            let answer = Run::start(self.permit(deadline).await?, move |group, cancel, _| {
                let mut said = Said::default();
                let ended = process::run(job, group, cancel, &mut said);
                (said, ended)
            })?;
            let (said, ended) = answer.last().await?;
            let ended = ended.map_err(|error| Program::not_started(&path, None, error))?;
            let secrets = secrets(&environment);
            self.about
                .judge_version(&path, &said, &ended)
                .map_err(|error| error.map_message(|text| secrets.mask(&text)))
        };
        self.version.get_or_try_init(find_out).await.copied()
    }

    /// Runs an order and hands over the reply as it comes.
    pub(super) fn stream<'a, P: Protocol>(
        &'a self,
        order: impl FnOnce(Version) -> Result<Order<P>, CallError> + Send + 'a,
        deadline: Option<Instant>,
    ) -> ResponseStream<'a> {
        ResponseStream::new(Replying::Starting(Box::pin(async move {
            let version = self.version(deadline).await?;
            self.start(order(version)?).await
        })))
    }

    async fn start<P: Protocol>(&self, order: Order<P>) -> Result<ReplyRun, CallError> {
        let Order { arguments, settings, input, files, deadline, mut protocol } = order;
        let environment = self.environment.variables(&settings);
        let path = self.about.find(&self.program, &environment)?;
        let secrets = secrets(&environment);
        let job = Job {
            program: path.clone(),
            arguments,
            environment,
            directory: self.directory.clone(),
            input: input.into_bytes(),
            files,
            deadline,
            most_output: self.most_output,
        };
        let directory = self.directory.clone();
        Run::start(self.permit(deadline).await?, move |group, cancel, pieces| {
            let mut relay = Relay { protocol: &mut protocol, pieces };
            let ended = process::run(job, group, cancel, &mut relay)
                .map_err(|error| Program::not_started(&path, directory.as_deref(), error))?;
            protocol.finish(&ended).map_err(|error| error.map_message(|message| secrets.mask(&message)))
        })
    }

    /// Waits for room for one more process.
    async fn permit(&self, deadline: Option<Instant>) -> Result<OwnedSemaphorePermit, CallError> {
        let permit = Arc::clone(&self.at_once).acquire_owned();
        let Some(deadline) = deadline else {
            return permit.await.map_err(|_| over());
        };
        let mut permit = pin!(permit);
        let mut late = Sleep::until(deadline);
        std::future::poll_fn(move |context| match permit.as_mut().poll(context) {
            Poll::Ready(permit) => Poll::Ready(permit.map_err(|_| over())),
            Poll::Pending => Pin::new(&mut late).poll(context).map(|()| {
                let text = "the deadline passed while as many runs as are allowed at once were going on";
                Err(CallError::new(CallErrorKind::Timeout, text))
            }),
        })
        .await
    }
}

fn secrets(environment: &[(OsString, OsString)]) -> Secrets {
    Secrets::of(environment.iter().filter_map(|(name, value)| Some((name.to_str()?, value.to_str()?))))
}

/// Hands the lines to the protocol.
struct Relay<'a, P> {
    protocol: &'a mut P,
    pieces: &'a mut dyn FnMut(StreamEvent),
}

impl<P: Protocol> Reader for Relay<'_, P> {
    fn line(&mut self, line: &str) -> ControlFlow<Enough> {
        self.protocol.line(line, self.pieces)
    }
}
