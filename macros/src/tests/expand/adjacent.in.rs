#[serde(tag = "t", content = "c")]
enum Step {
    Stop,
    #[response(max_items = 3)]
    Go(Vec<Target>),
    Turn { degrees: u16 },
}
