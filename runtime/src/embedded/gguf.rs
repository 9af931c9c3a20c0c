//! Reads a GGUF file's header, and says in plain words what is wrong with it.
//!
//! Everything that can be checked without reading the weights is checked first: the magic, the
//! version, and that every tensor the header promises lies inside the file. A download that was
//! cut short is thus told apart from a file of another kind.

use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _};
use std::path::{Path, PathBuf};

use candle_core::Device;
use candle_core::quantized::{QTensor, gguf_file};
use gguf_file::Value;

use super::error::ModelError;

/// An open GGUF file.
pub(super) struct Gguf {
    pub(super) content: gguf_file::Content,
    path: PathBuf,
    reader: BufReader<File>,
}

impl Gguf {
    pub(super) fn open(path: &Path) -> Result<Self, ModelError> {
        let unreadable = |cause: std::io::Error| {
            let what = if cause.kind() == std::io::ErrorKind::NotFound {
                "does not exist; check the path, or use `Embedded::smollm2` to fetch one".to_owned()
            } else {
                format!("cannot be read ({cause})")
            };
            ModelError::file(path, what).caused_by(cause)
        };
        let file = File::open(path).map_err(unreadable)?;
        let facts = file.metadata().map_err(unreadable)?;
        if !facts.is_file() {
            return Err(ModelError::file(
                path,
                "is not a file; name the `.gguf` file itself",
            ));
        }
        let length = facts.len();
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let mut magic = [0; 4];
        let whole = reader.read_exact(&mut magic).is_ok();
        if !whole || &magic != b"GGUF" {
            return Err(ModelError::file(
                path,
                "is not a GGUF file (it does not begin with `GGUF`); safetensors and PyTorch \
                 files must be converted first",
            ));
        }
        reader.rewind().map_err(unreadable)?;
        let content = gguf_file::Content::read(&mut reader).map_err(|cause| {
            let what = format!(
                "has a damaged header, or one of an unknown version ({cause}); fetch it again"
            );
            ModelError::file(path, what).caused_by(cause)
        })?;
        // A size past all numbers is past the end of the file too.
        let needed = content
            .tensor_infos
            .values()
            .map(|info| end_of(&content, info).unwrap_or(u64::MAX))
            .max()
            .unwrap_or(0);
        if needed > length {
            return Err(ModelError::file(
                path,
                format!("is cut short: {length} bytes of at least {needed}; fetch it again"),
            ));
        }
        Ok(Self {
            content,
            path: path.to_path_buf(),
            reader,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn has_tensor(&self, name: &str) -> bool {
        self.content.tensor_infos.contains_key(name)
    }

    /// Reads one tensor.
    pub(super) fn tensor(&mut self, name: &str) -> Result<QTensor, ModelError> {
        if !self.has_tensor(name) {
            return Err(ModelError::file(
                &self.path,
                format!("has no tensor `{name}`"),
            ));
        }
        self.content
            .tensor(&mut self.reader, name, &Device::Cpu)
            .map_err(|cause| {
                ModelError::file(
                    &self.path,
                    format!("tensor `{name}` cannot be read ({cause})"),
                )
                .caused_by(cause)
            })
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        match self.content.metadata.get(key)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn flag(&self, key: &str) -> Option<bool> {
        match self.content.metadata.get(key)? {
            Value::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    /// A whole number of any width.
    pub(super) fn number(&self, key: &str) -> Option<usize> {
        whole(self.content.metadata.get(key)?)
    }

    pub(super) fn float(&self, key: &str) -> Option<f32> {
        match self.content.metadata.get(key)? {
            Value::F32(number) => Some(*number),
            #[allow(clippy::cast_possible_truncation, reason = "model constants are small")]
            Value::F64(number) => Some(*number as f32),
            _ => None,
        }
    }

    pub(super) fn array(&self, key: &str) -> Option<&[Value]> {
        match self.content.metadata.get(key)? {
            Value::Array(values) => Some(values),
            _ => None,
        }
    }

    /// A whole number that the model cannot be run without.
    pub(super) fn required(&self, key: &str) -> Result<usize, ModelError> {
        self.number(key)
            .filter(|number| *number > 0)
            .ok_or_else(|| {
                ModelError::file(&self.path, format!("says nothing usable under `{key}`"))
            })
    }
}

/// Where the tensor's bytes end in the file; `None` if that is no number.
fn end_of(content: &gguf_file::Content, info: &gguf_file::TensorInfo) -> Option<u64> {
    let elements = info
        .shape
        .dims()
        .iter()
        .try_fold(1_u64, |product, length| {
            product.checked_mul(u64::try_from(*length).ok()?)
        })?;
    let blocks = elements.div_ceil(info.ggml_dtype.block_size() as u64);
    let bytes = blocks.checked_mul(info.ggml_dtype.type_size() as u64)?;
    content
        .tensor_data_offset
        .checked_add(info.offset)?
        .checked_add(bytes)
}

/// The value as a whole number, whatever its width.
pub(super) fn whole(value: &Value) -> Option<usize> {
    match value {
        Value::U8(number) => Some(usize::from(*number)),
        Value::I8(number) => usize::try_from(*number).ok(),
        Value::U16(number) => Some(usize::from(*number)),
        Value::I16(number) => usize::try_from(*number).ok(),
        Value::U32(number) => usize::try_from(*number).ok(),
        Value::I32(number) => usize::try_from(*number).ok(),
        Value::U64(number) => usize::try_from(*number).ok(),
        Value::I64(number) => usize::try_from(*number).ok(),
        _ => None,
    }
}
