//! Every route over HTTP, and where its wire has what the loop's tests look for. What stands here is from the providers'
//! documents.

use response_schema::ErrorKind;
use response_schema::adapter::{
    Anthropic, ChatCompletions, DynAdapter, Enforcement, Gemini, Glm, Ollama, OpenAi, ToolChoice,
};
use response_schema::agent::Termination;
use response_schema::http::{OutputMode, Retry};
use response_schema_tests_routes::loopback::{Ending, Loopback, Recorded, Wire};
use serde_json::{Value, json};

const KEY: &str = "sk-hush";

/// A route, and what its provider can do.
#[allow(clippy::struct_excessive_bools, reason = "a row of a table of facts")]
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) adapter: DynAdapter,
    pub(crate) wire: Wire,
    /// Whether one request carries tools and a schema.
    pub(crate) together: bool,
    /// What holds for the answer.
    pub(crate) guarantee: Enforcement,
    /// The tool that holds the answer, where it is one.
    pub(crate) answer_tool: Option<&'static str>,
    /// Whether the wire takes the model's thoughts back.
    pub(crate) thinks: bool,
    /// Whether the model can be made to call a tool.
    pub(crate) forces: bool,
    /// Whether it can be made to call one by its name.
    pub(crate) names: bool,
}

impl Subject {
    fn of(name: &'static str, wire: Wire, adapter: impl Into<DynAdapter>) -> Self {
        Self {
            name,
            adapter: adapter.into(),
            wire,
            together: true,
            guarantee: Enforcement::Enforced,
            answer_tool: None,
            thinks: true,
            forces: true,
            names: true,
        }
    }

    fn apart(self) -> Self {
        Self { together: false, ..self }
    }

    fn hint(self) -> Self {
        Self { guarantee: Enforcement::Hint, ..self }
    }

    /// How a refusal, or what is nearest to one, is told on this wire.
    pub(crate) fn refusal(&self) -> Option<(Ending, ErrorKind, Termination)> {
        match self.wire {
            Wire::Responses | Wire::Chat | Wire::Anthropic => {
                Some((Ending::Refused("I can't help with that.".into()), ErrorKind::Refused, Termination::Refused))
            }
            Wire::Gemini => Some((Ending::Filtered, ErrorKind::Filtered, Termination::Filtered)),
            Wire::Ollama => None,
        }
    }

    /// The names of the tools in a request.
    pub(crate) fn tools(&self, body: &Value) -> Vec<String> {
        let of = |list: &Value, at: &str| -> Vec<String> {
            let names = list.as_array().into_iter().flatten().filter_map(|tool| tool.pointer(at)?.as_str());
            names.filter(|name| Some(*name) != self.answer_tool).map(str::to_owned).collect()
        };
        match self.wire {
            Wire::Responses | Wire::Anthropic => of(&body["tools"], "/name"),
            Wire::Chat | Wire::Ollama => of(&body["tools"], "/function/name"),
            Wire::Gemini => of(&body["tools"][0]["functionDeclarations"], "/name"),
        }
    }

    /// The results of tools in a request, in order.
    pub(crate) fn results(&self, body: &Value) -> Vec<String> {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match self.wire {
            Wire::Responses => {
                let items = list(&body["input"]);
                items
                    .iter()
                    .filter(|item| item["type"] == "function_call_output")
                    .map(|item| text(&item["output"]))
                    .collect()
            }
            Wire::Chat | Wire::Ollama => {
                let turns = list(&body["messages"]);
                turns.iter().filter(|turn| turn["role"] == "tool").map(|turn| text(&turn["content"])).collect()
            }
            Wire::Anthropic => {
                let blocks = list(&body["messages"]).into_iter().flat_map(|turn| list(&turn["content"]));
                blocks.filter(|block| block["type"] == "tool_result").map(|block| text(&block["content"])).collect()
            }
            Wire::Gemini => {
                let parts = list(&body["contents"]).into_iter().flat_map(|content| list(&content["parts"]));
                let told = |part: Value| {
                    let response = part.get("functionResponse")?.get("response")?;
                    Some(text(response.get("result").or(response.get("error"))?))
                };
                parts.filter_map(told).collect()
            }
        }
    }

