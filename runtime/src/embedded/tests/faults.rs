//! Files that cannot be used, each with an error that says what to do.

use std::fs;
use std::path::Path;

use super::fixture::{Tiny, tiny_file};
use crate::embedded::{Embedded, ModelError, ModelErrorKind};

fn refused(path: &Path) -> (ModelErrorKind, String) {
    let fault: ModelError = Embedded::from_gguf(path).expect_err("is refused");
    let text = fault.to_string();
    assert!(text.contains(&path.display().to_string()), "names the file: {text}");
    (fault.kind(), text)
}

#[test]
fn a_missing_file() {
    let (kind, text) = refused(Path::new("/nowhere/model.gguf"));
    assert_eq!(kind, ModelErrorKind::File);
    assert!(text.contains("does not exist") && text.contains("smollm2"), "{text}");
}

#[test]
fn a_directory() {
    let (directory, _) = tiny_file(&Tiny::default());
    let (kind, text) = refused(directory.path());
    assert_eq!(kind, ModelErrorKind::File);
    assert!(text.contains("not a file"), "{text}");
}

#[test]
fn a_file_of_another_kind_or_none() {
    let (_directory, path) = tiny_file(&Tiny::default());
    for content in [&b"PK\x03\x04 not a model"[..], b"GG", b""] {
        fs::write(&path, content).expect("writes");
        let (kind, text) = refused(&path);
        assert_eq!(kind, ModelErrorKind::File);
        assert!(text.contains("not a GGUF file"), "{text}");
    }
}

#[test]
fn a_file_cut_short_anywhere() {
    let (_directory, path) = tiny_file(&Tiny::default());
    let whole = fs::read(&path).expect("reads");
    for length in [4, 8, 20, 100, 1000, whole.len() / 2, whole.len() - 64] {
        fs::write(&path, &whole[..length]).expect("writes");
        let (kind, text) = refused(&path);
        assert_eq!(kind, ModelErrorKind::File, "{text}");
        assert!(text.contains("fetch it again"), "{length}: {text}");
    }
}

#[test]
fn bytes_flipped_in_the_header_never_panic() {
    let (_directory, path) = tiny_file(&Tiny::default());
    let whole = fs::read(&path).expect("reads");
    for place in (4..600).step_by(7) {
        let mut damaged = whole.clone();
        damaged[place] ^= 0xff;
        fs::write(&path, &damaged).expect("writes");
        // Some flips hit text that nobody reads; the others must be errors.
        let _ = Embedded::from_gguf(&path);
    }
}

#[test]
fn a_header_that_contradicts_its_tensors() {
    let (_directory, path) = tiny_file(&Tiny { heads: 8, ..Tiny::default() });
    let (kind, text) = refused(&path);
    assert_eq!(kind, ModelErrorKind::File);
    assert!(text.contains("attn_k"), "{text}");
}

#[test]
fn every_usual_format_of_weights_replies() {
    use candle_core::quantized::GgmlDType as D;
    let formats =
        [D::F32, D::F16, D::BF16, D::Q4_0, D::Q4_1, D::Q5_0, D::Q5_1, D::Q8_0, D::Q2K, D::Q3K, D::Q4K, D::Q5K, D::Q6K];
    for format in formats {
        let (_directory, path) = tiny_file(&Tiny { format, ..Tiny::default() });
        let model = Embedded::from_gguf(&path).expect("loads");
        let reply = model.measure(&[("user", "hello")], Some(r#"{"type": "boolean"}"#), None);
        let text = reply.expect("replies").text;
        assert!(["true", "false"].contains(&text.as_str()), "{format:?}: {text}");
    }
}

#[test]
fn another_architecture_or_tokenizer() {
    let cases = [
        (Tiny { architecture: "mamba", ..Tiny::default() }, "`mamba`"),
        (Tiny { tokenizer: "t5", ..Tiny::default() }, "`t5`"),
        (Tiny { pre: "unheard-of", ..Tiny::default() }, "`unheard-of`"),
    ];
    for (tiny, word) in cases {
        let (_directory, path) = tiny_file(&tiny);
        let (kind, text) = refused(&path);
        assert_eq!(kind, ModelErrorKind::Unsupported);
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn a_missing_chat_template_is_reported_when_it_is_needed() {
    let (_directory, path) = tiny_file(&Tiny { template: None, ..Tiny::default() });
    let model = Embedded::from_gguf(&path).expect("loads");
    let job = crate::embedded::Job {
        turns: &[crate::embedded::Turn { role: crate::embedded::Role::User, text: "hello" }],
        schema: None,
        max_tokens: None,
        temperature: None,
        seed: None,
        cancel: &super::super::Stop::default(),
    };
    let fault = model.generate(&job, &mut |_| {}).expect_err("is refused");
    assert_eq!(fault.kind(), ModelErrorKind::Template);
    assert!(fault.to_string().contains("EmbeddedBuilder::chat_template"), "{fault}");
}

#[test]
fn a_broken_chat_template_is_reported_at_once() {
    let (_directory, path) = tiny_file(&Tiny { template: Some("{% if %}"), ..Tiny::default() });
    let fault = Embedded::from_gguf(&path).expect_err("is refused");
    assert_eq!(fault.kind(), ModelErrorKind::Template);
}
