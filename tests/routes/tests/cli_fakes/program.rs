//! Finding the program, its version, and what it gets to see.

use std::os::unix::fs::PermissionsExt;
use std::{env, fs};

use pollster::block_on;
use response_schema::adapter::{Adapter, CallErrorKind, ClaudeCli, CodexCli};

use crate::fake::{CLAUDE_ANSWERS, CODEX_ANSWERS, Fake, request};

#[test]
fn a_missing_program_is_named_with_the_way_to_get_it() {
    let empty = tempfile::tempdir().unwrap();
    let error = block_on(ClaudeCli::new().env("PATH", empty.path()).call(request("count"))).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Unavailable);
    assert_eq!(
        error.to_string(),
        "`claude` was not found; install it with `npm install -g @anthropic-ai/claude-code`, or name its file with `program`"
    );
    let error = block_on(CodexCli::new().program("./no/such/codex").version()).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Unavailable);
    assert!(error.to_string().starts_with("`./no/such/codex` was not found;"), "{error}");
}

#[test]
fn a_file_that_is_no_program_is_named() {
    let fake = Fake::new(CLAUDE_ANSWERS);
    fs::set_permissions(&fake.program, fs::Permissions::from_mode(0o644)).unwrap();
    let error = block_on(fake.claude().call(request("count"))).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Unavailable);
    assert!(error.to_string().contains("program is not executable"), "{error}");

    for (contents, words) in [
        ("\u{7f}ELF\u{1}\u{1}nonsense", "program"),
        ("#!/no/such/interpreter\n", "the interpreter that its first line names is missing"),
        ("#!/bin/sh\necho 'something else' >&2\n", "said: something else"),
        ("#!/bin/sh\n", "so it is no `claude`; on standard error it said: nothing"),
    ] {
        let error = block_on(Fake::raw(contents).claude().call(request("count"))).unwrap_err();
        assert_eq!(error.kind(), CallErrorKind::Unavailable, "{contents}: {error}");
        assert!(error.to_string().contains(words), "{contents}: {error}");
    }
}

#[test]
fn a_program_on_the_path_is_found_behind_files_that_are_none() {
    let fake = Fake::new(CLAUDE_ANSWERS);
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("program"), "not executable").unwrap();
    let path = env::join_paths(
        [other.path(), fake.folder.path()]
            .into_iter()
            .map(std::path::Path::to_owned)
            .chain(env::split_paths(&env::var_os("PATH").unwrap())),
    )
    .unwrap();
    let claude = ClaudeCli::new().program("program").env("PATH", path);
    assert_eq!(block_on(claude.call(request("count"))).unwrap().text, "{\"n\":1}");
}

#[test]
fn a_version_is_asked_once_and_an_old_one_is_refused() {
    let fake = Fake::raw(&format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && {{ echo asked >> %FOLDER%/asked; echo '2.1.200 (Claude Code)'; exit; }}\n{CLAUDE_ANSWERS}\n"
    ));
    let claude = fake.claude();
    for _ in 0..3 {
        block_on(claude.clone().call(request("count"))).unwrap();
    }
    assert_eq!(block_on(claude.version()).unwrap().to_string(), "2.1.200");
    assert_eq!(fake.read("asked").lines().count(), 1);

    let old = Fake::raw("#!/bin/sh\necho 'codex-cli 0.46.0'\n");
    let error = block_on(old.codex().call(request("count"))).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Unavailable);
    let text = error.to_string();
    assert!(
        text.starts_with("`codex` is too old") && text.contains("0.46.0") && text.contains("npm install"),
        "{text}"
    );
}

#[test]
fn a_missing_working_folder_is_the_callers_fault() {
    let fake = Fake::new(CLAUDE_ANSWERS);
    block_on(fake.claude().version()).unwrap();
    let error = block_on(fake.claude().current_dir("/no/such/folder").call(request("count"))).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::InvalidRequest);
    assert_eq!(error.to_string(), "the working folder /no/such/folder does not exist");

    // A program named from here is found from there.
    let here = env::current_dir().unwrap();
    let up: std::path::PathBuf = here.components().skip(1).map(|_| "..").collect();
    let relative = up.join(fake.program.strip_prefix("/").unwrap());
    let claude = ClaudeCli::new().program(relative).current_dir(fake.folder.path());
    assert_eq!(block_on(claude.call(request("count"))).unwrap().text, "{\"n\":1}");
}

#[test]
fn only_what_is_meant_for_it_is_in_its_environment() {
    let fake = Fake::new(&format!("env > seen\n{CLAUDE_ANSWERS}"));
    let seen = |claude: ClaudeCli| {
        block_on(claude.call(request("count"))).unwrap();
        fake.read("seen")
            .lines()
            .filter_map(|line| line.split_once('='))
            .map(|(name, _)| name.to_owned())
            .collect::<Vec<_>>()
    };
    let has = |names: &[String], name: &str| names.iter().any(|seen| seen == name);
    let names = seen(fake.claude().env("MY_OWN", "1"));
    assert!(
        has(&names, "PATH") && has(&names, "MY_OWN") && has(&names, "CLAUDE_CODE_DISABLE_ATTACHMENTS"),
        "{names:?}"
    );
    assert!(!names.iter().any(|name| name.starts_with("CARGO")), "{names:?}");
    let names = seen(fake.claude().pass_env("CARGO_PKG_*").env_remove("PATH"));
    assert!(has(&names, "CARGO_PKG_NAME") && !has(&names, "CARGO_MANIFEST_DIR"), "{names:?}");
    assert!(has(&seen(fake.claude().inherit_env()), "CARGO_MANIFEST_DIR"));
}

#[test]
fn secrets_in_complaints_are_masked_and_debug_forms_hold_none() {
    let key = "correct-horse-battery-staple";
    let body = "echo \"key $MY_API_KEY and sk-ant-api03-abcdefgh were refused\" >&2; exit 1";
    let claude = Fake::new(body);
    let route = claude.claude().env("MY_API_KEY", key).system("a secret plan").arg("--secret-argument");
    let error = block_on(route.call(request("count"))).unwrap_err();
    assert!(error.to_string().ends_with("key *** and *** were refused"), "{error}");
    for text in [format!("{error:?}"), format!("{route:?}")] {
        for secret in [key, "a secret plan", "--secret-argument"] {
            assert!(!text.contains(secret), "{text}");
        }
    }
    let codex = Fake::new(
        "echo \"{\\\"type\\\":\\\"turn.failed\\\",\\\"error\\\":{\\\"message\\\":\\\"bad $MY_API_KEY\\\"}}\"; exit 1",
    );
    let error = block_on(codex.codex().env("MY_API_KEY", key).call(request("count"))).unwrap_err();
    assert_eq!(error.to_string(), "the turn of `codex` failed: bad ***");
}

#[test]
fn it_runs_on_any_runtime() {
    let fake = Fake::new(CODEX_ANSWERS);
    let codex = fake.codex();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    assert_eq!(runtime.block_on(codex.call(request("count"))).unwrap().text, "{\"n\":1}");
    assert_eq!(block_on(codex.call(request("count"))).unwrap().text, "{\"n\":1}");
}
