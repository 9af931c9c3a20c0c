//! What the generated check finds in a value, and under which path.
#![allow(missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use response_schema::{CheckContext, Path, ResponseSchema, Violations};

/// What is wrong with a value, each as a line.
fn faults<T: ResponseSchema>(value: &T) -> Vec<String> {
    faults_in(value, CheckContext::new())
}

fn faults_in<T: ResponseSchema>(value: &T, context: CheckContext) -> Vec<String> {
    let mut found = Violations::with_context(context);
    value.check(Path::ROOT, &mut found);
    found.iter().map(ToString::to_string).collect()
}

#[derive(ResponseSchema)]
struct Percent(#[response(max = 100)] u8);

#[derive(ResponseSchema)]
#[serde(rename_all = "camelCase")]
struct Rated {
    #[response(min = 10)]
    first_rating: Percent,
    all_ratings: Vec<Option<Percent>>,
}

const BAD: Rated = Rated { first_rating: Percent(1), all_ratings: Vec::new() };

#[test]
fn rules_of_a_newtype_and_of_its_place_both_hold() {
    let rated = Rated { first_rating: Percent(5), all_ratings: vec![Some(Percent(1)), None, Some(Percent(101))] };
    assert_eq!(
        faults(&rated),
        ["`firstRating`: expected at least 10, found 5", "`allRatings[2]`: expected at most 100, found 101"]
    );
}

#[test]
fn elements_of_a_tuple_struct_have_their_places() {
    #[derive(ResponseSchema)]
    struct Triple(Percent, Percent, #[response(validate = even)] Percent);
    fn even(percent: &Percent) -> Result<(), &'static str> {
        if percent.0.is_multiple_of(2) { Ok(()) } else { Err("an even number") }
    }
    assert_eq!(
        faults(&Triple(Percent(1), Percent(101), Percent(3))),
        ["`[1]`: expected at most 100, found 101", "`[2]`: expected an even number"]
    );
}

/// A list may hold an element twice, which no strict schema can refuse; a set then has fewer.
#[test]
fn a_set_counts_what_is_left() {
    #[derive(serde::Deserialize, ResponseSchema)]
    struct Tags {
        #[response(min_items = 2)]
        tags: BTreeSet<String>,
    }
    let tags = |text| serde_json::from_str::<Tags>(text).expect("a set");
    assert_eq!(faults(&tags(r#"{"tags":["a","a"]}"#)), ["`tags`: expected at least 2 different elements, found 1"]);
    assert!(faults(&tags(r#"{"tags":["a","a","b"]}"#)).is_empty());
    let schema = response_schema::json::<Tags>();
    assert!(schema.contains(r#""description":"No two elements may be equal.","minItems":2"#), "{schema}");
}

/// The nearest float to a large integer is another number.
#[test]
fn bounds_on_floats_are_exact() {
    #[derive(ResponseSchema)]
    struct Large {
        #[response(max = 9007199254740993)]
        at_most: f64,
        #[response(exclusive_max = 9007199254740993)]
        below: f64,
    }
    assert!(faults(&Large { at_most: 9_007_199_254_740_992.0, below: 9_007_199_254_740_992.0 }).is_empty());
    assert_eq!(faults(&Large { at_most: 9_007_199_254_740_994.0, below: 9_007_199_254_740_994.0 }).len(), 2);
}

#[test]
fn paths_follow_each_representation() {
    #[derive(ResponseSchema)]
    enum External {
        New(Rated),
        #[serde(rename = "st")]
        Struct {
            rated: Rated,
        },
        Pair(Percent, Percent),
    }
    #[derive(ResponseSchema)]
    #[serde(tag = "t")]
    enum Internal {
        New(Rated),
        Struct { rated: Rated },
    }
    #[derive(ResponseSchema)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        New(Rated),
        Struct { rated: Rated },
    }
    #[derive(ResponseSchema)]
    #[serde(untagged)]
    enum Untagged {
        New(Rated),
        Struct { rated: Rated },
    }
    #[derive(ResponseSchema)]
    struct Flat {
        #[serde(flatten)]
        rated: Rated,
        #[serde(skip)]
        _never: Option<Percent>,
    }
    let at = |path: &str| [format!("`{path}`: expected at least 10, found 1")];
    assert_eq!(faults(&External::New(BAD)), at("New.firstRating"));
    assert_eq!(faults(&External::Struct { rated: BAD }), at("st.rated.firstRating"));
    assert_eq!(
        faults(&External::Pair(Percent(1), Percent(102))),
        ["`Pair[1]`: expected at most 100, found 102".to_owned()]
    );
    assert_eq!(faults(&Internal::New(BAD)), at("firstRating"));
    assert_eq!(faults(&Internal::Struct { rated: BAD }), at("rated.firstRating"));
    assert_eq!(faults(&Adjacent::New(BAD)), at("c.firstRating"));
    assert_eq!(faults(&Adjacent::Struct { rated: BAD }), at("c.rated.firstRating"));
    assert_eq!(faults(&Untagged::New(BAD)), at("firstRating"));
    assert_eq!(faults(&Untagged::Struct { rated: BAD }), at("rated.firstRating"));
    assert_eq!(faults(&Flat { rated: BAD, _never: Some(Percent(200)) }), at("firstRating"));
}

#[test]
fn rules_on_newtype_variants_and_in_generic_types() {
    #[derive(ResponseSchema)]
    enum Step<T> {
        #[response(min_length = 3)]
        Say(String),
        #[response(validate = even)]
        Go(#[response(max = 4)] T),
    }
    fn even<T>(_: &T) -> Result<(), String> {
        Err("an even number".to_owned())
    }
    assert_eq!(faults(&Step::<u8>::Say("no".to_owned())), ["`Say`: expected at least 3 characters, found 2"]);
    assert_eq!(faults(&Step::Go(5_u8)), ["`Go`: expected at most 4, found 5", "`Go`: expected an even number"]);
}

#[derive(ResponseSchema)]
#[response(validate = ordered)]
struct Range {
    start: u32,
    end: u32,
}

fn ordered(range: &Range) -> Result<(), &'static str> {
    if range.start <= range.end { Ok(()) } else { Err("an end after the start") }
}

#[test]
fn rules_of_ones_own_see_the_value_and_the_context() {
    #[derive(ResponseSchema)]
    struct Order {
        #[response(validate_with = known)]
        code: String,
        ranges: Vec<Range>,
        #[response(schema_of = "String", validate = Opaque::check)]
        opaque: Opaque,
    }
    struct Opaque;
    impl Opaque {
        fn check(&self) -> Result<(), impl Display + use<>> {
            let Self = self;
            Err("something clear")
        }
    }
    // The error borrows from the context.
    fn known<'a>(code: &'a str, context: &'a CheckContext) -> Result<(), impl Display + 'a> {
        let known: &'a String = context.value().expect("the test gives one");
        if code == known { Ok(()) } else { Err(known) }
    }
    let order = Order { code: "b".to_owned(), ranges: vec![Range { start: 2, end: 1 }], opaque: Opaque };
    assert_eq!(
        faults_in(&order, CheckContext::new().with_value("a".to_owned())),
        ["`code`: expected a", "`ranges[0]`: expected an end after the start", "`opaque`: expected something clear"]
    );
}

#[test]
fn entries_are_checked_inside_and_as_a_list() {
    #[derive(ResponseSchema)]
    struct Report {
        #[serde(with = "response_schema::entries")]
        #[response(max_items = 1)]
        ranges: BTreeMap<String, Range>,
    }
    let ranges = [("a", Range { start: 1, end: 2 }), ("b", Range { start: 2, end: 1 })];
    let report = Report { ranges: ranges.into_iter().map(|(name, range)| (name.to_owned(), range)).collect() };
    assert_eq!(
        faults(&report),
        ["`ranges[1].value`: expected an end after the start", "`ranges`: expected at most 1 element, found 2"]
    );
}
