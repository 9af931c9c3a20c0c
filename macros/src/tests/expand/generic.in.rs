struct Tree<'a, T: Clone, M, I: Iterator, const N: usize>
where
    I::Item: Clone,
{
    value: &'a T,
    pair: [I::Item; N],
    marker: PhantomData<M>,
    children: Vec<Tree<'a, T, M, I, N>>,
}
