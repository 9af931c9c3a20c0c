//! A function whose input has a schema that is known at run time only.

use std::marker::PhantomData;
use std::sync::Arc;

use serde_json::Value;

use super::{Run, Running, Surroundings, Tool, ToolOutput, bad, result_of, written};
use crate::adapter::{ResponseFormat, ToolSpec};
use crate::decode::Decoder;

impl<'t> Tool<'t> {
    /// A tool whose input has a schema that is known at run time only: a JSON Schema of objects.
    ///
    /// It goes out as each route's dialect takes it, strict or as a hint. The function gets only what the schema
    /// allows; with the feature `jsonschema` that is all that it says, without it what strict schemas are made of.
    pub fn dynamic<T, M>(
        name: impl Into<String>,
        description: impl Into<String>,
        schema: impl Into<Value>,
        function: impl Fn(Value) -> T + Send + Sync + 't,
    ) -> Self
    where
        T: Future<Output: ToolOutput<M>> + Send + 't,
        M: 't,
    {
        let format = ResponseFormat::from_schema(schema);
        let run = Dynamic { format: format.clone(), function, output: PhantomData::<fn() -> M> };
        Self { spec: ToolSpec::new(name, description, format), timeout: None, run: Arc::new(run) }
    }
}

struct Dynamic<F, M> {
    format: ResponseFormat,
    function: F,
    output: PhantomData<fn() -> M>,
}

impl<T, M, F> Run for Dynamic<F, M>
where
    T: Future<Output: ToolOutput<M>> + Send,
    F: Fn(Value) -> T + Send + Sync,
{
    fn run<'a>(&'a self, arguments: &'a str, _: &'a Surroundings) -> Running<'a> {
        Box::pin(async move {
            let running = match Decoder::new().decode_value(written(arguments), &self.format) {
                Ok(decoded) => (self.function)(decoded.value),
                Err(error) => return bad(&error),
            };
            result_of(running.await)
        })
    }
}
