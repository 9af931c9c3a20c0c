//! Attention over the cached keys and values.
//!
//! Two ways to the same numbers. Several tokens at once are two matrix products. One token is
//! a handful of short dot products, written out here: candle's product asks the
//! operating system for the number of processors each time, by reading a file whose length
//! grows with their number, and for a single token that costs more than the product.

use candle_core::{Device, Result, Storage, Tensor};
use candle_nn::ops::softmax_last_dim;

/// Lanes of a dot product that the compiler keeps apart, so that it may use wide registers.
const LANES: usize = 8;

/// Keys and values of one block, `(kv_heads, context, width)` each.
pub(super) struct Cache {
    keys: Tensor,
    values: Tensor,
}

impl Cache {
    pub(super) fn new(kv_heads: usize, context: usize, width: usize) -> Result<Self> {
        // Zeroed pages cost no memory before they are written.
        let room = || Tensor::zeros((kv_heads, context, width), candle_core::DType::F32, &Device::Cpu);
        Ok(Self { keys: room()?, values: room()? })
    }

    /// Puts the keys and values of the next tokens, `(kv_heads, count, width)`, after `seen`.
    pub(super) fn put(&self, keys: &Tensor, values: &Tensor, seen: usize) -> Result<()> {
        self.keys.slice_set(keys, 1, seen)?;
        self.values.slice_set(values, 1, seen)
    }

    /// What queries `(heads, count, width)` see in the first `length` tokens, as
    /// `(count, heads * width)`. `mask` is added to the scores, `(count, length)`.
    pub(super) fn attend(&self, query: &Tensor, length: usize, mask: Option<&Tensor>) -> Result<Tensor> {
        let (heads, count, width) = query.dims3()?;
        let seen = match mask {
            Some(mask) => self.attend_many(query, length, mask)?,
            None => Tensor::from_vec(self.attend_one(query, length)?, (heads, count, width), &Device::Cpu)?,
        };
        seen.transpose(0, 1)?.reshape((count, heads * width))
    }

    /// Heads that share keys are laid under one another instead of repeating the keys, so the
    /// cache is read once.
    fn attend_many(&self, query: &Tensor, length: usize, mask: &Tensor) -> Result<Tensor> {
        let (heads, count, width) = query.dims3()?;
        let kv_heads = self.keys.dim(0)?;
        let keys = self.keys.narrow(1, 0, length)?;
        let values = self.values.narrow(1, 0, length)?;
        let grouped = (kv_heads, heads / kv_heads * count);
        let query = query.reshape((grouped.0, grouped.1, width))?;
        let scores = (query.matmul(&keys.t()?)? * f64::from(scale(width)))?;
        let scores = scores.reshape((heads, count, length))?.broadcast_add(mask)?;
        let weights = softmax_last_dim(&scores)?.reshape((grouped.0, grouped.1, length))?;
        weights.matmul(&values)?.reshape((heads, count, width))
    }

    fn attend_one(&self, query: &Tensor, length: usize) -> Result<Vec<f32>> {
        let (heads, _, width) = query.dims3()?;
        let (kv_heads, context, _) = self.keys.dims3()?;
        let query = query.flatten_all()?.to_vec1::<f32>()?;
        let (keys, _) = self.keys.storage_and_layout();
        let (values, _) = self.values.storage_and_layout();
        let (Storage::Cpu(keys), Storage::Cpu(values)) = (&*keys, &*values) else {
            candle_core::bail!("the cache is not in main memory");
        };
        let (keys, values) = (keys.as_slice::<f32>()?, values.as_slice::<f32>()?);
        let mut seen = vec![0.0; heads * width];
        let mut weights = vec![0.0; length];
        for (head, (query, seen)) in query.chunks_exact(width).zip(seen.chunks_exact_mut(width)).enumerate() {
            let from = head / (heads / kv_heads) * context * width;
            let part = from..from + length * width;
            for (weight, key) in weights.iter_mut().zip(keys[part.clone()].chunks_exact(width)) {
                *weight = dot(query, key) * scale(width);
            }
            softmax(&mut weights);
            for (weight, value) in weights.iter().zip(values[part].chunks_exact(width)) {
                for (sum, value) in seen.iter_mut().zip(value) {
                    *sum += weight * value;
                }
            }
        }
        Ok(seen)
    }
}

#[allow(clippy::cast_precision_loss, reason = "a head is some dozens wide")]
fn scale(width: usize) -> f32 {
    (width as f32).sqrt().recip()
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    let (left, left_rest) = left.as_chunks::<LANES>();
    let (right, right_rest) = right.as_chunks::<LANES>();
    for (left, right) in left.iter().zip(right) {
        for lane in 0..LANES {
            sums[lane] += left[lane] * right[lane];
        }
    }
    let rest: f32 = left_rest.iter().zip(right_rest).map(|(left, right)| left * right).sum();
    sums.iter().sum::<f32>() + rest
}

fn softmax(scores: &mut [f32]) {
    let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut total = 0.0;
    for score in &mut *scores {
        *score = (*score - top).exp();
        total += *score;
    }
    for score in scores {
        *score /= total;
    }
}

/// Minus infinity where a token would look at a later one.
pub(super) fn causal_mask(seen: usize, count: usize) -> Result<Tensor> {
    let length = seen + count;
    let hidden = |row: usize, column: usize| {
        if column > seen + row { f32::NEG_INFINITY } else { 0.0 }
    };
    let cells: Vec<f32> = (0..count).flat_map(|row| (0..length).map(move |column| hidden(row, column))).collect();
    Tensor::from_vec(cells, (count, length), &Device::Cpu)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_by_one_is_the_same_as_all_at_once() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut tensor = |heads: usize| {
            let values = (0..heads * 7 * 12).map(|_| random.f32() - 0.5).collect();
            Tensor::from_vec(values, (heads, 7, 12), &Device::Cpu).expect("shape")
        };
        let (query, keys, values) = (tensor(4), tensor(2), tensor(2));
        let cache = Cache::new(2, 16, 12).expect("cache");
        cache.put(&keys, &values, 0).expect("puts");
        let mask = causal_mask(0, 7).expect("mask");
        let together = cache.attend(&query, 7, Some(&mask)).expect("attends");
        for place in 0..7 {
            let alone = query.narrow(1, place, 1).expect("part").contiguous().expect("copy");
            let alone = cache.attend(&alone, place + 1, None).expect("attends");
            let expected = together.narrow(0, place, 1).expect("part");
            let apart = (alone - expected).and_then(|by| by.abs()?.max_all()?.to_scalar::<f32>());
            assert!(apart.expect("number") < 1e-5, "token {place}");
        }
    }
}
