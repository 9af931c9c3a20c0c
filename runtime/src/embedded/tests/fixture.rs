//! A llama of a few hundred kilobytes with random weights: it talks nonsense, but through every part.

use std::path::{Path, PathBuf};

use candle_core::quantized::gguf_file::{self, Value};
use candle_core::quantized::{GgmlDType, QTensor};
use candle_core::{Device, Tensor};
use tempfile::TempDir;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;

use crate::embedded::{Embedded, EmbeddedBuilder};

pub(super) const TEMPLATE: &str = "{% for message in messages %}<|im_start|>{{ message['role'] }}\n\
    {{ message['content'] }}<|im_end|>\n{% endfor %}\
    {% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

// The K formats come in blocks of 256.
const WIDTH: usize = 256;
const HIDDEN: usize = 256;
const BLOCKS: usize = 2;
pub(super) const CONTEXT: u32 = 512;

/// What a test may change about the file.
pub(super) struct Tiny {
    pub(super) architecture: &'static str,
    pub(super) tokenizer: &'static str,
    pub(super) pre: &'static str,
    pub(super) template: Option<&'static str>,
    pub(super) heads: usize,
    /// In the default model's format, so that its conversion is exercised too.
    pub(super) format: GgmlDType,
}

impl Default for Tiny {
    fn default() -> Self {
        Self {
            architecture: "llama",
            tokenizer: "gpt2",
            pre: "smollm",
            template: Some(TEMPLATE),
            heads: 4,
            format: GgmlDType::Q4_1,
        }
    }
}

impl Tiny {
    pub(super) fn write(&self, path: &Path) {
        let mut alphabet: Vec<String> = ByteLevel::alphabet().into_iter().map(String::from).collect();
        alphabet.sort();
        let words = ["th", "Ġth", "Ġthe"].map(String::from);
        let controls = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"].map(String::from);
        let kinds = (0..alphabet.len() + words.len())
            .map(|_| Value::I32(1))
            .chain(controls.iter().map(|_| Value::I32(3)))
            .collect();
        let end = u32::try_from(alphabet.len() + words.len() + 2).expect("small");
        let tokens: Vec<String> = alphabet.into_iter().chain(words).chain(controls).collect();
        let size = tokens.len();
        let number = |value: usize| Value::U32(u32::try_from(value).expect("small"));
        let text = |value: &str| Value::String(value.to_owned());
        let texts = |values: &[String]| Value::Array(values.iter().map(|v| text(v)).collect());
        let merges = ["t h", "Ġ th", "Ġth e"].map(String::from);
        let mut metadata = vec![
            ("general.architecture", text(self.architecture)),
            ("general.name", text("Tiny")),
            ("llama.block_count", number(BLOCKS)),
            ("llama.context_length", Value::U32(CONTEXT)),
            ("llama.embedding_length", number(WIDTH)),
            ("llama.feed_forward_length", number(HIDDEN)),
            ("llama.attention.head_count", number(self.heads)),
            ("llama.attention.head_count_kv", number(2)),
            ("llama.attention.layer_norm_rms_epsilon", Value::F32(1e-5)),
            ("tokenizer.ggml.model", text(self.tokenizer)),
            ("tokenizer.ggml.pre", text(self.pre)),
            ("tokenizer.ggml.tokens", texts(&tokens)),
            ("tokenizer.ggml.merges", texts(&merges)),
            ("tokenizer.ggml.token_type", Value::Array(kinds)),
            ("tokenizer.ggml.eos_token_id", Value::U32(end)),
        ];
        if let Some(template) = self.template {
            metadata.push(("tokenizer.chat_template", text(template)));
        }
        let mut random = Weights(fastrand::Rng::with_seed(3), self.format);
        let mut tensors = vec![
            ("token_embd.weight".to_owned(), random.matrix(size, WIDTH)),
            ("output_norm.weight".to_owned(), Weights::ones()),
        ];
        for block in 0..BLOCKS {
            let mut add = |name: &str, tensor| tensors.push((format!("blk.{block}.{name}.weight"), tensor));
            add("attn_norm", Weights::ones());
            add("ffn_norm", Weights::ones());
            add("attn_q", random.matrix(WIDTH, WIDTH));
            add("attn_k", random.matrix(WIDTH / 2, WIDTH));
            add("attn_v", random.matrix(WIDTH / 2, WIDTH));
            add("attn_output", random.matrix(WIDTH, WIDTH));
            add("ffn_gate", random.matrix(HIDDEN, WIDTH));
            add("ffn_up", random.matrix(HIDDEN, WIDTH));
            add("ffn_down", random.matrix(WIDTH, HIDDEN));
        }
        let metadata: Vec<_> = metadata.iter().map(|(key, value)| (*key, value)).collect();
        let tensors: Vec<_> = tensors.iter().map(|(name, tensor)| (name.as_str(), tensor)).collect();
        let mut file = std::fs::File::create(path).expect("creates");
        gguf_file::write(&mut file, &metadata, &tensors).expect("writes");
    }
}

struct Weights(fastrand::Rng, GgmlDType);

impl Weights {
    fn matrix(&mut self, rows: usize, columns: usize) -> QTensor {
        let values: Vec<f32> = (0..rows * columns).map(|_| self.0.f32() - 0.5).collect();
        let tensor = Tensor::from_vec(values, (rows, columns), &Device::Cpu).expect("shape");
        QTensor::quantize(&tensor, self.1).expect("quantizes")
    }

    fn ones() -> QTensor {
        let tensor = Tensor::from_vec(vec![1.0_f32; WIDTH], WIDTH, &Device::Cpu).expect("shape");
        QTensor::quantize(&tensor, GgmlDType::F32).expect("quantizes")
    }
}

/// The tiny model in a directory of its own.
pub(super) fn tiny_file(tiny: &Tiny) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("temporary directory");
    let path = directory.path().join("tiny.gguf");
    tiny.write(&path);
    (directory, path)
}

pub(super) fn tiny_with(change: impl FnOnce(EmbeddedBuilder) -> EmbeddedBuilder) -> Embedded {
    let (_directory, path) = tiny_file(&Tiny::default());
    change(Embedded::builder().gguf(path)).build().expect("loads")
}

pub(super) fn tiny() -> Embedded {
    tiny_with(|builder| builder)
}
