#[response(crate = "crate::rt")]
struct Broken<T: Clone>(T, u8);
