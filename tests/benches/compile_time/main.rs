//! What the derive costs to compile, against schemars' derive on the same types in the same run.
//!
//! ```text
//! cargo bench -p response-schema-tests --bench compile_time              # all of it, some minutes
//! cargo bench -p response-schema-tests --bench compile_time -- rebuild   # one part
//! ```
//!
//! | part | question |
//! |---|---|
//! | `rebuild` | 200 types of ten documented fields: the rebuild after a change |
//! | `growth` | the same per type, as types grow from 100 to 1,000 |
//! | `dialects` | 200 schemas as constants, for one dialect and for five |
//! | `limits` | a tree at `OpenAI`'s limits against the same tree without the derive |
//! | `clean` | a schema-only user's dependencies and clean build |
//! | `size` | the binary with 200 types |
//!
//! Each figure is the median of some runs, ours and the peer's in turn: seconds of processor time, of all cores
//! together, where the system tells them (Linux), and of the clock elsewhere.
#![allow(clippy::print_stdout)] // a program's business

mod project;
mod types;

use project::{Kind, Project, median};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let all = wanted.is_empty();
    let asked = |part: &str| all || wanted.iter().any(|word| word == part);
    if asked("rebuild") {
        rebuild();
    }
    if asked("growth") {
        growth();
    }
    if asked("dialects") {
        dialects();
    }
    if asked("limits") {
        limits();
    }
    if asked("clean") {
        clean();
    }
    if asked("size") {
        size();
    }
}

/// Seconds of a rebuild of each project after its source was written anew, in turn.
fn race(projects: &[&Project], rounds: usize) -> Vec<f64> {
    let mut seconds = vec![Vec::new(); projects.len()];
    for round in 0..=rounds {
        for (project, seconds) in projects.iter().zip(&mut seconds) {
            project.touch();
            let took = project.build();
            // The first builds the dependencies too.
            if round > 0 {
                seconds.push(took);
            }
        }
    }
    seconds.into_iter().map(median).collect()
}

fn rebuild() {
    println!("\nrebuild: 200 types of ten documented fields, a mix of scalars, options, lists, enums and rules");
    let ours = Project::new(Kind::Ours, &types::records(200, Kind::Ours));
    let peer = Project::new(Kind::Schemars, &types::records(200, Kind::Schemars));
    let bare = Project::new(Kind::Bare, &types::records(200, Kind::Bare));
    let seconds = race(&[&ours, &peer, &bare], 5);
    let (ours, peer, bare) = (seconds[0], seconds[1], seconds[2]);
    println!("  response-schema  {ours:6.2} s, {:.2} s of it the derive's", ours - bare);
    println!("  schemars         {peer:6.2} s, {:.2} s of it the derive's", peer - bare);
    println!("  no schema        {bare:6.2} s (serde's derive alone)");
    println!(
        "  ratio            {:6.2} whole, {:.2} without serde's share",
        ours / peer,
        (ours - bare) / (peer - bare)
    );
}

fn growth() {
    println!("\ngrowth: milliseconds of rebuild per type, serde's share taken off");
    for count in [100, 300, 1000] {
        let ours = Project::new(Kind::Ours, &types::records(count, Kind::Ours));
        let bare = Project::new(Kind::Bare, &types::records(count, Kind::Bare));
        let seconds = race(&[&ours, &bare], 1);
        #[allow(clippy::cast_precision_loss)] // small
        let each = (seconds[0] - seconds[1]) * 1000.0 / count as f64;
        println!("  {count:5} types  {each:6.2} ms each");
    }
}

fn dialects() {
    const FIVE: [&str; 5] = ["OpenAi", "Anthropic", "Gemini", "LlamaCpp", "ClaudeCli"];
    println!("\ndialects: 200 types of ten documented fields, their schemas as constants");
    let none = Project::new(Kind::Ours, &types::rendered(200, &[]));
    let one = Project::new(Kind::Ours, &types::rendered(200, &FIVE[..1]));
    let five = Project::new(Kind::Ours, &types::rendered(200, &FIVE));
    let seconds = race(&[&none, &one, &five], 3);
    let (none, one, five) = (seconds[0], seconds[1], seconds[2]);
    println!("  no document      {none:6.2} s");
    println!("  one dialect      {one:6.2} s, {:.2} ms a document", (one - none) * 5.0);
    println!("  five dialects    {five:6.2} s, {:.2} ms a document", five - none);
    println!("  ratio            {:6.2} whole, {:.2} of the rendering alone", five / one, (five - none) / (one - none));
}

fn limits() {
    println!("\nlimits: 5,000 properties in all and one enum of 1,000 values, rendered");
    let ours = Project::new(Kind::Ours, &types::at_the_limits(Kind::Ours));
    let bare = Project::new(Kind::Bare, &types::at_the_limits(Kind::Bare));
    let seconds = race(&[&ours, &bare], 3);
    println!(
        "  with the derive {:.2} s, without {:.2} s, more {:.2} s",
        seconds[0],
        seconds[1],
        seconds[0] - seconds[1]
    );
}

fn clean() {
    println!("\nclean: a user of the schema alone");
    let source = types::records(1, Kind::Ours);
    let peers = types::records(1, Kind::Schemars);
    let ours = Project::new(Kind::Ours, &source);
    let peer = Project::new(Kind::Schemars, &peers);
    let mut seconds = [Vec::new(), Vec::new()];
    for _ in 0..3 {
        for (project, seconds) in [&ours, &peer].into_iter().zip(&mut seconds) {
            project.clean();
            seconds.push(project.build());
        }
    }
    let [ours_took, peer_took] = seconds.map(median);
    println!("  response-schema  {ours_took:6.2} s, {} crates", ours.crates());
    println!("  schemars         {peer_took:6.2} s, {} crates", peer.crates());
    println!("  ratio            {:6.2}", ours_took / peer_took);
}

fn size() {
    println!("\nsize: stripped release binary with 200 types whose schemas are all printed");
    let ours = Project::new(Kind::Ours, &types::printed(200, Kind::Ours));
    let peer = Project::new(Kind::Schemars, &types::printed(200, Kind::Schemars));
    let (ours, peer) = (ours.release_size(), peer.release_size());
    println!("  response-schema  {:6} KiB", ours / 1024);
    println!("  schemars         {:6} KiB", peer / 1024);
    #[allow(clippy::cast_precision_loss)] // a ratio
    let ratio = ours as f64 / peer as f64;
    println!("  ratio            {ratio:6.2}");
}