    /// Whether a request asks for an answer with this property.
    pub(crate) fn asks_for(&self, request: &Recorded, property: &str) -> bool {
        let body = &request.body;
        let has = |schema: &Value| schema["properties"].get(property).is_some();
        match self.wire {
            Wire::Responses => has(&body["text"]["format"]["schema"]),
            // JSON mode: the schema stands in the prompt.
            Wire::Chat if body["response_format"]["type"] == "json_object" => {
                body["messages"][0]["content"].as_str().is_some_and(|text| text.contains(&format!("\"{property}\":{{")))
            }
            Wire::Chat => has(&body["response_format"]["json_schema"]["schema"]),
            Wire::Anthropic => match self.answer_tool {
                Some(name) => body["tools"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .any(|tool| tool["name"] == name && has(&tool["input_schema"])),
                None => has(&body["output_config"]["format"]["schema"]),
            },
            Wire::Gemini => has(&body["generationConfig"]["responseJsonSchema"]),
            Wire::Ollama => has(&body["format"]),
        }
    }

    /// What a request says about the choice of tools.
    pub(crate) fn choice<'b>(&self, body: &'b Value) -> &'b Value {
        match self.wire {
            Wire::Gemini => &body["toolConfig"]["functionCallingConfig"],
            _ => &body["tool_choice"],
        }
    }

    /// Choices and the provider's words for them, the free one first; nothing where the provider has none.
    pub(crate) fn choices(&self) -> Vec<(ToolChoice, Option<Value>)> {
        let named = ToolChoice::Named("lookup".into());
        let (free, required, one) = match (self.wire, self.answer_tool) {
            (Wire::Responses, _) => (Value::Null, json!("required"), json!({"type": "function", "name": "lookup"})),
            (Wire::Chat, _) => {
                (Value::Null, json!("required"), json!({"type": "function", "function": {"name": "lookup"}}))
            }
            (Wire::Anthropic, None) => (Value::Null, json!({"type": "any"}), json!({"type": "tool", "name": "lookup"})),
            // An answer is a call, too.
            (Wire::Anthropic, Some(_)) => {
                let any = json!({"type": "any", "disable_parallel_tool_use": true});
                (any.clone(), any, json!({"type": "tool", "name": "lookup", "disable_parallel_tool_use": true}))
            }
            (Wire::Gemini, _) => {
                (Value::Null, json!({"mode": "ANY"}), json!({"mode": "ANY", "allowedFunctionNames": ["lookup"]}))
            }
            (Wire::Ollama, _) => (Value::Null, Value::Null, Value::Null),
        };
        let required = self.forces.then_some(required);
        let one = (self.forces && self.names).then_some(one);
        vec![(ToolChoice::Auto, Some(free)), (ToolChoice::Required, required), (named, one)]
    }
}

/// Every route over HTTP, at a server of ours.
pub(crate) fn all() -> Vec<fn(&Loopback) -> Subject> {
    vec![
        |server| {
            let base = server.base_url(Wire::Responses);
            let openai = OpenAi::new(KEY).unwrap().base_url(base).model("gpt-5.6").retry(Retry::never());
            Subject::of("responses", Wire::Responses, openai)
        },
        |server| {
            let base = server.base_url(Wire::Chat);
            let chat = ChatCompletions::openai(KEY).unwrap().base_url(base).model("gpt-5.6").retry(Retry::never());
            Subject::of("chat", Wire::Chat, chat)
        },
        |server| {
            let base = server.base_url(Wire::Chat);
            let groq = ChatCompletions::groq(KEY).unwrap().base_url(base).model("gpt-oss").retry(Retry::never());
            Subject::of("groq", Wire::Chat, groq).apart()
        },
        |server| {
            let base = server.base_url(Wire::Chat);
            let llama = ChatCompletions::llama_cpp().base_url(base).model("any").retry(Retry::never());
            Subject { names: false, ..Subject::of("llama.cpp", Wire::Chat, llama).apart() }
        },
        |server| {
            let base = server.base_url(Wire::Chat);
            let glm = Glm::new(KEY).unwrap().base_url(base).model("glm-5").retry(Retry::never());
            Subject { forces: false, ..Subject::of("glm", Wire::Chat, glm).hint() }
        },
        |server| Subject::of("anthropic", Wire::Anthropic, anthropic(server, OutputMode::Format)),
        |server| {
            let strict = anthropic(server, OutputMode::StrictTool);
            Subject { answer_tool: Some("respond"), ..Subject::of("anthropic strict tool", Wire::Anthropic, strict) }
        },
        |server| {
            let tool = anthropic(server, OutputMode::Tool);
            Subject { answer_tool: Some("respond"), ..Subject::of("anthropic tool", Wire::Anthropic, tool).hint() }
        },
        |server| Subject::of("gemini 3", Wire::Gemini, gemini(server, "gemini-3-pro")),
        |server| Subject::of("gemini 2.5", Wire::Gemini, gemini(server, "gemini-2.5-pro")).apart(),
        |server| {
            let ollama = Ollama::at(&server.url()).model("qwen3").retry(Retry::never());
            Subject { thinks: false, forces: false, ..Subject::of("ollama", Wire::Ollama, ollama).apart() }
        },
    ]
}

fn anthropic(server: &Loopback, mode: OutputMode) -> Anthropic {
    let anthropic = Anthropic::new(KEY).unwrap().base_url(server.base_url(Wire::Anthropic)).model("claude-sonnet-5");
    anthropic.output_mode(mode).retry(Retry::never())
}

fn gemini(server: &Loopback, model: &str) -> Gemini {
    Gemini::new(KEY).unwrap().base_url(server.base_url(Wire::Gemini)).model(model).retry(Retry::never())
}
