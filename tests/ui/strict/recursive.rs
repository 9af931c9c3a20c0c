//! Types that contain themselves, where the provider does not take them.
use response_schema::ResponseSchema;
use response_schema::dialect::Anthropic;

#[derive(ResponseSchema)]
#[response(for = "anthropic")]
struct Comment {
    text: String,
    replies: Vec<Comment>,
}

#[derive(ResponseSchema)]
#[response(for = "gemini")]
enum Expression {
    Number(f64),
    Sum { terms: Vec<Expression> },
}

#[derive(ResponseSchema)]
struct Page<T> {
    items: Vec<T>,
}

#[derive(ResponseSchema)]
struct Folder {
    name: String,
    parent: Option<Box<Folder>>,
}

const _: () = response_schema::verify::<Page<Folder>, Anthropic>();

fn main() {}
