//! llama.cpp's own server, from the Python package `xllamacpp`.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::python;

const PACKAGE: &str = "xllamacpp==2026.10.11549";

/// A template that shows tools to the model, and calls as it writes them.
pub const TOOLS: &str = include_str!("llama/tools.jinja");

/// The server in a child process, which ends with it.
#[derive(Debug)]
pub struct Llama {
    child: Child,
    port: u16,
}

impl Llama {
    /// Starts one for the weights in this file, with their own chat template or another, and waits until it answers. Its
    /// package is installed under `target` by the first run.
    ///
    /// # Panics
    ///
    /// If it does not come up.
    #[must_use]
    pub fn start(target: &Path, model: &Path, template: Option<&str>) -> Self {
        let python = python::environment(&target.join("llama"), &[PACKAGE]);
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        // The server ends when this process does, however that comes: then its standard input is closed. A request that says
        // nothing of its length or of chance gets a short reply, the same each time.
        let script = format!(
            "import sys, xllamacpp\n\
             p = xllamacpp.CommonParams()\n\
             p.model.path = {model:?}\n\
             p.n_ctx = 4096; p.n_parallel = 1; p.warmup = False; p.use_jinja = True\n\
             p.n_predict = 400; p.sampling.temp = 0\n\
             p.cpuparams.n_threads = 1; p.cpuparams_batch.n_threads = 1\n\
             {template}\n\
             p.hostnames = ['127.0.0.1']; p.port = {port}\n\
             s = xllamacpp.Server(p)\n\
             sys.stdin.read()\n\
             import os; os._exit(0)\n",
            model = model.display().to_string(),
            template = template.map_or_else(String::new, |template| format!("p.chat_template = {template:?}")),
        );
        let child = Command::new(&python)
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("python");
        let mut server = Self { child, port };
        let begun = Instant::now();
        while !server.is_ready() {
            assert!(begun.elapsed() < Duration::from_mins(2), "the server did not come up");
            assert!(server.child.try_wait().expect("a process").is_none(), "the server ended");
            std::thread::sleep(Duration::from_millis(100));
        }
        server
    }

    /// Where it is, as OpenAI-compatible servers are given.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    fn is_ready(&self) -> bool {
        let answer = TcpStream::connect(("127.0.0.1", self.port)).and_then(|mut stream| {
            stream.set_read_timeout(Some(Duration::from_secs(5)))?;
            stream.write_all(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")?;
            let mut head = [0; 12];
            stream.read_exact(&mut head)?;
            Ok(head.ends_with(b"200"))
        });
        answer.unwrap_or(false)
    }
}

impl Drop for Llama {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
