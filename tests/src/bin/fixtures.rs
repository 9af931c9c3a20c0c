//! Prints every fixture that a dialect accepts as a line of JSON, for judges that are not written in Rust: its schema,
//! instances, and instances with one thing broken (with what is, and whether the schema only describes it).
#![allow(clippy::print_stdout, clippy::print_stderr)] // it is what the program is for

use response_schema::dialect::Dialect;
use response_schema::testing::Sampler;
use response_schema_tests::fixtures::all;
use response_schema_tests::judge::Validator;
use serde_json::json;

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some(dialect) = Dialect::ALL.iter().find(|dialect| dialect.name == name) else {
        let names: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.name).collect();
        eprintln!("fixtures for which dialect? One of: {}", names.join(", "));
        std::process::exit(2);
    };
    for fixture in all() {
        let Ok(schema) = (fixture.document)(dialect) else { continue };
        let validator = Validator::new(&schema).expect("a schema");
        let instances: Vec<String> = (0..12).map(|seed| (fixture.sample)(seed)).collect();
        let mut sampler = Sampler::new(1);
        let broken: Vec<_> = (0..12)
            .map(|_| (fixture.mutation)(&mut sampler))
            .filter(|mutation| !mutation.in_choice)
            .map(|mutation| {
                let described = validator.judge(&mutation.text).is_ok();
                json!({"text": mutation.text, "breaks": mutation.breaks.to_string(), "described": described})
            })
            .collect();
        println!("{}", json!({"name": fixture.name, "schema": schema, "instances": instances, "broken": broken}));
    }
}
