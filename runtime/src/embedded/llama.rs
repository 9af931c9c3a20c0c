//! The llama forward pass over quantized weights.
//!
//! candle's own `quantized_llama` is close to what is needed, but it copies the whole key-value
//! cache for each token, keeps a mask for each length it has met, holds a second, dequantized
//! copy of the embedding, and cannot step back to a shared prefix. This one keeps a fixed cache
//! that is written in place ([`Llama::keep`] steps back for free), looks embeddings up in the
//! quantized table, and repeats no heads. candle-nn's fused attention is no option: it insists
//! on candle's process-wide thread pool (see [`threads`](super::threads)).

use candle_core::quantized::{QMatMul, QTensor};
use candle_core::{Device, Module as _, Result, Tensor};
use candle_nn::ops::rms_norm;
use candle_nn::rotary_emb::rope_i;

use super::attention::{Cache, causal_mask};
use super::error::ModelError;
use super::gguf::Gguf;
use super::requantize::fast;

/// Tokens in one pass from which on unpacking a matrix pays.
const UNPACK_FROM: usize = 24;

/// The model's dimensions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    blocks: usize,
    width: usize,
    hidden: usize,
    heads: usize,
    kv_heads: usize,
    head_width: usize,
    epsilon: f32,
    /// Tokens the model was trained to look back on.
    pub(super) trained_context: usize,
}

struct Block {
    attention_norm: Tensor,
    query: QMatMul,
    key: QMatMul,
    value: QMatMul,
    output: QMatMul,
    feed_norm: Tensor,
    gate: QMatMul,
    up: QMatMul,
    down: QMatMul,
    /// Of the tokens seen so far.
    cache: Cache,
}

/// Weights and cache of one model.
pub(super) struct Llama {
    shape: Shape,
    embedding: QMatMul,
    blocks: Vec<Block>,
    norm: Tensor,
    logits: QMatMul,
    cosines: Tensor,
    sines: Tensor,
    context: usize,
    seen: usize,
}

impl Shape {
    pub(super) fn read(gguf: &Gguf) -> std::result::Result<Self, ModelError> {
        let architecture = gguf.text("general.architecture").unwrap_or("(unnamed)");
        let refuse = |what: String| {
            Err(ModelError::unsupported(format!(
                "model file `{}`: {what}; use a dense llama-family model (Llama, Mistral, SmolLM2, \
                 …), or a local server for other kinds",
                gguf.path().display()
            )))
        };
        if architecture != "llama" {
            return refuse(format!("architecture `{architecture}` is not supported"));
        }
        if gguf.number("llama.expert_count").is_some_and(|experts| experts > 1) {
            return refuse("mixtures of experts are not supported".to_owned());
        }
        if gguf.has_tensor("blk.0.attn_q.bias") {
            return refuse("attention with biases is not supported".to_owned());
        }
        if let Some(scaling) = gguf.text("llama.rope.scaling.type")
            && !matches!(scaling, "none" | "linear")
        {
            return refuse(format!("rope scaling `{scaling}` is not supported"));
        }
        let heads = gguf.required("llama.attention.head_count")?;
        let width = gguf.required("llama.embedding_length")?;
        let shape = Self {
            blocks: gguf.required("llama.block_count")?,
            width,
            hidden: gguf.required("llama.feed_forward_length")?,
            heads,
            kv_heads: gguf.number("llama.attention.head_count_kv").unwrap_or(heads),
            head_width: gguf.number("llama.attention.key_length").unwrap_or(width / heads),
            epsilon: gguf.float("llama.attention.layer_norm_rms_epsilon").unwrap_or(1e-5),
            trained_context: gguf.required("llama.context_length")?,
        };
        let rotated = gguf.number("llama.rope.dimension_count").unwrap_or(shape.head_width);
        if shape.head_width == 0 {
            return refuse(format!("{heads} heads in a width of {width} are not supported"));
        }
        if rotated != shape.head_width || !shape.head_width.is_multiple_of(2) {
            return refuse("partly rotated heads are not supported".to_owned());
        }
        if shape.kv_heads == 0 || !heads.is_multiple_of(shape.kv_heads) {
            return refuse(format!("{heads} heads over {} are not supported", shape.kv_heads));
        }
        Ok(shape)
    }
}

