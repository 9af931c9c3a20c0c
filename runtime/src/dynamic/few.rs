//! Lists that mostly have one element.

use std::ops::Deref;

/// A list whose first element needs no memory of its own.
#[derive(Debug, Default)]
pub(super) enum Few<T> {
    #[default]
    None,
    One(T),
    More(Vec<T>),
}

impl<T> Few<T> {
    pub(super) fn push(&mut self, element: T) {
        *self = match std::mem::take(self) {
            Self::None => Self::One(element),
            Self::One(first) => Self::More(vec![first, element]),
            Self::More(mut list) => {
                list.push(element);
                Self::More(list)
            }
        }
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::None => &[],
            Self::One(one) => std::slice::from_ref(one),
            Self::More(list) => list,
        }
    }
}
