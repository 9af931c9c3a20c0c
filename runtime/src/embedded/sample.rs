//! Picks the next token from the model's scores.

use super::error::{ModelError, ModelErrorKind};
use super::tokenizer::Vocabulary;
use llguidance::toktrie::SimpleVob;
use toktrie::TokenId;

/// Greedy, or at random by the scores.
pub(super) struct Sampler {
    /// Zero is greedy.
    temperature: f32,
    random: fastrand::Rng,
}

impl Sampler {
    pub(super) fn new(temperature: f32, seed: u64) -> Self {
        Self {
            temperature,
            random: fastrand::Rng::with_seed(seed),
        }
    }

    /// The choice among the allowed tokens.
    pub(super) fn pick(
        &mut self,
        scores: &[f32],
        allowed: &SimpleVob,
    ) -> Result<TokenId, ModelError> {
        let mut best = None;
        allowed.iter_set_entries(|index| {
            if let Some(score) = scores.get(index)
                && best.is_none_or(|(_, top)| *score > top)
            {
                best = Some((index, *score));
            }
        });
        // Scores that are not numbers lose every comparison.
        let (mut choice, top) = best.filter(|(_, top)| top.is_finite()).ok_or_else(|| {
            ModelError::new(
                ModelErrorKind::Engine,
                "the model gave no usable score to any allowed token; the file may be damaged",
            )
        })?;
        if self.temperature > 0.0 {
            let weight = |score: f32| f64::from((score - top) / self.temperature).exp();
            let mut total = 0.0;
            let mut candidates = Vec::new();
            allowed.iter_set_entries(|index| {
                if let Some(weight) = scores.get(index).map(|score| weight(*score))
                    && weight > 1e-9
                {
                    total += weight;
                    candidates.push((index, total));
                }
            });
            let drawn = self.random.f64() * total;
            if let Some((index, _)) = candidates.iter().find(|(_, upto)| drawn < *upto) {
                choice = *index;
            }
        }
        TokenId::try_from(choice)
            .map_err(|cause| ModelError::new(ModelErrorKind::Engine, cause.to_string()))
    }
}

/// Every token that may stand in free text.
pub(super) fn free(vocabulary: &Vocabulary) -> SimpleVob {
    let mut allowed = SimpleVob::alloc_ones(vocabulary.size());
    for token in vocabulary.never_said() {
        allowed.disallow_token(token);
    }
    allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(bits: &[bool]) -> SimpleVob {
        SimpleVob::from_slice(bits)
    }

    #[test]
    fn greedy_takes_the_best_allowed_token() {
        let mut sampler = Sampler::new(0.0, 0);
        let choice = sampler
            .pick(&[9.0, 1.0, 2.0], &mask(&[false, true, true]))
            .expect("picks");
        assert_eq!(choice, 2);
    }

    #[test]
    fn a_seed_repeats_its_draws_and_respects_the_mask() {
        let draw = || {
            let mut sampler = Sampler::new(2.0, 11);
            (0..50)
                .map(|_| sampler.pick(&[1.0, 9.0, 1.5, 0.5], &mask(&[true, false, true, true])))
                .collect::<Result<Vec<_>, _>>()
                .expect("picks")
        };
        let drawn = draw();
        assert_eq!(drawn, draw());
        assert!(!drawn.contains(&1) && drawn.contains(&0) && drawn.contains(&2));
    }

    #[test]
    fn no_usable_score_is_an_error() {
        let mut sampler = Sampler::new(0.0, 0);
        assert!(sampler.pick(&[f32::NAN], &mask(&[true])).is_err());
        assert!(sampler.pick(&[1.0], &mask(&[false])).is_err());
    }
}
