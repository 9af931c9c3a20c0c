//! The sampler and the contract over nodes written by hand.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Breaks, Contract, Sampler, assert_contract, assert_deserializes, sample};
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Case, Field, Kind, Schema, Tagging, Unit, key_hash};
use crate::schema::rules::{Bound, Rules};
use crate::{Path, ResponseSchema, Violations};

const fn field(lead: &'static str, name: &str, schema: SchemaRef) -> Field {
    Field::new(lead, key_hash(name), schema)
}

const AT_MOST_NINE: &Rules = &Rules { maximum: Some(Bound::whole("9", 9)), ..Rules::new() };

#[derive(Debug, Serialize, Deserialize)]
struct Tree {
    weight: u8,
    label: Option<String>,
    kids: Vec<Tree>,
}

impl ResponseSchema for Tree {
    const SCHEMA: SchemaRef = {
        static NODE: Schema = Schema::derived(
            "Tree",
            1,
            module_path!(),
            Kind::object(&[
                Field {
                    rules: AT_MOST_NINE,
                    ruled: true,
                    ..field("\"weight\":", "weight", <u8 as ResponseSchema>::SCHEMA)
                },
                Field { fills: true, ..field("\"label\":", "label", <Option<String> as ResponseSchema>::SCHEMA) },
                field("\"kids\":", "kids", <Vec<Tree> as ResponseSchema>::SCHEMA),
            ]),
        );
        SchemaRef::new(&NODE)
    };

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        self.weight.check_rules(crate::check::Checks::of(AT_MOST_NINE), at.key("weight"), found);
        self.kids.check(at.key("kids"), found);
    }
}

/// A choice that recurses, so that a depth-first sampler would not end.
#[derive(Debug, Serialize, Deserialize)]
enum Formula {
    Zero,
    One,
    Sum { left: Box<Formula>, right: Box<Formula> },
}

impl ResponseSchema for Formula {
    const SCHEMA: SchemaRef = {
        static SUM: Schema = Schema::plain(
            "Sum",
            Kind::object(&[field("\"left\":", "left", Formula::SCHEMA), field("\"right\":", "right", Formula::SCHEMA)]),
        );
        static CASE: Schema = Schema::plain("Sum", Kind::object(&[field("\"Sum\":", "Sum", SchemaRef::new(&SUM))]));
        static UNITS: Schema = Schema::plain("Formula", Kind::Enum(&[Unit::new("\"Zero\""), Unit::new("\"One\"")]));
        static NODE: Schema = Schema::derived(
            "Formula",
            2,
            module_path!(),
            Kind::union(
                Tagging::External,
                &[Case::new("", SchemaRef::new(&UNITS)), Case::new("Sum", SchemaRef::new(&CASE))],
            ),
        );
        SchemaRef::new(&NODE)
    };
}

#[test]
fn the_contract_holds_for_sound_types() {
    let proof = assert_contract::<Tree>();
    assert!(proof.serialized && proof.instances == 200 && proof.mutations > 300, "{proof}");
    assert_contract::<Formula>();
    assert_contract::<Vec<Option<[u64; 2]>>>();
    assert_contract::<Option<f32>>();
    assert!(!assert_deserializes::<Tree>().serialized);
}

#[test]
fn a_seed_gives_the_same_text_and_others_give_others() {
    assert_eq!(sample::<Tree>(5), sample::<Tree>(5));
    let all: std::collections::BTreeSet<_> = (0..100).map(sample::<Tree>).collect();
    assert!(all.len() > 80, "{}", all.len());
}

#[test]
fn keys_stand_in_the_order_of_the_schema() {
    for seed in 0..50 {
        let text = sample::<Tree>(seed);
        let places = ["\"weight\"", "\"label\"", "\"kids\""].map(|key| text.find(key).expect("a key"));
        assert!(places.is_sorted(), "{text}");
    }
}

