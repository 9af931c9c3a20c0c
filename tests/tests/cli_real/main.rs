//! The real command lines, pinned, against a server on this machine.
//!
//! The program fetches them (`install.rs`) and goes on in a network of its own that has nothing but its loopback. Each
//! test there has a server of its own, which speaks the providers' wires, and an empty home. The harness is the one of
//! `libtest-mimic`, for the one of the standard library cannot do something first.

mod claude;
mod codex;
mod install;
mod world;

use std::os::unix::process::CommandExt as _;
use std::process::Command;

use libtest_mimic::{Arguments, Trial};

/// Brings up the loopback of a new network and goes on as another program.
const ISOLATED: &str = "\
import fcntl, os, socket, struct, sys
# SIOCSIFFLAGS: the interface is up and running.
fcntl.ioctl(socket.socket(), 0x8914, struct.pack('16sH14x', b'lo', 0x41))
os.execv(sys.argv[1], sys.argv[1:])";

/// Says that the program is in its network already.
const INSIDE: &str = "RESPONSE_SCHEMA_TESTS_INSIDE";

fn main() {
    let mut arguments = Arguments::from_args();
    if !arguments.list && std::env::var_os(INSIDE).is_none() {
        install::tools();
        go_inside();
    }
    // Beyond that the command lines are mostly in each other's way.
    arguments.test_threads.get_or_insert(3);
    libtest_mimic::run(&arguments, trials()).exit();
}

/// Goes on as this same program in a network of its own, or, where that may not be had, in that of this machine.
fn go_inside() {
    let may = Command::new("unshare").args(["-rn", "true"]).output().is_ok_and(|output| output.status.success());
    let isolated: &[&str] = if may { &["unshare", "-rn", "python3", "-c", ISOLATED] } else { &[] };
    let this = std::env::current_exe().unwrap();
    let mut words = isolated.iter().map(Into::into).chain([this.into_os_string()]).chain(std::env::args_os().skip(1));
    let error = Command::new(words.next().unwrap()).args(words).env(INSIDE, "1").exec();
    panic!("this program does not run again: {error}");
}

/// A test each. One that is forgotten here is dead code, which is a warning.
fn trials() -> Vec<Trial> {
    macro_rules! trials {
        ($($module:ident { $($test:ident,)* })*) => {
            vec![$($(Trial::test(concat!(stringify!($module), "::", stringify!($test)), || {
                $module::$test();
                Ok(())
            }),)*)*]
        };
    }
    trials! {
        claude {
            a_valid_answer_comes_with_its_cost_in_pieces_and_with_exact_integers,
            an_invalid_answer_is_asked_for_again,
            answers_that_stay_invalid_are_an_error_with_its_cost,
            words_instead_of_an_answer_are_an_error,
            a_schema_that_its_validator_does_not_compile_is_noticed_before_anything_is_answered,
            refusals_and_cut_replies_are_replies,
            errors_of_the_provider_keep_their_kind,
            a_refused_key_is_not_waited_for,
            without_a_login_it_says_so,
            limits_end_a_run,
            a_conversation_goes_as_one_prompt_and_without_a_schema_there_is_no_tool,
            a_provider_that_does_not_answer_is_left_at_the_deadline,
            its_validator_takes_the_schema_of_every_fixture_and_its_instances,
        }
        codex {
            a_valid_answer_comes_with_its_usage_and_the_schema_went_out_as_it_is,
            replies_that_are_no_answers_are_told_apart,
            errors_of_the_provider_keep_their_kind,
            arguments_that_it_does_not_know_are_the_callers_fault,
            without_a_key_it_does_not_get_far,
            a_provider_that_does_not_answer_is_left_at_the_deadline_with_all_processes,
            a_schema_in_the_prompt_leaves_the_request_free,
            a_schema_of_each_family_goes_through,
        }
    }
}
