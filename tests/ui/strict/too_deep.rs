//! Objects nested past the limit.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct L1 {
    next: L2,
}

#[derive(ResponseSchema)]
struct L2 {
    next: L3,
}

#[derive(ResponseSchema)]
struct L3 {
    next: L4,
}

#[derive(ResponseSchema)]
struct L4 {
    next: L5,
}

#[derive(ResponseSchema)]
struct L5 {
    next: L6,
}

#[derive(ResponseSchema)]
struct L6 {
    next: L7,
}

#[derive(ResponseSchema)]
struct L7 {
    next: L8,
}

#[derive(ResponseSchema)]
struct L8 {
    next: L9,
}

#[derive(ResponseSchema)]
struct L9 {
    next: L10,
}

#[derive(ResponseSchema)]
struct L10 {
    next: L11,
}

#[derive(ResponseSchema)]
struct L11 {
    text: String,
}

fn main() {}