#[test]
fn instances_are_of_the_size_that_was_asked_for() {
    for seed in 0..100 {
        for size in [0, 10, 500] {
            let text = Sampler::new(seed).size(size).sample::<Formula>();
            assert!(text.matches(['"']).count() < 60 + 20 * size, "{}", text.len());
        }
    }
}

#[test]
fn every_way_to_break_a_value_is_found() {
    let mut sampler = Sampler::new(9);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..2000 {
        let mutation = sampler.mutation::<Tree>();
        serde_json::from_str::<Value>(&mutation.text).expect("still JSON");
        seen.insert(mutation.breaks);
    }
    let all = [Breaks::MissingKey, Breaks::ExtraKey, Breaks::Kind, Breaks::Null, Breaks::Fraction, Breaks::Bounds];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), all);
}

/// A type whose schema promises what serde does not hold.
macro_rules! liar {
    ($name:ident $kind:expr) => {
        impl ResponseSchema for $name {
            const SCHEMA: SchemaRef = {
                static NODE: Schema = Schema::derived(stringify!($name), 3, module_path!(), $kind);
                SchemaRef::new(&NODE)
            };
        }
    };
}

#[derive(Debug, Serialize, Deserialize)]
struct OtherKey {
    #[serde(rename = "Name")]
    name: String,
}
liar!(OtherKey Kind::object(&[field("\"name\":", "name", String::SCHEMA)]));

#[derive(Debug, Serialize, Deserialize)]
struct Inner {
    small: Vec<u8>,
}
liar!(Inner Kind::object(&[field("\"small\":", "small", <Vec<u16> as ResponseSchema>::SCHEMA)]));

#[derive(Debug, Serialize, Deserialize)]
struct WritesMore {
    a: bool,
    #[serde(default, skip_deserializing)]
    b: bool,
}
liar!(WritesMore Kind::object(&[field("\"a\":", "a", bool::SCHEMA)]));

#[derive(Debug, Serialize, Deserialize)]
struct Unchecked {
    n: u8,
}
liar!(Unchecked Kind::object(&[Field { rules: AT_MOST_NINE, ruled: true, ..field("\"n\":", "n", u8::SCHEMA) }]));

fn counter_example(run: impl Fn() + std::panic::UnwindSafe) -> String {
    *std::panic::catch_unwind(run).expect_err("the contract was said to hold").downcast::<String>().expect("a message")
}

#[test]
fn counter_examples_say_what_where_and_why() {
    let message = counter_example(|| _ = assert_contract::<OtherKey>());
    assert!(message.contains("missing field `Name`") && message.contains("instance: {\"name\":"), "{message}");

    let message = counter_example(|| _ = assert_contract::<Inner>());
    assert!(message.contains("at:       small[") && message.contains("expected u8"), "{message}");
    let seed = message.split("seed(").nth(1).and_then(|rest| rest.split(')').next()).expect("a seed");
    let seed = seed.parse().expect("a number");
    let again = counter_example(move || _ = Contract::new().seed(seed).instances(1).assert::<Inner>());
    assert_eq!(again, message);

    let message = counter_example(|| _ = assert_contract::<WritesMore>());
    assert!(message.contains("written:") && message.contains("no other key, found `b`"), "{message}");
    assert!(!Contract::new().one_sided().assert::<WritesMore>().serialized);

    let message = counter_example(|| _ = assert_contract::<Unchecked>());
    assert!(message.contains("out of bounds") && message.contains("neither serde nor `check`"), "{message}");
}

#[test]
fn a_type_without_finite_values_is_named() {
    struct Endless;
    impl ResponseSchema for Endless {
        const SCHEMA: SchemaRef = {
            static NODE: Schema =
                Schema::derived("Endless", 4, module_path!(), Kind::object(&[field("\"a\":", "a", Endless::SCHEMA)]));
            SchemaRef::new(&NODE)
        };
    }
    let message = counter_example(|| _ = sample::<Endless>(0));
    assert!(message.contains("every value of `Endless` would contain another one"), "{message}");
}
