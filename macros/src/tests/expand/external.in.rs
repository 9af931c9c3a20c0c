#[serde(rename_all_fields = "camelCase")]
enum Step {
    Stop,
    /// Goes on.
    Go(Target),
    Pair(u8, u8),
    Turn {
        by_degrees: u16,
    },
    Wait,
}
