//! What decoding promises, over instances of every fixture: `tests/fuzz` asks the same for longer.

use response_schema_tests::noise::{Choices, Dice};
use response_schema_tests::promise::{QUESTIONS, decoder, subjects};

/// How many replies of each type; `PROMISE_ROUNDS` sets another number.
fn rounds() -> u64 {
    std::env::var("PROMISE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(6)
}

#[test]
fn what_is_written_is_read() {
    for subject in subjects() {
        let mut dice = Dice::new(1);
        for _ in 0..rounds() {
            let sample = subject.made(&mut dice).sample;
            assert!(!subject.reads_what_is_written(&sample).is_empty());
        }
    }
}

#[test]
fn replies_of_types() {
    for (seed, subject) in subjects().iter().enumerate() {
        let mut dice = Dice::new(seed as u64);
        for _ in 0..rounds() {
            let decoder = decoder(&mut dice);
            let made = subject.made(&mut dice);
            subject.typed(&made, &decoder);
        }
    }
}

#[test]
fn replies_of_schemas() {
    for (seed, subject) in subjects().iter().enumerate() {
        let mut dice = Dice::new(seed as u64 + 1000);
        for _ in 0..rounds() {
            let decoder = decoder(&mut dice);
            let made = subject.made(&mut dice);
            subject.dynamic(&made, &decoder);
        }
    }
}

#[test]
fn any_bytes() {
    for (seed, subject) in subjects().iter().enumerate() {
        let mut dice = Dice::new(seed as u64 + 2000);
        for _ in 0..rounds() {
            let decoder = decoder(&mut dice);
            let mut bytes = subject.made(&mut dice).text.into_bytes();
            for _ in 0..dice.below(4) {
                let at = dice.below(bytes.len().max(1));
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = u8::try_from(dice.below(256)).unwrap_or_default();
                }
            }
            subject.bytes(&bytes, &decoder);
        }
    }
}

/// What the fuzzer keeps in the repository.
#[test]
fn kept_inputs() {
    for (target, ask) in QUESTIONS {
        let kept = std::fs::read_dir(format!("{}/fuzz/corpus/{target}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let inputs: Vec<_> = kept.map(|input| std::fs::read(input.unwrap().path()).unwrap()).collect();
        assert!(!inputs.is_empty(), "{target}");
        for input in inputs {
            ask(&input);
        }
    }
}
