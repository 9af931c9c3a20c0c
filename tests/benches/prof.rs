use response_schema::embedded::Embedded;
fn main() {
    let model = Embedded::smollm2().unwrap();
    let mode = std::env::var("MODE").unwrap();
    if mode == "write" {
        let r = model.measure(&[("user", "Tell me a long story about a fox and a lighthouse.")], None, Some(400)).unwrap();
        println!("{:.1} tok/s", f64::from(r.completion_tokens) / r.writing.as_secs_f64());
    } else {
        let long = "The quick brown fox jumps over the lazy dog near the river bank. ".repeat(40);
        let r = model.measure(&[("user", &long)], None, Some(1)).unwrap();
        println!("{} tokens {:.1} tok/s", r.prompt_tokens, f64::from(r.prompt_tokens) / r.reading.as_secs_f64());
    }
}
