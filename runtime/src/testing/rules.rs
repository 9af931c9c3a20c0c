//! Every rule, one by one: told to the model, kept by the sampler and broken by mutation, checked on the value
//! and on its JSON.
//!
//! A rule that is new has to be added to the list here, and fails until it is done in all these places.

use std::collections::BTreeSet;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Sampler;
use super::conform::conforms;
use super::mutate::broken as mutated;
use super::types::Types;
use crate::check::{Checks, Path, Pattern, Violations};
use crate::dialect::Dialect;
use crate::schema::edge::SchemaRef;
use crate::schema::node::Schema;
use crate::schema::rules::{Bound, Rules};
use crate::schema::{ResponseSchema, render_document};

const FOUR: Option<Bound> = Some(Bound::whole("4", 4));

#[test]
fn every_rule_is_told_kept_and_checked() {
    let plain = Rules::new();
    // By name, so that the compiler asks here for a new one.
    let Rules {
        minimum,
        maximum,
        exclusive_minimum,
        exclusive_maximum,
        multiple_of,
        min_length,
        max_length,
        min_items,
        max_items,
        distinct,
        pattern,
        format,
    } = plain;
    assert!(pattern.is_empty() && format.is_empty());
    try_rule(&3_i64, &Rules { minimum: minimum.or(FOUR), ..plain });
    try_rule(&5_i64, &Rules { maximum: maximum.or(FOUR), ..plain });
    try_rule(&4_i64, &Rules { exclusive_minimum: exclusive_minimum.or(FOUR), ..plain });
    try_rule(&4_i64, &Rules { exclusive_maximum: exclusive_maximum.or(FOUR), ..plain });
    try_rule(&6_i64, &Rules { multiple_of: multiple_of.or(FOUR), ..plain });
    try_rule(&"abc".to_owned(), &Rules { min_length: min_length.or(Some(4)), ..plain });
    try_rule(&"abcde".to_owned(), &Rules { max_length: max_length.or(Some(4)), ..plain });
    try_rule(&"abc".to_owned(), &Rules { pattern: "\"^[0-9]+$\"", ..plain });
    try_rule(&"abc".to_owned(), &Rules { format: "date", ..plain });
    try_rule(&vec![true; 3], &Rules { min_items: min_items.or(Some(4)), ..plain });
    try_rule(&vec![true; 5], &Rules { max_items: max_items.or(Some(4)), ..plain });
    try_rule(&BTreeSet::from([1_i64]), &Rules { min_items: Some(2), distinct: !distinct, ..plain });
}

/// Holds a rule to its promises, with a value that breaks it.
fn try_rule<T: ResponseSchema + Serialize + DeserializeOwned>(broken: &T, rules: &Rules) {
    assert!(!rules.is_empty(), "{rules:?} counts as none");
    let rules: &'static Rules = Box::leak(Box::new(*rules));
    let node: &'static Schema = Box::leak(Box::new(Schema { rules, ruled: true, ..*T::SCHEMA.get() }));
    let bound = SchemaRef::new(node);
    for dialect in [Dialect::OPENAI, Dialect::GUIDANCE] {
        let document = |schema| render_document(schema, &dialect).expect("a schema");
        assert_ne!(document(bound), document(T::SCHEMA), "{} is not told of {rules:?}", dialect.name);
    }
    let mut checks = Checks::of(rules);
    if !rules.pattern.is_empty() {
        checks = checks.matching(Box::leak(Box::new(Pattern::new("^[0-9]+$"))));
    }
    let objects = |value: &T| {
        let mut found = Violations::new();
        value.check_rules(checks, Path::ROOT, &mut found);
        !found.is_empty()
    };
    assert!(objects(broken), "nothing checks {rules:?}");
    let (types, mut sampler) = (Types::below(bound), Sampler::new(3));
    let document = serde_json::json!({ "value": broken });
    assert!(conforms(bound, &types, &document).is_err(), "{document} conforms to {rules:?}");
    let read = |text: &str| {
        let document: serde_json::Value = serde_json::from_str(text).expect("JSON");
        serde_json::from_value::<T>(document["value"].clone())
    };
    let mut refused = false;
    for _ in 0..100 {
        let instance = sampler.instance(bound, &types);
        let text = instance.to_string();
        assert!(!objects(&read(&text).expect("an instance")), "the sampler breaks {rules:?}: {text}");
        let mutation = mutated(&instance, &types, sampler.random());
        refused |= mutation.is_some_and(|mutation| read(&mutation.text).is_ok_and(|value| objects(&value)));
    }
    assert!(refused, "no mutation breaks {rules:?}");
}
