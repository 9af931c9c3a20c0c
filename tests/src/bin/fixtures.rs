//! Prints every fixture as a line of JSON, for judges that are not written in Rust: its schema,
//! instances, and instances with one thing broken (with what is).
#![allow(clippy::print_stdout)] // it is what the program is for

use response_schema::testing::Sampler;
use response_schema_tests::fixtures::all;
use serde_json::json;

fn main() {
    for fixture in all() {
        let instances: Vec<String> = (0..12).map(|seed| (fixture.sample)(seed)).collect();
        let mut sampler = Sampler::new(1);
        let broken: Vec<_> = (0..12)
            .map(|_| (fixture.mutation)(&mut sampler))
            .filter(|mutation| !mutation.in_choice)
            .map(|mutation| json!({"text": mutation.text, "breaks": mutation.breaks.to_string()}))
            .collect();
        println!(
            "{}",
            json!({"name": fixture.name, "schema": fixture.strict, "instances": instances, "broken": broken})
        );
    }
}
