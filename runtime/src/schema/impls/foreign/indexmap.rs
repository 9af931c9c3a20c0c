//! indexmap: sets; for maps there is [`entries`](crate::entries).

use indexmap::IndexSet;

use crate::schema::impls::list::lists;

lists! {
    "IndexSet" IndexSet<T, S> set,
}
