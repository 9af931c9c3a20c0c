//! The endpoints, one by one. Sources are in the files of their dialects; where a line rests on something else, it
//! stands beside it.

use super::profile::{CallIds, KeyHeader, Profile, ReasoningField, SchemaField};
use crate::adapter::Enforcement;

impl Profile {
    /// `OpenAI` itself.
    pub const OPENAI: Self = Self {
        route: "openai-chat",
        provider: "openai",
        base_url: "https://api.openai.com/v1",
        key_variable: Some("OPENAI_API_KEY"),
        key_header: KeyHeader::Bearer,
        needs_model: true,
        schema: SchemaField::JsonSchema,
        strict: true,
        enforcement: Enforcement::Enforced,
        schema_in_prompt: false,
        streams_schema: true,
        tools: Some(Enforcement::Enforced),
        strict_tools: true,
        tools_with_schema: true,
        required_tool: Some("required"),
        named_tool: true,
        call_ids: CallIds::Short,
        max_tokens: "max_completion_tokens",
        seed: Some("seed"),
        reasoning: ReasoningField::Effort,
        stream_options: true,
        require_parameters: false,
        input_codes: &[],
    };

    /// An endpoint of which nothing is known but that it takes a `json_schema` field. Nothing is known of what it makes
    /// of it either, so that is a hint, and the schema goes into the prompt too.
    pub const COMPATIBLE: Self = Self {
        route: "openai-compatible",
        provider: "openai-compatible",
        base_url: "http://localhost:8000/v1",
        key_variable: None,
        needs_model: false,
        enforcement: Enforcement::Hint,
        schema_in_prompt: true,
        tools: Some(Enforcement::Hint),
        strict_tools: false,
        tools_with_schema: false,
        max_tokens: "max_tokens",
        ..Self::OPENAI
    };

    /// Azure's `OpenAI` deployments; the model is the deployment's name.
    pub const AZURE: Self = Self {
        route: "openai-compatible/azure",
        provider: "azure.ai.openai",
        // There is no common place: every resource has its own.
        base_url: "https://unset.invalid",
        key_variable: Some("AZURE_OPENAI_API_KEY"),
        key_header: KeyHeader::Named("api-key"),
        ..Self::OPENAI
    };

    /// Groq. Its documentation says that structured outputs go with neither streaming nor tools.
    pub const GROQ: Self = Self {
        route: "openai-compatible/groq",
        provider: "groq",
        base_url: "https://api.groq.com/openai/v1",
        key_variable: Some("GROQ_API_KEY"),
        streams_schema: false,
        tools: Some(Enforcement::Hint),
        strict_tools: false,
        tools_with_schema: false,
        ..Self::OPENAI
    };

    /// xAI. Its tools are strict without being told.
    pub const XAI: Self = Self {
        route: "openai-compatible/xai",
        provider: "x_ai",
        base_url: "https://api.x.ai/v1",
        key_variable: Some("XAI_API_KEY"),
        strict_tools: false,
        ..Self::OPENAI
    };

    /// Mistral, which says that a call's mark "must be a-z, A-Z, 0-9, with a length of 9".
    pub const MISTRAL: Self = Self {
        route: "openai-compatible/mistral",
        provider: "mistral_ai",
        base_url: "https://api.mistral.ai/v1",
        key_variable: Some("MISTRAL_API_KEY"),
        tools: Some(Enforcement::Hint),
        strict_tools: false,
        tools_with_schema: false,
        required_tool: Some("any"),
        call_ids: CallIds::Nine,
        max_tokens: "max_tokens",
        seed: Some("random_seed"),
        reasoning: ReasoningField::None,
        stream_options: false,
        ..Self::OPENAI
    };

    /// `OpenRouter`. What becomes of a schema depends on the provider behind it, so that is a hint.
    pub const OPENROUTER: Self = Self {
        route: "openai-compatible/openrouter",
        provider: "openrouter",
        base_url: "https://openrouter.ai/api/v1",
        key_variable: Some("OPENROUTER_API_KEY"),
        enforcement: Enforcement::Hint,
        tools: Some(Enforcement::Hint),
        max_tokens: "max_tokens",
        reasoning: ReasoningField::Nested,
        require_parameters: true,
        ..Self::OPENAI
    };