impl Llama {
    /// Loads the weights of a model with `tokens` tokens, with room for a `context` of them.
    pub(super) fn load(
        gguf: &mut Gguf,
        shape: Shape,
        tokens: usize,
        context: usize,
    ) -> std::result::Result<Self, ModelError> {
        let (cosines, sines) = rotations(gguf, &shape, context)?;
        let embedding = weights(gguf, "token_embd.weight", tokens, shape.width)?;
        // Small models use one table for both ends; the clone shares it.
        let logits = if gguf.has_tensor("output.weight") {
            weights(gguf, "output.weight", tokens, shape.width)?
        } else {
            embedding.clone()
        };
        let blocks = (0..shape.blocks)
            .map(|index| Block::load(gguf, &shape, index, context))
            .collect::<std::result::Result<_, _>>()?;
        let norm = vector(gguf, "output_norm.weight", shape.width)?;
        Ok(Self { shape, embedding, blocks, norm, logits, cosines, sines, context, seen: 0 })
    }

    /// How many tokens fit.
    pub(super) fn context(&self) -> usize {
        self.context
    }

    /// Forgets all but the first `count` tokens.
    pub(super) fn keep(&mut self, count: usize) {
        self.seen = self.seen.min(count);
    }

    /// Takes the next tokens in and answers the scores of the token after them; `None`, and
    /// nothing taken in, once `stop` says so.
    ///
    /// The caller keeps the sum of all tokens within [`context`](Self::context).
    pub(super) fn advance(&mut self, tokens: &[u32], stop: impl Fn() -> bool) -> Result<Option<Vec<f32>>> {
        let count = tokens.len();
        if count == 0 || self.seen + count > self.context {
            candle_core::bail!("{count} tokens after {} of {}", self.seen, self.context);
        }
        let place = Place {
            seen: self.seen,
            count,
            cosines: self.cosines.narrow(0, self.seen, count)?,
            sines: self.sines.narrow(0, self.seen, count)?,
            mask: if count > 1 { Some(causal_mask(self.seen, count)?) } else { None },
        };
        let mut state = self.embedding.embedding(&Tensor::new(tokens, &Device::Cpu)?)?;
        for block in &self.blocks {
            if stop() {
                return Ok(None);
            }
            state = block.forward(&state, &self.shape, &place)?;
        }
        self.seen += count;
        let last = state.narrow(0, count - 1, 1)?.contiguous()?;
        let last = rms_norm(&last, &self.norm, self.shape.epsilon)?;
        self.logits.forward(&last)?.flatten_all()?.to_vec1().map(Some)
    }
}

impl Block {
    fn load(gguf: &mut Gguf, shape: &Shape, index: usize, context: usize) -> std::result::Result<Self, ModelError> {
        let Shape { width, hidden, heads, kv_heads, head_width, .. } = *shape;
        let (all, shared) = (heads * head_width, kv_heads * head_width);
        let mut matrix =
            |name: &str, rows, columns| weights(gguf, &format!("blk.{index}.{name}.weight"), rows, columns);
        let query = matrix("attn_q", all, width)?;
        let key = matrix("attn_k", shared, width)?;
        let value = matrix("attn_v", shared, width)?;
        let output = matrix("attn_output", width, all)?;
        let gate = matrix("ffn_gate", hidden, width)?;
        let up = matrix("ffn_up", hidden, width)?;
        let down = matrix("ffn_down", width, hidden)?;
        Ok(Self {
            attention_norm: vector(gguf, &format!("blk.{index}.attn_norm.weight"), width)?,
            feed_norm: vector(gguf, &format!("blk.{index}.ffn_norm.weight"), width)?,
            query,
            key,
            value,
            output,
            gate,
            up,
            down,
            cache: Cache::new(kv_heads, context, head_width)?,
        })
    }

