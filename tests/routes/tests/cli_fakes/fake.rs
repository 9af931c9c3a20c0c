//! Scripts that stand in for a command line.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use response_schema::adapter::{CallRequest, ClaudeCli, CodexCli, Message, ResponseFormat};
use serde_json::json;
use tempfile::TempDir;

/// A folder with a script in it.
pub(crate) struct Fake {
    pub(crate) folder: TempDir,
    pub(crate) program: PathBuf,
}

impl Fake {
    /// A script that says a version that will do, and otherwise runs this.
    pub(crate) fn new(body: &str) -> Self {
        Self::raw(&format!("#!/bin/sh\n[ \"$1\" = --version ] && {{ echo 100.0.0; exit; }}\ncd %FOLDER%\n{body}\n"))
    }

    /// A file with these contents, `%FOLDER%` standing for its folder.
    pub(crate) fn raw(contents: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let program = folder.path().join("program");
        let contents = contents.replace("%FOLDER%", folder.path().to_str().unwrap());
        write_program(&program, contents.as_bytes());
        Self { folder, program }
    }

    pub(crate) fn claude(&self) -> ClaudeCli {
        ClaudeCli::new().program(&self.program)
    }

    pub(crate) fn codex(&self) -> CodexCli {
        CodexCli::new().program(&self.program)
    }

    /// What the script wrote into a file of its folder.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    /// Waits for the script to write a number into a file.
    pub(crate) fn wait_for_pid(&self, name: &str) -> u32 {
        let path = self.folder.path().join(name);
        eventually("the script writes its number", || {
            fs::read_to_string(&path).ok().filter(|text| text.ends_with('\n'))?.trim().parse().ok()
        })
    }
}

/// Writes an executable. Another process does it: a descriptor of our own that is open for writing could be inherited
/// by a child of another test, and the file would be busy.
fn write_program(path: &Path, contents: &[u8]) {
    let mut writer = Command::new("sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    writer.stdin.take().unwrap().write_all(contents).unwrap();
    assert!(writer.wait().unwrap().success());
}

/// Whether a process runs: it exists, and is no zombie.
pub(crate) fn runs(pid: u32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with(['Z', 'X'])
}

/// Waits for something that happens soon.
pub(crate) fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A request with a schema.
pub(crate) fn request(prompt: &str) -> CallRequest {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": false});
    CallRequest::new(vec![Message::user(prompt)]).with_response_schema(ResponseFormat::from_schema(schema))
}

/// The same, with a deadline.
pub(crate) fn request_within(time: Duration) -> CallRequest {
    let mut request = request("count");
    request.deadline = Some(Instant::now() + time);
    request
}

/// A shell command that writes what `claude` writes when it has an answer.
pub(crate) const CLAUDE_ANSWERS: &str = r#"echo '{"type":"system","subtype":"init","tools":["StructuredOutput"],"model":"m"}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"{\"n\":1}","structured_output":{"n":1},"total_cost_usd":0.25,"usage":{"input_tokens":3,"cache_read_input_tokens":2,"cache_creation_input_tokens":1,"output_tokens":4}}'"#;

/// A shell command that writes what `codex` writes when it has an answer.
pub(crate) const CODEX_ANSWERS: &str = r#"echo '{"type":"thread.started","thread_id":"t"}'
echo '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"{\"n\":1}"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":5,"cached_input_tokens":2,"output_tokens":4,"reasoning_output_tokens":1}}'"#;
