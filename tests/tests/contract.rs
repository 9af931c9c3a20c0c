//! The contract, proved for every fixture by judges that know nothing of this project.

use response_schema::decode::Decoder;
use response_schema::testing::{Breaks, Contract, Sampler};
use response_schema_tests::fixtures::{Fixture, all};
use response_schema_tests::judge::{Grammar, Validator, openai_faults, settled};
use serde_json::Value;

/// Asks the same of every fixture, and reports all that fail.
fn each(ask: impl Fn(&Fixture) -> Result<(), String>) {
    let fixtures = all();
    assert!(fixtures.len() >= 150, "{} fixtures", fixtures.len());
    let faults: Vec<_> = fixtures
        .iter()
        .filter_map(|fixture| ask(fixture).err().map(|fault| format!("{}: {fault}", fixture.name)))
        .collect();
    assert!(faults.is_empty(), "{} of {} fixtures fail\n{}", faults.len(), fixtures.len(), faults.join("\n"));
}

/// A schema by its text.
fn validator(schema: &str) -> Result<Validator, String> {
    Validator::new(schema).map_err(|error| format!("{error}\n  {schema}"))
}

#[test]
fn schemas_satisfy_the_rules_of_strict_mode() {
    each(|fixture| match openai_faults(fixture.strict) {
        faults if faults.is_empty() => Ok(()),
        faults => Err(format!("{}\n  {}", faults.join("\n  "), fixture.strict)),
    });
}

