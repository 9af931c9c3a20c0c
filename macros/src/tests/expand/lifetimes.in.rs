struct Excerpt<'a> {
    text: &'a str,
    parts: Vec<Excerpt<'a>>,
    owner: Option<Box<Self>>,
}
