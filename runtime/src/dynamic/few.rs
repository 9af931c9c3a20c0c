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
        match self {
            Self::None => *self = Self::One(element),
            Self::More(list) => list.push(element),
            Self::One(_) => {
                if let Self::One(first) = std::mem::take(self) {
                    *self = Self::More(vec![first, element]);
                }
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
