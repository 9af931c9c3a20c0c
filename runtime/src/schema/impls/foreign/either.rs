//! either: one of two, named by side.

use either::Either;

use crate::schema::impls::choice::choices;

choices! {
    Either { Left "\"Left\":", Right "\"Right\":" }
}
