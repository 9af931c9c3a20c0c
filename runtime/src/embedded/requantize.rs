//! Rewrites weights into the format that runs fast.
//!
//! candle has SIMD kernels for `Q8_0` and the K formats but none for `Q4_1`, `Q5_0` and `Q5_1`: the
//! default model runs three times faster as `Q8_0` than in the 4-bit form in which it travels.
//! Going up in bits loses nothing that can be measured. The default model is rewritten once, on
//! disk; a user's own file is left alone and its slow tensors are converted in memory while it
//! loads (a few seconds per billion parameters, every time).

use std::fs::File;
use std::io::{BufWriter, Seek, Write};
use std::path::Path;

use candle_core::Device;
use candle_core::quantized::{GgmlDType, QTensor, gguf_file};

use super::error::{ModelError, ModelErrorKind};
use super::gguf::Gguf;

/// Names what this file makes, in the names of cached files. Change it with the format.
pub(super) const FORMAT: &str = "q8_0-v1";

/// The fast stand-in for a format without a SIMD kernel.
fn faster(dtype: GgmlDType) -> Option<GgmlDType> {
    use GgmlDType as D;
    matches!(dtype, D::Q4_1 | D::Q5_0 | D::Q5_1 | D::Q8_1).then_some(D::Q8_0)
}

/// The tensor itself, or its faster equal.
pub(super) fn fast(tensor: QTensor) -> candle_core::Result<QTensor> {
    match faster(tensor.dtype()) {
        Some(dtype) => QTensor::quantize(&tensor.dequantize(&Device::Cpu)?, dtype),
        None => Ok(tensor),
    }
}

/// Writes the model at `source` into `target` with every slow tensor converted.
///
/// Holds all converted weights in memory until they are written: for the default model 145 MB.
pub(super) fn requantize(source: &Path, target: &File) -> Result<(), ModelError> {
    let mut gguf = Gguf::open(source)?;
    let mut names: Vec<String> = gguf.content.tensor_infos.keys().cloned().collect();
    names.sort_unstable();
    let mut tensors = Vec::with_capacity(names.len());
    for name in &names {
        tensors.push(fast(gguf.tensor(name)?)?);
    }
    let metadata: Vec<(&str, &gguf_file::Value)> = gguf
        .content
        .metadata
        .iter()
        .map(|(key, value)| (key.as_str(), value))
        .collect();
    let contents: Vec<(&str, &QTensor)> = names
        .iter()
        .map(String::as_str)
        .zip(tensors.iter())
        .collect();
    let mut writer = BufWriter::new(target);
    write(&mut writer, &metadata, &contents).map_err(|cause| {
        ModelError::new(
            ModelErrorKind::Cache,
            format!("the prepared model cannot be written ({cause}); is the disk full?"),
        )
        .caused_by(cause)
    })
}

fn write<W: Write + Seek>(
    writer: &mut W,
    metadata: &[(&str, &gguf_file::Value)],
    tensors: &[(&str, &QTensor)],
) -> candle_core::Result<()> {
    gguf_file::write(writer, metadata, tensors)?;
    writer.flush()?;
    Ok(())
}