#[test]
fn instances_deserialize_and_are_written_as_instances() {
    each(|fixture| {
        let (strict, full) = (validator(fixture.strict)?, validator(fixture.full)?);
        for seed in 0..60 {
            let sample = (fixture.sample)(seed);
            let satisfies = |text: &str| full.judge(text).and_then(|()| strict.judge(text));
            satisfies(&sample).map_err(|fault| format!("the sample {sample} is no instance: {fault}"))?;
            let written = (fixture.echo)(&sample).map_err(|fault| format!("{sample} is refused: {fault}"))?;
            if fixture.two_sided {
                satisfies(&written).map_err(|fault| {
                    format!("{sample} is written as {written}, which does not satisfy the schema: {fault}")
                })?;
                // What was written is read as the same again: nothing is lost on the way.
                let again = (fixture.echo)(&written).map_err(|fault| format!("{written} is refused: {fault}"))?;
                if settled(&again) != settled(&written) {
                    return Err(format!("{written} comes back as {again}"));
                }
                if fixture.lossless && settled(&sample) != settled(&written) {
                    return Err(format!("{sample} is read as {written}"));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn what_is_broken_is_refused() {
    each(|fixture| {
        let (strict, full) = (validator(fixture.strict)?, validator(fixture.full)?);
        let grammar = Grammar::new(fixture.full)?;
        let mut sampler = Sampler::new(1);
        let mut refused = 0;
        for _ in 0..60 {
            let mutation = (fixture.mutation)(&mut sampler);
            let text = &mutation.text;
            // In a choice, one form may become another by accident.
            if full.judge(text).is_ok() {
                if mutation.in_choice {
                    continue;
                }
                return Err(format!("{} at {:?}, yet {text} satisfies the schema", mutation.breaks, mutation.path));
            }
            refused += 1;
            // What strict mode has no keyword for is in the description, and is checked.
            let described = matches!(mutation.breaks, Breaks::Length | Breaks::Format);
            if !described && strict.judge(text).is_ok() {
                return Err(format!(
                    "{} at {:?}, yet {text} satisfies the strict schema",
                    mutation.breaks, mutation.path
                ));
            }
            if grammar.judge(text).is_ok() {
                return Err(format!("{} at {:?}, yet llguidance writes {text}", mutation.breaks, mutation.path));
            }
            if mutation.checked && (fixture.echo)(text).is_ok() {
                return Err(format!("{} at {:?}, yet {text} is decoded", mutation.breaks, mutation.path));
            }
        }
        if refused > 10 { Ok(()) } else { Err(format!("only {refused} of 60 mutations break the schema")) }
    });
}

#[test]
fn a_constrained_decoder_can_write_every_instance() {
    each(|fixture| {
        let (strict, full) = (Grammar::new(fixture.strict)?, Grammar::new(fixture.full)?);
        for seed in 0..20 {
            let sample = (fixture.sample)(seed);
            // The engine writes DELETE in text as an escape only, which is the same JSON.
            let escaped = sample.replace('\u{7f}', "\\u007f");
            for grammar in [&strict, &full] {
                grammar
                    .judge(&sample)
                    .or_else(|fault| grammar.judge(&escaped).map_err(|_| fault))
                    .map_err(|fault| format!("llguidance does not write {sample}: {fault}"))?;
            }
        }
        Ok(())
    });
}

/// Whether some number is beyond what the type of some field may hold: JSON Schema bounds neither
/// `i64`, nor `u64` from above, nor `f32`.
fn beyond(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_i64().is_none() && number.as_f64().is_none_or(|float| float.abs() > 9e18),
        Value::Array(items) => items.iter().any(beyond),
        Value::Object(members) => members.values().any(beyond),
        _ => false,
    }
}

/// Fixtures with rules that only their parsers know: no zero, no key twice, JSON in text.
const KNOW_MORE: &[&str] = &[
    "library::NonZeros",
    "defaults::MapKeys",
    "defaults::MapOfText",
    "defaults::MapOfStructs",
    "defaults::MapOptional",
    "defaults::JsonText",
    "defaults::JsonOptional",
];

#[test]
fn whatever_a_constrained_decoder_writes_is_decoded() {
    let ended = std::cell::Cell::new(0);
    each(|fixture| {
        let (full, grammar) = (validator(fixture.full)?, Grammar::new(fixture.full)?);
        for text in (0..8).filter_map(|seed| grammar.write(seed)) {
            ended.set(ended.get() + 1);
            // Numbers too large for any reader; formats that the engine takes more loosely.
            if !serde_json::from_str(&text).is_ok_and(|value| !beyond(&value)) || full.judge(&text).is_err() {
                continue;
            }
            match (fixture.decode)(&Decoder::new(), text.as_bytes()) {
                Err(fault) if !KNOW_MORE.contains(&fixture.name) => {
                    return Err(format!("llguidance writes {text}, which is refused: {fault}"));
                }
                _ => {}
            }
        }
        Ok(())
    });
    assert!(ended.get() > all().len() * 6, "only {} texts came to an end", ended.get());
}

/// Instances of one type, as replies of all others: what satisfies a schema is decoded.
#[test]
fn whatever_satisfies_a_schema_is_decoded() {
    let samples = all().into_iter().flat_map(|fixture| (0..3).map(|seed| (fixture.sample)(seed)));
    let samples: Vec<String> =
        samples.filter(|text| serde_json::from_str(text).is_ok_and(|value| !beyond(&value))).collect();
    each(|fixture| {
        let full = validator(fixture.full)?;
        for sample in samples.iter().filter(|sample| full.judge(sample).is_ok()) {
            match (fixture.decode)(&Decoder::new(), sample.as_bytes()) {
                Err(fault) if !KNOW_MORE.contains(&fixture.name) => {
                    return Err(format!("{sample} satisfies the schema, but {fault}"));
                }
                _ => {}
            }
        }
        Ok(())
    });
}

#[test]
fn the_library_proves_the_same() {
    each(|fixture| {
        let prove = || (fixture.contract)(&Contract::new().instances(100));
        let proof = std::panic::catch_unwind(prove).map_err(|panic| match panic.downcast::<String>() {
            Ok(message) => *message,
            Err(_) => "a panic without a message".to_owned(),
        })?;
        if proof.serialized == fixture.two_sided {
            Ok(())
        } else {
            Err(format!("the proof is not of both sides: {proof}"))
        }
    });
}
