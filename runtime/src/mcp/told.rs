//! What a model is told of a call's result. Results are text, so what is none is named.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;

/// The text for the model; or what went wrong.
pub(super) fn told(result: &CallToolResult) -> Result<String, String> {
    let mut parts: Vec<String> = result.content.iter().map(block).collect();
    // Servers repeat a structured value as text for clients that know no other form. Once is enough.
    if let Some(value) = result.structured_content.as_ref().filter(|value| !value.is_null()) {
        let repeated = |part: &String| serde_json::from_str::<Value>(part).is_ok_and(|said| said == *value);
        if !parts.iter().any(repeated) {
            parts.push(value.to_string());
        }
    }
    parts.retain(|part| !part.is_empty());
    let is_error = result.is_error.unwrap_or(false);
    let text = match (parts.is_empty(), is_error) {
        (true, true) => "the server does not say why".to_owned(),
        (true, false) => "done".to_owned(),
        _ => parts.join("\n\n"),
    };
    if is_error { Err(text) } else { Ok(text) }
}

fn block(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => unseen("a picture", Some(&image.mime_type), &image.data),
        ContentBlock::Audio(audio) => unseen("a sound", Some(&audio.mime_type), &audio.data),
        ContentBlock::Resource(resource) => match &resource.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => format!("{uri}:\n{text}"),
            ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                unseen(&format!("the file {uri}"), mime_type.as_deref(), blob)
            }
            // A form that later versions of the protocol have.
            other => json(other),
        },
        ContentBlock::ResourceLink(link) => {
            let about = link.description.as_deref().map_or_else(String::new, |about| format!(": {about}"));
            format!("[a link to {}, {}{about}]", link.uri, link.name)
        }
        other => json(other),
    }
}

/// What stands for content that is not text. Its data is base64: four characters for three bytes.
fn unseen(what: &str, mime_type: Option<&str>, data: &str) -> String {
    let padding = data.bytes().rev().take_while(|&byte| byte == b'=').count();
    let bytes = (data.len() / 4 * 3).saturating_sub(padding);
    let kind = mime_type.map_or_else(String::new, |kind| format!(" of the type {kind}"));
    format!("[{what}{kind}, {bytes} bytes, which cannot be shown here]")
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| format!("[content that cannot be written: {error}]"))
}

#[cfg(test)]
mod tests {
    use rmcp::model::Resource;
    use serde_json::json;

    use super::*;

    #[test]
    fn content_of_every_kind_is_told() {
        let blocks = vec![
            ContentBlock::text("Two things:"),
            ContentBlock::image("aGVsbG8=", "image/png"),
            ContentBlock::audio("aGVsbG8h", "audio/wav"),
            ContentBlock::embedded_text("file:///a.txt", "what it says"),
            ContentBlock::resource(ResourceContents::blob("aGk=", "file:///b.bin")),
            ContentBlock::resource_link(Resource::new("file:///c", "c").with_description("the third")),
        ];
        let text = told(&CallToolResult::success(blocks)).unwrap();
        assert_eq!(
            text,
            "Two things:\n\n\
             [a picture of the type image/png, 5 bytes, which cannot be shown here]\n\n\
             [a sound of the type audio/wav, 6 bytes, which cannot be shown here]\n\n\
             file:///a.txt:\nwhat it says\n\n\
             [the file file:///b.bin, 2 bytes, which cannot be shown here]\n\n\
             [a link to file:///c, c: the third]"
        );
    }

    #[test]
    fn structured_values_are_told_once() {
        let value = json!({"warm": true});
        let both = CallToolResult::structured(value.clone());
        assert_eq!(told(&both).unwrap(), r#"{"warm":true}"#);
        let mut apart = CallToolResult::success(vec![ContentBlock::text("It is warm.")]);
        apart.structured_content = Some(value);
        assert_eq!(told(&apart).unwrap(), "It is warm.\n\n{\"warm\":true}");
    }

    #[test]
    fn nothing_is_something_and_an_error_is_one() {
        assert_eq!(told(&CallToolResult::success(Vec::new())).unwrap(), "done");
        assert_eq!(told(&CallToolResult::error(vec![ContentBlock::text("no disk")])).unwrap_err(), "no disk");
        assert_eq!(told(&CallToolResult::error(Vec::new())).unwrap_err(), "the server does not say why");
    }
}
