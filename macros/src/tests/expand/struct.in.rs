/// A support ticket
/// taken from a "report".
struct Ticket {
    /// One sentence.
    summary: String,
    r#type: Option<Kind>,
    labels: Vec<Label>,
}