    /// `state` is `(tokens, width)`.
    fn forward(&self, state: &Tensor, shape: &Shape, place: &Place) -> Result<Tensor> {
        let normed = rms_norm(state, &self.attention_norm, shape.epsilon)?;
        let query = place.rotate(&product(&self.query, &normed)?, shape.heads)?;
        let key = place.rotate(&product(&self.key, &normed)?, shape.kv_heads)?;
        let value = place.by_head(&product(&self.value, &normed)?, shape.kv_heads)?;
        self.cache.put(&key, &value, place.seen)?;
        let attended = self.cache.attend(&query, place.seen + place.count, place.mask.as_ref())?;
        let state = (product(&self.output, &attended)? + state)?;

        let normed = rms_norm(&state, &self.feed_norm, shape.epsilon)?;
        let opened = (product(&self.gate, &normed)?.silu()? * product(&self.up, &normed)?)?;
        product(&self.down, &opened)? + state
    }
}

/// Where the tokens of one step stand.
struct Place {
    seen: usize,
    count: usize,
    cosines: Tensor,
    sines: Tensor,
    /// For several tokens, `(count, seen + count)`.
    mask: Option<Tensor>,
}

impl Place {
    /// `(count, heads * width)` to `(heads, count, width)`.
    fn by_head(&self, flat: &Tensor, heads: usize) -> Result<Tensor> {
        flat.reshape((self.count, heads, ()))?.transpose(0, 1)?.contiguous()
    }

    fn rotate(&self, flat: &Tensor, heads: usize) -> Result<Tensor> {
        let batch = self.by_head(flat, heads)?.unsqueeze(0)?;
        rope_i(&batch, &self.cosines, &self.sines)?.squeeze(0)
    }
}

/// The product with a weight matrix.
///
/// candle's quantized product works through the tokens one after another; for a whole prompt it is
/// faster to unpack the matrix and multiply floats, and more exact too. The unpacked matrix
/// lives only as long as the product.
fn product(weights: &QMatMul, state: &Tensor) -> Result<Tensor> {
    match weights {
        QMatMul::QTensor(packed) if state.dim(0)? >= UNPACK_FROM => {
            state.matmul(&packed.dequantize(&Device::Cpu)?.t()?)
        }
        other => other.forward(state),
    }
}

fn weights(gguf: &mut Gguf, name: &str, rows: usize, columns: usize) -> std::result::Result<QMatMul, ModelError> {
    Ok(QMatMul::from_qtensor(fast(shaped(gguf, name, &[rows, columns])?)?)?)
}

fn vector(gguf: &mut Gguf, name: &str, length: usize) -> std::result::Result<Tensor, ModelError> {
    Ok(shaped(gguf, name, &[length])?.dequantize(&Device::Cpu)?)
}

/// A tensor that must have these dimensions; a damaged header is found here, not midway.
fn shaped(gguf: &mut Gguf, name: &str, dimensions: &[usize]) -> std::result::Result<QTensor, ModelError> {
    let tensor = gguf.tensor(name)?;
    let found = tensor.shape().dims();
    if found == dimensions {
        return Ok(tensor);
    }
    let what = format!("tensor `{name}` is {found:?} where the header means {dimensions:?}");
    Err(ModelError::file(gguf.path(), what))
}

/// Cosines and sines of the rotary embedding, `(context, head_width / 2)` each.
fn rotations(gguf: &mut Gguf, shape: &Shape, context: usize) -> std::result::Result<(Tensor, Tensor), ModelError> {
    let base = gguf.float("llama.rope.freq_base").unwrap_or(10_000.0);
    let stretch = match gguf.text("llama.rope.scaling.type") {
        Some("linear") => gguf.float("llama.rope.scaling.factor").unwrap_or(1.0),
        _ => 1.0,
    };
    let half = shape.head_width / 2;
    // Llama 3.1 and later stretch each frequency by a factor of its own.
    let factors = if gguf.has_tensor("rope_freqs.weight") {
        Some(vector(gguf, "rope_freqs.weight", half)?.to_vec1::<f32>()?)
    } else {
        None
    };
    #[allow(clippy::cast_precision_loss, reason = "both are small")]
    let angles: Vec<f32> = (0..context)
        .flat_map(|position| (0..half).map(move |index| (position as f32, index)))
        .map(|(position, index)| {
            let factor = factors.as_ref().and_then(|all| all.get(index)).copied().unwrap_or(1.0);
            let turn = base.powf(-(2.0 * index as f32) / shape.head_width as f32);
            position / stretch * turn / factor
        })
        .collect();
    let angles = Tensor::from_vec(angles, (context, half), &Device::Cpu)?;
    Ok((angles.cos()?, angles.sin()?))
}
