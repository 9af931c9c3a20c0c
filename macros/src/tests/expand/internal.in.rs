#[serde(tag = "type", deny_unknown_fields)]
enum Step {
    Stop,
    Go(Target),
    Turn { degrees: u16, rest: Rest },
}
