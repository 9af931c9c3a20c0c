struct Branch<T> {
    #[response(recursive)]
    parent: Option<Box<Root<T>>>,
    #[response(recursive = "Root<T>")]
    other: Vec<Root<T>>,
    leaf: T,
}
