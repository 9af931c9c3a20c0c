//! Judging and rewriting, over schemas made from seeds: what must hold for every schema and every dialect.

use jsonschema::Validator;
use response_schema::dialect::Dialect;
use response_schema::dynamic::{Fate, judge, lower, make_strict};
use response_schema_tests::noise::Choices as _;
use response_schema_tests::schemas::{Seeded, instance, schema};
use serde_json::Value;

/// How many schemas there are; `SCHEMAS=20000` looks longer.
fn schemas() -> u64 {
    std::env::var("SCHEMAS").ok().and_then(|count| count.parse().ok()).unwrap_or(1_000)
}

/// A validator for what a dialect reads. The command line's has tuples as they were before draft 2020-12.
fn validator(schema: &Value, dialect: &Dialect) -> Option<Validator> {
    let options = if dialect.name == Dialect::CLAUDE_CLI.name {
        jsonschema::draft201909::options()
    } else {
        jsonschema::draft202012::options()
    };
    let options = options.should_validate_formats(true).should_ignore_unknown_formats(true);
    options.build(schema).ok()
}

#[test]
fn every_instance_of_the_strict_schema_is_one_of_the_given_schema() {
    let (mut strict, mut sampled, mut rewritten) = (0, 0, 0);
    for seed in 0..schemas() {
        let random = &mut Seeded::new(seed);
        let given = schema(random);
        let mut before = None;
        for dialect in Dialect::ALL {
            let Ok(made) = make_strict(&given, *dialect) else { continue };
            assert!(
                judge(&made, *dialect).is_strict(),
                "{seed} {}: {given}\n{made}\n{}",
                dialect.name,
                judge(&made, *dialect).departures()[0]
            );
            assert_eq!(make_strict(&made, *dialect).as_ref(), Ok(&made), "{seed} {}", dialect.name);
            strict += 1;
            rewritten += usize::from(made != given);
            if before.as_ref() == Some(&made) {
                continue;
            }
            // A reference to nothing in a branch that nothing satisfies is no more in what is made.
            let Some(wide) = validator(&given, &Dialect::PROMPT) else { continue };
            let Some(narrow) = validator(&made, dialect) else { panic!("{seed} {}: {given}\n{made}", dialect.name) };
            for _ in 0..12 {
                let from = if random.once_in(3) { &given } else { &made };
                let value = instance(random, from, from, 8);
                if narrow.is_valid(&value) {
                    sampled += 1;
                    assert!(wide.is_valid(&value), "{seed} {}: {value}\n{given}\n{made}", dialect.name);
                }
            }
            before = Some(made);
        }
    }
    // The test is worth something.
    assert!(strict > 1_000 && rewritten > 500 && sampled > 1_000, "{strict} {rewritten} {sampled}");
}

#[test]
fn what_is_lowered_is_taken() {
    let mut lowered = 0;
    for seed in 0..schemas() {
        let given = schema(&mut Seeded::new(seed));
        for dialect in Dialect::ALL {
            let Ok(made) = lower(&given, *dialect) else { continue };
            lowered += 1;
            let verdict = judge(&made, *dialect);
            assert!(verdict.is_strict(), "{seed} {}: {given}\n{made}\n{}", dialect.name, verdict.departures()[0]);
            assert_eq!(lower(&made, *dialect).as_ref(), Ok(&made), "{seed} {}", dialect.name);
            assert!(validator(&made, dialect).is_some(), "{seed} {}: {made}", dialect.name);
        }
    }
    assert!(lowered > 3_000, "{lowered}");
}

#[test]
fn departures_point_into_the_schema_and_say_what_can_be_done() {
    for seed in 0..schemas() {
        let given = schema(&mut Seeded::new(seed));
        for dialect in Dialect::ALL {
            let verdict = judge(&given, *dialect);
            assert_eq!(verdict, judge(&given, *dialect), "{seed}: the same twice");
            for departure in verdict.departures() {
                assert!(given.pointer(&departure.pointer).is_some(), "{seed} {}: {departure}\n{given}", dialect.name);
                assert!(!departure.remedy.is_empty() && !departure.found.is_empty(), "{seed}: {departure:?}");
            }
            let worst = verdict.departures().iter().map(response_schema::dynamic::Departure::fate).max();
            assert_eq!(
                make_strict(&given, *dialect).is_ok(),
                worst.is_none_or(|worst| worst <= Fate::Narrower),
                "{seed}"
            );
            assert_eq!(lower(&given, *dialect).is_ok(), worst.is_none_or(|worst| worst <= Fate::Wider), "{seed}");
        }
    }
}
