//! The contract, proved for a type: schema ⇒ serde, serialize ⇒ schema, and what breaks the schema is
//! refused.

use std::any::type_name;
use std::fmt;
use std::fmt::Write as _;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::conform::conforms;
use super::instance::Instance;
use super::mutate::broken;
use super::sample::VALUE;
use super::sampler::Sampler;
use super::types::Types;
use crate::check::{Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::shape::is_plain_object;

/// Proves the contract for a type, over some hundred random instances of its schema:
///
/// 1. each **deserializes**, and passes [`check`](ResponseSchema::check);
/// 2. what serde **serializes** it to satisfies the schema again;
/// 3. instances with one thing broken are **refused**: by the schema always, and by serde or
///    `check` where a rule on a number, a text or a list is broken.
///
/// A type that serializes under other names than it deserializes, or leaves members out
/// (`skip_serializing`, a one-sided `rename`, …) cannot hold to the second. The derive knows these
/// attributes; for such a type the first and the third are proved, and the [`Proof`] says so.
///
/// ```
/// response_schema::testing::assert_contract::<Vec<Option<bool>>>();
/// ```
///
/// # Panics
///
/// With a counter-example: the instance, the place, who refused it, and the seed that makes it.
#[track_caller]
#[allow(clippy::must_use_candidate)] // it panics where there is something to know
pub fn assert_contract<T: ResponseSchema + Serialize + DeserializeOwned>() -> Proof {
    Contract::new().assert::<T>()
}

/// Proves the half of the contract that needs no `Serialize`: see [`assert_contract`].
///
/// # Panics
///
/// With a counter-example.
#[track_caller]
#[allow(clippy::must_use_candidate)] // it panics where there is something to know
pub fn assert_deserializes<T: ResponseSchema + DeserializeOwned>() -> Proof {
    Contract::new().assert_deserializes::<T>()
}

/// How the contract is proved: from which seed, over how many instances.
#[derive(Debug, Clone)]
pub struct Contract {
    seed: u64,
    instances: u64,
    mutations: usize,
    one_sided: bool,
}

/// What was proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Proof {
    /// How many instances deserialized.
    pub instances: u64,
    /// How many instances with one thing broken were refused.
    pub mutations: u64,
    /// Whether what serde serializes was proved to satisfy the schema.
    pub serialized: bool,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} instances deserialize, {} broken ones are refused; ", self.instances, self.mutations)?;
        f.write_str(if self.serialized {
            "what serde serializes satisfies the schema"
        } else {
            "only this half is proved, for the type serializes to something else or not at all"
        })
    }
}

impl Default for Contract {
    fn default() -> Self {
        Self::new()
    }
}

impl Contract {
    /// From seed 0, over 200 instances.
    #[must_use]
    pub const fn new() -> Self {
        Self { seed: 0, instances: 200, mutations: 3, one_sided: false }
    }

    /// From this seed: a counter-example names it.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Over so many instances.
    #[must_use]
    pub const fn instances(mut self, instances: u64) -> Self {
        self.instances = instances;
        self
    }

    /// The type serializes to something else than it deserializes from, so that only the first half is
    /// to be proved.
    #[must_use]
    pub const fn one_sided(mut self) -> Self {
        self.one_sided = true;
        self
    }

    /// Proves the contract; see [`assert_contract`].
    ///
    /// # Panics
    ///
    /// With a counter-example.
    #[track_caller]
    #[allow(clippy::must_use_candidate)] // as above
    pub fn assert<T: ResponseSchema + Serialize + DeserializeOwned>(&self) -> Proof {
        if self.one_sided || Types::below(T::SCHEMA).one_sided() {
            let proof = self.assert_deserializes::<T>();
            #[allow(clippy::print_stderr)] // part of the contract: a half proof says that it is one
            {
                eprintln!("{}: {proof}", type_name::<T>());
            }
            return proof;
        }
        self.run::<T>(Some(&|value| serde_json::to_value(value).map_err(|error| error.to_string())))
    }

    /// Proves the first half; see [`assert_deserializes`].
    ///
    /// # Panics
    ///
    /// With a counter-example.
    #[track_caller]
    #[allow(clippy::must_use_candidate)] // as above
    pub fn assert_deserializes<T: ResponseSchema + DeserializeOwned>(&self) -> Proof {
        self.run::<T>(None)
    }

