#[serde(rename_all = "kebab-case")]
enum Severity {
    Low,
    /// Nobody can work.
    #[serde(alias = "blocker")]
    #[response(aliases("stopper"))]
    FullStop,
    #[serde(skip)]
    Hidden,
}
