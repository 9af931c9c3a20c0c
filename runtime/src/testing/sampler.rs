//! The public face of sampling.

use serde::Serialize;

use super::instance::Instance;
use super::mutate::{Mutation, broken};
use super::random::Random;
use super::sample::{VALUE, instance};
use super::types::Types;
use crate::schema::ResponseSchema;
use crate::schema::shape::is_plain_object;

/// A random reply that satisfies the type's schema, as JSON text; the same for the same seed.
///
/// The text is what a provider would send: with the `{"value": …}` around a root that is
/// no object, and with keys in the order of the schema.
///
/// ```
/// let text = response_schema::testing::sample::<[bool; 2]>(1);
/// assert_eq!(text, response_schema::testing::sample::<[bool; 2]>(1));
/// ```
///
/// # Panics
///
/// If the type has no instance: its rules contradict each other in a way that is not seen at compile
/// time, a pattern is none that the sampler can read, or each value would contain another one.
#[must_use]
#[track_caller]
pub fn sample<T: ResponseSchema + ?Sized>(seed: u64) -> String {
    Sampler::new(seed).sample::<T>()
}

/// The text of a reply that holds this value: as serde writes it, with the `{"value": …}` around a
/// root that is no object.
///
/// ```
/// # use response_schema::testing::reply;
/// assert_eq!(reply(&[true])?, r#"{"value":[true]}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn reply<T: ResponseSchema + Serialize + ?Sized>(value: &T) -> serde_json::Result<String> {
    let text = serde_json::to_string(value)?;
    Ok(if is_plain_object(T::SCHEMA) { text } else { format!("{{\"{VALUE}\":{text}}}") })
}

/// Random instances of schemas, one after the other; the same for the same seed.
#[derive(Debug, Clone)]
pub struct Sampler {
    random: Random,
    size: usize,
}

impl Sampler {
    /// A sampler that starts from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), size: 40 }
    }

    /// How many values an instance has, about; past that, lists and recursive types end as soon as
    /// they can.
    #[must_use]
    pub const fn size(mut self, size: usize) -> Self {
        self.size = size;
        self
    }

    /// The next instance, as JSON text.
    ///
    /// # Panics
    ///
    /// As [`sample`] does.
    #[must_use]
    #[track_caller]
    pub fn sample<T: ResponseSchema + ?Sized>(&mut self) -> String {
        self.instance(T::SCHEMA, &Types::below(T::SCHEMA)).to_string()
    }

    /// The next instance, with one thing broken.
    ///
    /// # Panics
    ///
    /// As [`sample`] does.
    #[must_use]
    #[track_caller]
    pub fn mutation<T: ResponseSchema + ?Sized>(&mut self) -> Mutation {
        let types = Types::below(T::SCHEMA);
        loop {
            // A part may have nothing to break, but the root can always be of another kind.
            let instance = self.instance(T::SCHEMA, &types);
            if let Some(mutation) = broken(&instance, &types, &mut self.random) {
                return mutation;
            }
        }
    }

    #[track_caller]
    pub(super) fn instance(&mut self, root: crate::SchemaRef, types: &Types) -> Instance {
        match instance(root, types, self.size, &mut self.random) {
            Ok(instance) => instance,
            Err(unsampled) => panic!("`{}` has no instance: {}", root.get().name, unsampled.why),
        }
    }

    pub(super) const fn random(&mut self) -> &mut Random {
        &mut self.random
    }
}
