//! A tool of an MCP server whose parameters are a derived type.

use response_schema::ResponseSchema;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use serde::Deserialize;
use serde_json::{Value, json};

/// What to look for.
#[derive(Debug, Deserialize, ResponseSchema)]
#[response(json_schema)]
struct Search {
    /// A few words.
    #[response(min_length = 1)]
    words: String,
    /// Where.
    within: Within,
    #[response(min = 1, max = 50)]
    at_most: Option<u8>,
}

#[derive(Debug, Deserialize, ResponseSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Within {
    All,
    Folder { path: String, below: Option<Box<Within>> },
}

#[derive(Debug, Clone)]
struct Server;

#[tool_router]
impl Server {
    /// Finds documents.
    #[tool]
    async fn search(&self, Parameters(search): Parameters<Search>) -> String {
        format!("{} within {:?}, at most {:?}", search.words, search.within, search.at_most)
    }
}

#[test]
fn a_tool_has_the_schema_of_the_derived_type() {
    let tool = Server::search_tool_attr();
    assert_eq!(tool.description.as_deref(), Some("Finds documents."));
    let schema = Value::Object((*tool.input_schema).clone());
    assert_eq!(schema["properties"]["words"]["description"], "A few words.");
    assert_eq!(schema["required"], json!(["words", "within", "at_most"]));

    let validator = jsonschema::validator_for(&schema).unwrap();
    let deep =
        json!({"words": "x", "within": {"kind": "folder", "path": "a", "below": {"kind": "all"}}, "at_most": null});
    assert!(validator.is_valid(&deep), "{schema}");
    let search: Search = serde_json::from_value(deep).unwrap();
    assert_eq!(search.words, "x");
    for wrong in [
        json!({"words": "", "within": {"kind": "all"}, "at_most": null}),
        json!({"words": "x", "within": {"kind": "all"}, "at_most": 51}),
        json!({"words": "x", "within": {"kind": "folder", "path": "a", "below": {"kind": "none"}}, "at_most": null}),
    ] {
        assert!(!validator.is_valid(&wrong), "{wrong}");
    }
}
