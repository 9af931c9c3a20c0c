/// From 0 to 100.
#[response(for = "openai")]
struct Percent(#[response(max = 100)] u8);
