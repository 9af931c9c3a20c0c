//! Several routes under names of the user's own, and the choice among them.

use std::fmt;

use super::fallback::Fallback;
use super::{DynAdapter, Need};
use crate::error::{Error, ErrorKind};
use crate::worker::Report;

/// Several routes under names of your own, in the order of preference.
///
/// Nothing happens unasked: [`select`](Self::select) chooses by what the routes can do, before any
/// request, and only a [`fallback`](Self::fallback) goes from one to the next.
///
/// ```
/// use response_schema::adapter::{Enforcement, Need, Router};
/// use response_schema::testing::{Offline, Scripted};
///
/// let routes = Router::new()
///     .route("fast", Scripted::new(["{}"]).guarantee(Enforcement::None))
///     .route("safe", Offline::seeded(7));
/// let chosen = routes.select(Need::enforced())?;
/// assert_eq!(chosen.name(), Some("safe"));
///
/// let none = routes.select(Need::enforced().streaming()).unwrap_err();
/// assert!(none.to_string().contains("safe  its replies do not come piece by piece"));
/// # Ok::<(), response_schema::adapter::NoRoute>(())
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Router {
    routes: Vec<DynAdapter>,
}

impl Router {
    /// No routes yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// And this route, under this name. A name that is given again takes the earlier route's place.
    pub fn route(mut self, name: impl Into<String>, route: impl Into<DynAdapter>) -> Self {
        let route = route.into().named(name);
        match self.routes.iter_mut().find(|known| known.name() == route.name()) {
            Some(known) => *known = route,
            None => self.routes.push(route),
        }
        self
    }

    /// The route of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&DynAdapter> {
        self.routes.iter().find(|route| route.name() == Some(name))
    }

    /// The routes, in order.
    pub fn routes(&self) -> impl Iterator<Item = &DynAdapter> {
        self.routes.iter()
    }

    /// The first route that does what is needed.
    ///
    /// # Errors
    ///
    /// Why each route will not do.
    #[allow(clippy::needless_pass_by_value)] // a need is made where it is asked for
    pub fn select(&self, need: Need) -> Result<DynAdapter, NoRoute> {
        let mut refused = Vec::new();
        for route in &self.routes {
            let reasons = need.unmet(&route.capabilities(), None, |format| route.guarantee(format));
            if reasons.is_empty() {
                return Ok(route.clone());
            }
            refused.push((route.name().unwrap_or_default().to_owned(), reasons));
        }
        Err(NoRoute { refused, unknown: None })
    }

    /// These routes as one: the next is asked when one cannot answer.
    ///
    /// A route is passed over when it cannot be reached, has no room, fails, refuses the credentials or
    /// the request, or cannot carry what is asked; why, stands in the report. A reply is a reply, also when
    /// it refuses, was withheld or was cut short. What a cancelled or blocked request brings is final, too.
    ///
    /// The chain promises what all of its routes promise.
    ///
    /// # Errors
    ///
    /// If a name is none of the routes', or there are no names.
    pub fn fallback<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Result<DynAdapter, NoRoute> {
        let routes = names
            .into_iter()
            .map(|name| {
                self.get(name)
                    .cloned()
                    .ok_or_else(|| NoRoute { refused: Vec::new(), unknown: Some((name.to_owned(), self.names())) })
            })
            .collect::<Result<Vec<_>, _>>()?;
        Fallback::chain(routes).ok_or(NoRoute { refused: Vec::new(), unknown: None })
    }

    fn names(&self) -> Vec<String> {
        self.routes.iter().filter_map(DynAdapter::name).map(str::to_owned).collect()
    }
}

/// No route does what is needed, and why each does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoRoute {
    refused: Vec<(String, Vec<String>)>,
    /// A name that is none, and the names that are.
    unknown: Option<(String, Vec<String>)>,
}

impl NoRoute {
    /// Each route's name, and the reasons why it will not do.
    pub fn refused(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.refused.iter().map(|(name, reasons)| (name.as_str(), reasons.as_slice()))
    }
}

impl fmt::Display for NoRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, known)) = &self.unknown {
            let known: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
            return write!(f, "there is no route `{name}`; there are {}", known.join(", "));
        }
        if self.refused.is_empty() {
            return f.write_str("there are no routes to choose from");
        }
        f.write_str("no route does what is needed")?;
        let width = self.refused.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, reasons) in &self.refused {
            for (i, reason) in reasons.iter().enumerate() {
                write!(f, "\n  {:width$}  {reason}", if i == 0 { name } else { "" })?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for NoRoute {}

impl From<NoRoute> for Error {
    fn from(refusal: NoRoute) -> Self {
        Self::new(ErrorKind::NoRoute, refusal.to_string(), Report::unsent())
    }
}
