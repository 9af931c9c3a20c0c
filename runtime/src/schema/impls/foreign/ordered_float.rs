//! ordered-float: floats; JSON has no NaN.

use ordered_float::{FloatCore, NotNan, OrderedFloat};

use crate::schema::impls::wrapper::transparent;

transparent! {
    [] OrderedFloat<T>: this => this.0,
    [FloatCore] NotNan<T>: this => AsRef::<T>::as_ref(this),
}
