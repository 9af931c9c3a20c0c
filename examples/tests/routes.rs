//! `ticket` asks every route that it lists: those over HTTP at a loopback server that speaks each wire, the command lines as
//! scripts that write what they would.

mod program;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use response_schema_tests_routes::loopback::{Exchange, Loopback, Wire};

const TICKET: &str = r#"{"summary": "Nobody can log in.", "build": "2.14.3", "severity": "blocking"}"#;

/// Reads one report by this route.
fn ticket(route: &str, folder: &Path, more: &[(&str, &str)]) -> Output {
    let report = folder.join("report.txt");
    fs::write(&report, "Since 2.14.3 nobody can log in any more!").expect("written");
    let keys = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "ZAI_API_KEY"];
    let mut command = Command::new(program::path("ticket"));
    command.args(["--route", route]).arg(report).env("CODEX_HOME", folder).envs(keys.map(|key| (key, "k-123456")));
    // The command lines of this machine's user are not asked, and neither are servers that the environment names.
    for name in ["OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL", "OLLAMA_HOST"] {
        command.env_remove(name);
    }
    command.envs(more.iter().copied()).output().expect("runs")
}

fn printed(route: &str, output: &Output) {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{route}: {out}{err}");
    assert!(out.contains("severity: Blocking") && out.contains("\nguarantee  "), "{route}: {out}");
}

#[test]
fn routes_over_http_are_asked_at_their_address() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("auth.json"), r#"{"tokens": {"access_token": "k-123456"}}"#).expect("written");
    for (route, wire) in [
        ("openai", Wire::Responses),
        ("codex-oauth", Wire::Responses),
        ("anthropic", Wire::Anthropic),
        ("gemini", Wire::Gemini),
        ("glm", Wire::Chat),
        ("ollama:qwen3", Wire::Ollama),
        ("llama-cpp", Wire::Chat),
    ] {
        let server = Loopback::start([Exchange::text(TICKET)]);
        printed(route, &ticket(&format!("{route}@{}", server.base_url(wire)), folder.path(), &[]));
        let requests = server.requests();
        assert_eq!((requests.len(), requests[0].wire), (1, Some(wire)), "{route}");
    }
}

#[cfg(unix)]
#[test]
fn command_lines_are_found_on_the_path() {
    use std::os::unix::fs::PermissionsExt as _;

    let events = |lines: &[String]| {
        format!(
            "#!/bin/sh\n[ \"$1\" = --version ] && {{ echo 100.0.0; exit; }}\ncat > /dev/null\ncat <<'EVENTS'\n{}\nEVENTS\n",
            lines.join("\n")
        )
    };
    let text = serde_json::Value::from(TICKET);
    let claude = events(&[
        r#"{"type":"system","subtype":"init","tools":["StructuredOutput"],"model":"claude-x"}"#.to_owned(),
        format!(r#"{{"type":"result","subtype":"success","is_error":false,"result":"","structured_output":{TICKET}}}"#),
    ]);
    let codex = events(&[
        format!(r#"{{"type":"item.completed","item":{{"type":"agent_message","text":{text}}}}}"#),
        r#"{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}"#.to_owned(),
    ]);
    let folder = tempfile::tempdir().expect("a folder");
    for (name, script) in [("claude", claude), ("codex", codex)] {
        let program = folder.path().join(name);
        fs::write(&program, script).expect("written");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("may be run");
        let path = format!("{}:/usr/bin:/bin", folder.path().display());
        let route = format!("{name}-cli");
        printed(&route, &ticket(&route, folder.path(), &[("PATH", &path)]));
    }
}

#[test]
fn what_is_no_server_has_no_address() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = ticket("offline@http://localhost:1", folder.path(), &[]);
    assert!(!output.status.success());
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(words.contains("it is no server, so it is not at `http://localhost:1`"), "{words}");
}
