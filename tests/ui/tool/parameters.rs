//! Parameters of tools: what the model writes is owned, state is shared.
use response_schema::tool;

struct Store;

#[tool]
async fn borrowed(word: &str, list: &[u8]) -> usize {
    word.len() + list.len()
}

#[tool]
async fn changing(store: &mut Store, word: String) -> usize {
    let _ = store;
    word.len()
}

#[tool]
async fn lifetime(store: &'static Store, word: String) -> usize {
    let _ = store;
    word.len()
}

#[tool]
async fn pattern((a, b): (u8, u8)) -> u8 {
    a + b
}

fn main() {
    // Arguments are held to the rules of every type, in the same words.
    #[tool]
    async fn rules(
        #[response(max_length = 3)] count: u32,
        #[response(desciption = "one")] word: String,
    ) -> String {
        format!("{count} {word}")
    }
}
