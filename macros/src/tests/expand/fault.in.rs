#[response(crate = "crate::rt")]
struct Broken<T: Clone>(T, #[serde(skip)] u8);
