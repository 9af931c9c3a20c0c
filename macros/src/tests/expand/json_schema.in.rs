#[response(json_schema)]
struct Page<T> {
    items: Vec<T>,
}