    /// Cerebras.
    pub const CEREBRAS: Self = Self {
        route: "openai-compatible/cerebras",
        provider: "cerebras",
        base_url: "https://api.cerebras.ai/v1",
        key_variable: Some("CEREBRAS_API_KEY"),
        tools: Some(Enforcement::Hint),
        strict_tools: false,
        tools_with_schema: false,
        ..Self::OPENAI
    };

    /// `DeepSeek`, which knows JSON mode alone.
    pub const DEEPSEEK: Self = Self {
        route: "openai-compatible/deepseek",
        provider: "deepseek",
        base_url: "https://api.deepseek.com",
        key_variable: Some("DEEPSEEK_API_KEY"),
        schema: SchemaField::JsonObject,
        enforcement: Enforcement::Hint,
        tools: Some(Enforcement::Hint),
        strict_tools: false,
        max_tokens: "max_tokens",
        seed: None,
        reasoning: ReasoningField::None,
        ..Self::OPENAI
    };

    /// Fireworks, which does not show the schema to the model.
    pub const FIREWORKS: Self = Self {
        route: "openai-compatible/fireworks",
        provider: "fireworks",
        base_url: "https://api.fireworks.ai/inference/v1",
        key_variable: Some("FIREWORKS_API_KEY"),
        schema_in_prompt: true,
        tools: Some(Enforcement::Hint),
        strict_tools: false,
        tools_with_schema: false,
        max_tokens: "max_tokens",
        ..Self::OPENAI
    };

    /// Together, which asks for the schema in the prompt too. The subset that it enforces is not documented.
    pub const TOGETHER: Self = Self {
        route: "openai-compatible/together",
        provider: "together_ai",
        base_url: "https://api.together.xyz/v1",
        key_variable: Some("TOGETHER_API_KEY"),
        ..Self::FIREWORKS
    };

    /// vLLM's server.
    pub const VLLM: Self = Self {
        route: "openai-compatible/vllm",
        provider: "vllm",
        key_variable: Some("VLLM_API_KEY"),
        needs_model: true,
        enforcement: Enforcement::Enforced,
        ..Self::COMPATIBLE
    };

    /// `SGLang`'s server.
    pub const SGLANG: Self = Self {
        route: "openai-compatible/sglang",
        provider: "sglang",
        base_url: "http://localhost:30000/v1",
        key_variable: None,
        ..Self::VLLM
    };

    /// llama.cpp's server, which has one model and needs no name for it. It passes over a choice of one tool with a line in
    /// its log.
    pub const LLAMA_CPP: Self = Self {
        route: "openai-compatible/llama.cpp",
        provider: "llama_cpp",
        base_url: "http://localhost:8080/v1",
        enforcement: Enforcement::Enforced,
        named_tool: false,
        ..Self::COMPATIBLE
    };

    /// LM Studio with a GGUF model, which runs on llama.cpp.
    pub const LM_STUDIO: Self = Self {
        route: "openai-compatible/lm-studio",
        provider: "lm_studio",
        base_url: "http://localhost:1234/v1",
        ..Self::LLAMA_CPP
    };

    /// GLM by the token. Its one choice of tools is `auto`. JSON mode, with the schema in the prompt; `1301` is its code for input that it will not read.
    pub const GLM: Self = Self {
        route: "glm-payg",
        provider: "zai",
        base_url: "https://api.z.ai/api/paas/v4",
        key_variable: Some("ZAI_API_KEY"),
        schema: SchemaField::JsonObject,
        enforcement: Enforcement::Hint,
        tools: Some(Enforcement::Hint),
        strict_tools: false,
        required_tool: None,
        max_tokens: "max_tokens",
        seed: None,
        reasoning: ReasoningField::None,
        input_codes: &["1301"],
        ..Self::OPENAI
    };

    /// GLM by the coding plan.
    pub const GLM_CODING_PLAN: Self =
        Self { route: "glm-coding-plan", base_url: "https://api.z.ai/api/coding/paas/v4", ..Self::GLM };
}