    #[track_caller]
    fn run<T: ResponseSchema + DeserializeOwned>(&self, writer: Option<Writer<'_, T>>) -> Proof {
        let types = Types::below(T::SCHEMA);
        let mut proof = Proof { instances: 0, mutations: 0, serialized: writer.is_some() };
        for seed in self.seed..self.seed + self.instances {
            let mut sampler = Sampler::new(seed);
            let instance = sampler.instance(T::SCHEMA, &types);
            if let Err(fault) = try_instance::<T>(&instance, &types, writer) {
                panic!("{}", counter_example::<T>(&instance.to_string(), &fault, seed));
            }
            proof.instances += 1;
            for _ in 0..self.mutations {
                let Some(mutation) = broken(&instance, &types, sampler.random()) else { continue };
                let document = serde_json::from_str(&mutation.text).unwrap_or_default();
                let fault = match conforms(T::SCHEMA, &types, &document) {
                    Ok(()) if mutation.in_choice => continue,
                    Ok(()) => format!("{} and the schema admits it all the same", mutation.breaks),
                    Err(_) if mutation.checked && read::<T>(&mutation.text).is_ok() => {
                        format!("{}, the schema refuses it, but neither serde nor `check` does", mutation.breaks)
                    }
                    Err(_) => {
                        proof.mutations += 1;
                        continue;
                    }
                };
                let fault = Fault { at: mutation.path.clone(), why: fault, wrote: None };
                panic!("{}", counter_example::<T>(&mutation.text, &fault, seed));
            }
        }
        proof
    }
}

type Writer<'a, T> = &'a dyn Fn(&T) -> Result<Value, String>;

/// What is wrong with an instance.
struct Fault {
    at: String,
    why: String,
    wrote: Option<String>,
}

/// Both halves for one instance.
fn try_instance<T: ResponseSchema + DeserializeOwned>(
    instance: &Instance,
    types: &Types,
    writer: Option<Writer<'_, T>>,
) -> Result<(), Fault> {
    let text = instance.to_string();
    let value: T = read(&text).map_err(|refusal| match refusal {
        Refusal::Serde(error) => Fault {
            at: instance.path_at(error.column().saturating_sub(2)),
            why: format!("serde refuses it: {error}"),
            wrote: None,
        },
        Refusal::Check(at, why) => Fault { at, why: format!("`check` refuses it: {why}"), wrote: None },
    })?;
    let Some(writer) = writer else { return Ok(()) };
    let written = writer(&value).map_err(|error| Fault {
        at: String::new(),
        why: format!("it deserializes, but serde does not serialize it again: {error}"),
        wrote: None,
    })?;
    let written = if is_plain_object(T::SCHEMA) {
        written
    } else {
        Value::Object([(VALUE.to_owned(), written)].into_iter().collect())
    };
    conforms(T::SCHEMA, types, &written).map_err(|violation| Fault {
        at: violation.path.clone(),
        why: format!("what serde serializes it to does not satisfy the schema: {violation}"),
        wrote: Some(written.to_string()),
    })
}

enum Refusal {
    Serde(serde_json::Error),
    Check(String, String),
}

/// What stands around a root that is no object.
#[derive(Deserialize)]
struct Wrapped<T> {
    value: T,
}

/// Reads a document as a reply of the type, and checks it.
fn read<T: ResponseSchema + DeserializeOwned>(text: &str) -> Result<T, Refusal> {
    let (value, at) = if is_plain_object(T::SCHEMA) {
        (serde_json::from_str::<T>(text).map_err(Refusal::Serde)?, Path::ROOT)
    } else {
        (serde_json::from_str::<Wrapped<T>>(text).map_err(Refusal::Serde)?.value, Path::ROOT.key(VALUE))
    };
    let mut found = Violations::new();
    value.check(at, &mut found);
    match found.as_slice() {
        [] => Ok(value),
        [first, ..] => Err(Refusal::Check(first.path.clone(), found.to_string())),
    }
}

fn counter_example<T: ?Sized>(text: &str, fault: &Fault, seed: u64) -> String {
    let name = type_name::<T>();
    let mut message = format!("the contract does not hold for `{name}`\n  instance: {text}\n");
    if let Some(wrote) = &fault.wrote {
        let _ = writeln!(message, "  written:  {wrote}");
    }
    if !fault.at.is_empty() {
        let _ = writeln!(message, "  at:       {}", fault.at);
    }
    let _ = writeln!(message, "  because:  {}", fault.why);
    let _ = write!(message, "  again:    Contract::new().seed({seed}).instances(1)");
    message
}
