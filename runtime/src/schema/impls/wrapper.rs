//! Types that stand for the value inside them.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::num::{Saturating, Wrapping};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::refuse::{Lends, Strict};
use crate::check::{Checks, Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Arg, Kind, Schema};

impl<T: ResponseSchema> ResponseSchema for Option<T> {
    const SCHEMA: SchemaRef =
        SchemaRef::new(&Schema::plain("Option", Kind::Nullable(T::SCHEMA)).of(&[Arg::Type(T::SCHEMA)]));

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        if let Some(value) = self {
            value.check(at, found);
        }
    }

    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        if let Some(value) = self {
            value.check_rules(checks, at, found);
        }
    }
}

impl<T: ResponseSchema + ?Sized> ResponseSchema for &T
where
    Strict: Lends<T>,
{
    const SCHEMA: SchemaRef = T::SCHEMA;

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        (**self).check(at, found);
    }

    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        (**self).check_rules(checks, at, found);
    }
}

/// Implements `ResponseSchema` for types that serde writes as what they hold: each with how to
/// reach that.
macro_rules! transparent {
    ($([$($bounds:tt)*] $type:ty: $this:ident => $inner:expr,)*) => {$(
        impl<T: $crate::schema::ResponseSchema + $($bounds)*> $crate::schema::ResponseSchema for $type {
            const SCHEMA: $crate::schema::SchemaRef = T::SCHEMA;

            fn check(&self, at: $crate::check::Path<'_>, found: &mut $crate::check::Violations) {
                let $this = self;
                $inner.check(at, found);
            }

            fn check_rules(
                &self,
                checks: $crate::check::Checks,
                at: $crate::check::Path<'_>,
                found: &mut $crate::check::Violations,
            ) {
                let $this = self;
                $inner.check_rules(checks, at, found);
            }
        }
    )*};
}

#[cfg(feature = "ordered-float")]
pub(crate) use transparent;

transparent! {
    [?Sized] Box<T>: this => (**this),
    [?Sized] Rc<T>: this => (**this),
    [?Sized] Arc<T>: this => (**this),
    [] Wrapping<T>: this => this.0,
    [] Saturating<T>: this => this.0,
    [] Reverse<T>: this => this.0,
    [Copy] Cell<T>: this => this.get(),
    [] RefCell<T>: this => this.borrow(),
    [] Mutex<T>: this => this.lock().unwrap_or_else(PoisonError::into_inner),
    [] RwLock<T>: this => this.read().unwrap_or_else(PoisonError::into_inner),
}
