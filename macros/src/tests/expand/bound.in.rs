#[response(bound = "T: Model")]
struct Page<T> {
    items: Vec<Row<T>>,
    total: usize,
}
