//! Functions that are no tools.
use response_schema::tool;

/// Not async.
#[tool]
fn plain(word: String) -> String {
    word
}

/// Generic.
#[tool]
async fn generic<T: ToString>(word: T) -> String {
    word.to_string()
}

struct Service;

impl Service {
    #[tool]
    async fn method(&self, word: String) -> String {
        word
    }
}

/// A word that the attribute does not know.
#[tool(title = "Find")]
async fn find(word: String) -> String {
    word
}

#[tool]
struct NoFunction;

fn main() {}
