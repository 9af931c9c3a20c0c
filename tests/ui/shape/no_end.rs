//! Types whose every value holds another one.
use response_schema::ResponseSchema;
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
struct Person {
    name: String,
    manager: Box<Person>,
}

#[derive(Deserialize, ResponseSchema)]
struct Question {
    text: String,
    answer: Box<Answer>,
}

#[derive(Deserialize, ResponseSchema)]
struct Answer {
    #[response(min_items = 1)]
    follow_ups: Vec<Question>,
}

#[derive(Deserialize, ResponseSchema)]
enum Expression {
    Not(Box<Expression>),
    And { left: Box<Expression>, right: Box<Expression> },
}

#[derive(Deserialize, ResponseSchema)]
struct Chain<T> {
    value: T,
    next: Box<Chain<T>>,
}

#[derive(Deserialize, ResponseSchema)]
struct Report {
    steps: Chain<String>,
}

#[derive(Deserialize, ResponseSchema)]
struct Handle(Box<Handle>);

fn main() {}
