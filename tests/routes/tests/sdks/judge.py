"""Drives an official SDK against the loopback server, and asserts that it reads each reply as what it is.

    judge.py (openai|anthropic|gemini|ollama) URL

Every check scripts what the server answers, calls the SDK as its users do, and looks at what the SDK hands over.
"""

import json
import sys
import urllib.request

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
LOOSE = {"type": "object", "properties": {"name": {"type": "string"}}}
ADA = '{"name": "Ada, née Byron", "age": 36}'
USAGE = {"input": 31, "output": 17, "cached": 8, "reasoning": 5}


class Server:
    def __init__(self, url):
        self.url = url

    def command(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + "/_loopback/" + path, data=data, method=method)
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def script(self, *exchanges):
        self.command("DELETE", "script")
        self.command("POST", "script", list(exchanges))

    def last(self):
        return self.command("GET", "requests")[-1]


def reply(text="", **more):
    return {"text": text, "usage": USAGE, **more}


def failed(kind, **more):
    return {"ending": {"failed": {"kind": kind, **more}}}


def broken(text, kind):
    return {"text": text, "ending": {"broken": {"kind": kind}}}


def call(name="lookup", arguments='{"email": "ada@example.org"}'):
    return {"name": name, "arguments": arguments}


def raises(kind, action):
    """The error of this kind that the action raises."""
    try:
        result = action()
    except kind as error:
        return error
    raise AssertionError(f"expected {kind}, got {result!r}")


def equal(found, wanted):
    assert found == wanted, f"expected {wanted!r}, found {found!r}"


# OpenAI


def openai(server):
    import openai

    client = openai.OpenAI(base_url=server.url + "/v1", api_key="test", max_retries=0)
    responses(server, client, openai)
    chat(server, client, openai)
    openai_batches(server, client)
    client.close()


def openai_batches(server, client):
    """Batches, as a program makes them with the SDK."""

    def body(number):
        return {"model": "gpt-5.6", "input": f"Who is <{number}>?"}

    lines = [
        {"custom_id": f"q-{number}", "method": "POST", "url": "/v1/responses", "body": body(number)} for number in range(3)
    ]
    server.script(reply(ADA, times=None))
    server.command("POST", "batches", {"polls": 1, "expired": ["<2>"]})
    data = "\n".join(json.dumps(line) for line in lines).encode()
    file = client.files.create(file=("batch.jsonl", data), purpose="batch")
    equal((file.purpose, file.bytes), ("batch", len(data)))
    batch = client.batches.create(
        input_file_id=file.id, endpoint="/v1/responses", completion_window="24h", metadata={"mark": "m"}
    )
    equal((batch.status, batch.request_counts.total, batch.metadata), ("in_progress", 3, {"mark": "m"}))
    equal([found.id for found in client.batches.list(limit=100)], [batch.id])
    got = client.batches.retrieve(batch.id)
    equal((got.status, got.request_counts.completed, got.request_counts.failed), ("expired", 2, 1))
    output = [json.loads(line) for line in client.files.content(got.output_file_id).text.splitlines()]
    equal([line["custom_id"] for line in output], ["q-1", "q-0"])
    answer = openai_response(output[0]["response"]["body"])
    equal((answer.status, answer.output_text), ("completed", ADA))
    [error] = [json.loads(line) for line in client.files.content(got.error_file_id).text.splitlines()]
    equal((error["custom_id"], error["response"], error["error"]["code"]), ("q-2", None, "batch_expired"))

    server.script(reply(ADA, times=None))
    server.command("POST", "batches", {"polls": 9})
    file = client.files.create(file=("batch.jsonl", data), purpose="batch")
    batch = client.batches.create(input_file_id=file.id, endpoint="/v1/responses", completion_window="24h")
    equal(client.batches.cancel(batch.id).status, "cancelling")
    equal(client.batches.retrieve(batch.id).status, "cancelled")
    server.command("POST", "batches", {"failed": "No such model."})
    file = client.files.create(file=("batch.jsonl", data), purpose="batch")
    batch = client.batches.create(input_file_id=file.id, endpoint="/v1/responses", completion_window="24h")
    got = client.batches.retrieve(batch.id)
    equal((got.status, got.errors.data[0].message, got.errors.data[0].line), ("failed", "No such model.", 1))
    server.script()


def openai_response(body):
    from openai.types.responses import Response

    return Response.model_validate(body)


def responses(server, client, openai):
    text_format = {"format": {"type": "json_schema", "name": "person", "strict": True, "schema": SCHEMA}}
    tool = {"type": "function", "name": "lookup", "strict": True, "parameters": SCHEMA}

    def ask(**more):
        return client.responses.create(model="gpt-5.6", input="Who?", **{"text": text_format, **more})

    server.script(reply(ADA, thinking="A person."))
    got = ask()
    equal((got.status, got.output_text, got.model), ("completed", ADA, "gpt-5.6"))
    equal(got.output[0].summary[0].text, "A person.")
    usage = got.usage
    equal((usage.input_tokens, usage.output_tokens), (31, 17))
    equal((usage.input_tokens_details.cached_tokens, usage.output_tokens_details.reasoning_tokens), (8, 5))
    equal(server.last()["body"]["text"]["format"]["name"], "person")

    for ending, status, reason in [
        ("cut_short", "incomplete", "max_output_tokens"),
        ("filtered", "incomplete", "content_filter"),
        ({"reason": "max_messages"}, "incomplete", "max_messages"),
    ]:
        server.script(reply('{"name": "A', ending=ending))
        got = ask()
        equal((got.status, got.incomplete_details.reason), (status, reason))
    server.script(reply(ending={"refused": "I can't help."}))
    part = ask().output[0].content[0]
    equal((part.type, part.refusal), ("refusal", "I can't help."))
    server.script(reply(ending="cancelled"))
    equal(ask().status, "cancelled")
    server.script(broken("", "server_error"))
    got = ask()
    equal((got.status, got.error.code), ("failed", "server_error"))
    server.script(reply(ending="input_blocked"))
    equal(ask().error.code, "invalid_prompt")

    server.script(reply(calls=[call(), call("other", "{}")]))
    got = ask(tools=[tool])
    equal([(item.type, item.name) for item in got.output], [("function_call", "lookup"), ("function_call", "other")])
    equal(json.loads(got.output[0].arguments), {"email": "ada@example.org"})
    turn = [{"role": "user", "content": "Who?"}, *[item.model_dump(exclude_none=True) for item in got.output]]
    results = [{"type": "function_call_output", "call_id": item.call_id, "output": "x"} for item in got.output]
    server.script(reply(ADA))
    equal(client.responses.create(model="gpt-5.6", input=turn + results).output_text, ADA)
    error = raises(openai.BadRequestError, lambda: client.responses.create(model="gpt-5.6", input=turn + results[:1]))
    assert "No tool output found for function call" in error.message, error

    # The helper of the SDK, which makes the schema and reads the reply.
    import pydantic

    class Person(pydantic.BaseModel):
        name: str
        age: int

    server.script(reply(ADA))
    equal(client.responses.parse(model="gpt-5.6", input="Who?", text_format=Person).output_parsed.age, 36)

    # Streams.
    def stream(**more):
        return list(ask(stream=True, **more))

    server.script(reply(ADA, thinking="A person."))
    events = stream()
    equal("".join(e.delta for e in events if e.type == "response.output_text.delta"), ADA)
    equal("".join(e.delta for e in events if e.type == "response.reasoning_summary_text.delta"), "A person.")
    equal(events[-1].type, "response.completed")
    equal(events[-1].response.output_text, ADA)
    equal([e.sequence_number for e in events], list(range(len(events))))
    server.script(reply(ADA))
    with client.responses.stream(model="gpt-5.6", input="Who?", text_format=Person) as events:
        equal(events.get_final_response().output_parsed.name, "Ada, née Byron")
    server.script(reply(calls=[call()]))
    events = stream(tools=[tool])
    deltas = "".join(e.delta for e in events if e.type == "response.function_call_arguments.delta")
    equal(json.loads(deltas), {"email": "ada@example.org"})
    server.script(reply(ending={"refused": "I can't help."}))
    equal("".join(e.delta for e in stream() if e.type == "response.refusal.delta"), "I can't help.")
    server.script(reply('{"name', ending="cut_short"))
    equal(stream()[-1].type, "response.incomplete")
    server.script(broken("{", "server_error"))
    equal(stream()[-1].response.error.code, "server_error")
    server.script(broken("{", "rate_limited"))
    last = stream()[-1]
    equal((last.type, last.code), ("error", "rate_limit_exceeded"))

    # Errors.
    errors(server, openai, ask, "text.format.schema")
    loose = {"format": {"type": "json_schema", "name": "person", "strict": True, "schema": LOOSE}}
    error = raises(openai.BadRequestError, lambda: ask(text=loose))
    equal(error.code, "invalid_json_schema")
    assert "Invalid schema for response_format 'person': In context=(), 'additionalProperties'" in error.message, error
    server.script(reply("{}"))
    loose["format"]["strict"] = False
    equal(ask(text=loose).output_text, "{}")
    raises(openai.BadRequestError, lambda: ask(text={"format": {"type": "json_schema", "schema": SCHEMA}}))
    error = raises(openai.BadRequestError, lambda: ask(tools=[{**tool, "parameters": LOOSE}]))
    equal(error.code, "invalid_function_parameters")


def errors(server, openai, ask, schema_param):
    for kind, expected, status, code in [
        ("invalid_request", openai.BadRequestError, 400, None),
        ("schema_refused", openai.BadRequestError, 400, "invalid_json_schema"),
        ("context_too_long", openai.BadRequestError, 400, "context_length_exceeded"),
        ("unauthorized", openai.AuthenticationError, 401, "invalid_api_key"),
        ("forbidden", openai.PermissionDeniedError, 403, "unsupported_country_region_territory"),
        ("not_found", openai.NotFoundError, 404, "model_not_found"),
        ("request_timeout", openai.APIStatusError, 408, None),
        ("conflict", openai.ConflictError, 409, None),
        ("too_large", openai.APIStatusError, 413, None),
        ("rate_limited", openai.RateLimitError, 429, "rate_limit_exceeded"),
        ("quota_used_up", openai.RateLimitError, 429, "insufficient_quota"),
        ("server_error", openai.InternalServerError, 500, "server_error"),
        ("overloaded", openai.InternalServerError, 503, "server_is_overloaded"),
    ]:
        server.script(failed(kind, message="In these words.", retry_after="7"))
        error = raises(expected, ask)
        equal((error.status_code, error.code), (status, code))
        assert "In these words." in error.message, error
        equal(error.response.headers["retry-after"], "7")
        assert error.request_id, error
        if kind == "schema_refused":
            equal(error.param, schema_param)
    server.script(failed("bad_gateway"))
    equal(raises(openai.InternalServerError, ask).status_code, 502)
    for fault in ["reset_at_once", {"close": 20}, {"reset": 20}, "garbage"]:
        server.script(reply(ADA, fault=fault))
        raises(openai.APIConnectionError, ask)
    server.script(reply(ADA, fault={"drip": {"bytes": 1, "pause_ms": 0}}))
    ask()
    # The SDK's own retries wait as they are told, and then get the reply.
    server.script(failed("rate_limited", retry_after="0"), failed("overloaded", retry_after="0"), reply(ADA))
    patient = openai.OpenAI(base_url=server.url + "/v1", api_key="test", max_retries=2)
    got = patient.chat.completions.create(model="gpt-5.6", messages=[{"role": "user", "content": "Who?"}])
    equal(got.choices[0].message.content, ADA)


def chat(server, client, openai):
    response_format = {"type": "json_schema", "json_schema": {"name": "person", "strict": True, "schema": SCHEMA}}
    tool = {"type": "function", "function": {"name": "lookup", "strict": True, "parameters": SCHEMA}}
    user = {"role": "user", "content": "Who?"}

    def ask(**more):
        arguments = {"messages": [user], "response_format": response_format, **more}
        return client.chat.completions.create(model="gpt-5.6", **arguments)

    server.script(reply(ADA))
    got = ask()
    choice = got.choices[0]
    equal((choice.message.content, choice.message.refusal, choice.finish_reason), (ADA, None, "stop"))
    equal((got.usage.prompt_tokens, got.usage.completion_tokens), (31, 17))
    equal(got.usage.completion_tokens_details.reasoning_tokens, 5)
    server.script(reply(ending={"refused": "I can't help."}))
    message = ask().choices[0].message
    equal((message.content, message.refusal), (None, "I can't help."))
    for ending, reason in [("cut_short", "length"), ("filtered", "content_filter")]:
        server.script(reply('{"name', ending=ending))
        equal(ask().choices[0].finish_reason, reason)
    server.script(reply(ending="input_blocked"))
    equal(raises(openai.BadRequestError, ask).code, "content_filter")

    server.script(reply(calls=[call(), call("other", "{}")]))
    choice = ask(tools=[tool]).choices[0]
    equal(choice.finish_reason, "tool_calls")
    equal([one.function.name for one in choice.message.tool_calls], ["lookup", "other"])
    turn = [user, choice.message.model_dump(exclude_none=True)]
    results = [{"role": "tool", "tool_call_id": one.id, "content": "x"} for one in choice.message.tool_calls]
    server.script(reply(ADA))
    equal(ask(messages=turn + results).choices[0].message.content, ADA)
    error = raises(openai.BadRequestError, lambda: ask(messages=turn + results[:1]))
    assert "must be followed by tool messages" in error.message, error
    error = raises(openai.BadRequestError, lambda: ask(messages=[user, *results]))
    assert "must be a response to a preceeding message" in error.message, error

    import pydantic

    class Person(pydantic.BaseModel):
        name: str
        age: int

    server.script(reply(ADA))
    got = client.chat.completions.parse(model="gpt-5.6", messages=[user], response_format=Person)
    equal(got.choices[0].message.parsed.age, 36)
    server.script(reply('{"name', ending="cut_short"))
    raises(
        openai.LengthFinishReasonError,
        lambda: client.chat.completions.parse(model="gpt-5.6", messages=[user], response_format=Person),
    )
    server.script(reply('{"name', ending="filtered"))
    raises(
        openai.ContentFilterFinishReasonError,
        lambda: client.chat.completions.parse(model="gpt-5.6", messages=[user], response_format=Person),
    )

    server.script(reply(ADA))
    chunks = list(ask(stream=True, stream_options={"include_usage": True}))
    equal("".join(c.choices[0].delta.content or "" for c in chunks if c.choices), ADA)
    equal((chunks[-1].choices, chunks[-1].usage.completion_tokens), ([], 17))
    equal(chunks[-2].choices[0].finish_reason, "stop")
    server.script(reply(ADA, calls=[call(), call("other", "{}")]))
    with client.chat.completions.stream(model="gpt-5.6", messages=[user], tools=[tool]) as events:
        message = events.get_final_completion().choices[0].message
    equal([(one.function.name, json.loads(one.function.arguments)) for one in message.tool_calls],
          [("lookup", {"email": "ada@example.org"}), ("other", {})])
    server.script(reply(ending={"refused": "I can't help."}))
    equal("".join(c.choices[0].delta.refusal or "" for c in ask(stream=True)), "I can't help.")
    server.script(broken("{", "server_error"))
    raises(openai.APIError, lambda: list(ask(stream=True)))

    errors(server, openai, ask, "response_format")
    raises(openai.BadRequestError, lambda: ask(response_format={"type": "json_object"}))
    server.script(reply("{}"))
    ask(response_format={"type": "json_object"}, messages=[{"role": "user", "content": "as JSON"}])
    raises(openai.BadRequestError, lambda: ask(response_format={"type": "json_schema", "json_schema": {"name": "a b", "schema": SCHEMA}}))


# Anthropic


def anthropic_batches(server, client):
    def params(number):
        return {
            "model": "claude-sonnet-5",
            "max_tokens": 100,
            "messages": [{"role": "user", "content": f"Who is <{number}>?"}],
        }

    requests = [{"custom_id": f"q-{number}", "params": params(number)} for number in range(4)]
    server.script(
        {**failed("invalid_request"), "containing": "<3>", "times": None}, {**reply(ADA), "times": None}
    )
    server.command("POST", "batches", {"polls": 1, "expired": ["<2>"]})
    batch = client.messages.batches.create(requests=requests)
    equal((batch.processing_status, batch.request_counts.processing), ("in_progress", 4))
    equal([found.id for found in client.messages.batches.list(limit=100)], [batch.id])
    got = client.messages.batches.retrieve(batch.id)
    counts = got.request_counts
    equal((got.processing_status, counts.succeeded, counts.errored, counts.expired), ("ended", 2, 1, 1))
    results = list(client.messages.batches.results(batch.id))
    equal([line.custom_id for line in results], ["q-3", "q-2", "q-1", "q-0"])
    equal([line.result.type for line in results], ["errored", "expired", "succeeded", "succeeded"])
    equal(results[0].result.error.error.type, "invalid_request_error")
    equal(results[3].result.message.content[0].text, ADA)

    server.script({**reply(ADA), "times": None})
    server.command("POST", "batches", {"polls": 9})
    batch = client.messages.batches.create(requests=requests)
    equal(client.messages.batches.cancel(batch.id).processing_status, "canceling")
    counts = client.messages.batches.retrieve(batch.id).request_counts
    equal((counts.succeeded, counts.canceled), (2, 2))
    server.script()


def anthropic(server):
    import anthropic

    client = anthropic.Anthropic(base_url=server.url, api_key="test", max_retries=0)
    anthropic_batches(server, client)
    output = {"format": {"type": "json_schema", "schema": SCHEMA}}
    user = {"role": "user", "content": "Who?"}
    tool = {"name": "lookup", "input_schema": SCHEMA, "strict": True}

    def ask(**more):
        arguments = {"messages": [user], "output_config": output, "max_tokens": 2000, **more}
        return client.messages.create(model="claude-sonnet-5", **arguments)

    server.script(reply(ADA, thinking="A person."))
    got = ask()
    equal([block.type for block in got.content], ["thinking", "text"])
    equal((got.content[0].thinking, got.content[1].text), ("A person.", ADA))
    assert got.content[0].signature, got
    equal((got.stop_reason, got.model, got.type), ("end_turn", "claude-sonnet-5", "message"))
    equal((got.usage.input_tokens, got.usage.cache_read_input_tokens, got.usage.output_tokens), (23, 8, 17))
    equal(got.usage.output_tokens_details.thinking_tokens, 5)
    assert got._request_id, got
    seen = server.last()
    equal(seen["refused"], None)
    assert dict(seen["headers"])["anthropic-version"], seen

    for ending, reason in [
        ("cut_short", "max_tokens"),
        ({"reason": "pause_turn"}, "pause_turn"),
        ({"reason": "model_context_window_exceeded"}, "model_context_window_exceeded"),
        ({"reason": "stop_sequence"}, "stop_sequence"),
    ]:
        server.script(reply('{"name', ending=ending))
        equal(ask().stop_reason, reason)
    server.script(reply(ending={"refused": "It is about weapons."}))
    got = ask()
    equal((got.stop_reason, got.stop_details.category, got.content), ("refusal", "cyber", []))
    equal(got.stop_details.explanation, "It is about weapons.")
    for ending in ["filtered", "input_blocked"]:
        server.script(reply(ending=ending))
        assert "content filtering policy" in raises(anthropic.BadRequestError, ask).message

    server.script(reply("Let me see.", thinking="Hm.", calls=[call(), call("other", "{}")]))
    got = ask(tools=[tool])
    equal(got.stop_reason, "tool_use")
    calls = [block for block in got.content if block.type == "tool_use"]
    equal([(one.name, one.input) for one in calls], [("lookup", {"email": "ada@example.org"}), ("other", {})])
    turn = [user, {"role": "assistant", "content": got.content}]
    results = [{"type": "tool_result", "tool_use_id": one.id, "content": "x"} for one in calls]
    server.script(reply(ADA))
    equal(ask(messages=turn + [{"role": "user", "content": results}], tools=[tool]).content[0].text, ADA)
    error = raises(anthropic.BadRequestError, lambda: ask(messages=turn + [{"role": "user", "content": results}]))
    assert "must define tools" in error.message, error
    half = turn + [{"role": "user", "content": results[:1]}]
    error = raises(anthropic.BadRequestError, lambda: ask(messages=half, tools=[tool]))
    assert "`tool_use` ids were found without `tool_result` blocks" in error.message, error
    error = raises(anthropic.BadRequestError, lambda: ask(messages=[{"role": "user", "content": results}], tools=[tool]))
    assert "unexpected `tool_use_id`" in error.message, error

    # Streams: the SDK's own accumulator must arrive at the unstreamed message.
    def whole(exchange, **more):
        server.script(exchange, exchange)
        unstreamed = ask(**more)
        with client.messages.stream(
            model="claude-sonnet-5", **{"messages": [user], "output_config": output, "max_tokens": 2000, **more}
        ) as events:
            streamed = events.get_final_message()
        one, two = (
            json.dumps(m.model_dump(exclude_none=True, exclude={"id", "usage"}), sort_keys=True).replace(m.id[-8:], "*")
            for m in (unstreamed, streamed)
        )
        one, two = (drop_parsed(json.loads(m)) for m in (one, two))
        equal(two, one)
        equal(streamed.usage.output_tokens, unstreamed.usage.output_tokens)

    whole(reply(ADA))
    whole(reply(ADA, thinking="A person."))
    whole(reply("", calls=[call(), call("other", "{}")]), tools=[tool])
    whole(reply(ending={"refused": "It is about weapons."}))
    whole(reply('{"name', ending="cut_short"))
    server.script(broken("{", "overloaded"))
    error = raises(anthropic.APIStatusError, lambda: list(ask(stream=True)))
    assert "overloaded_error" in str(error), error

    for kind, expected, status, word in [
        ("invalid_request", anthropic.BadRequestError, 400, "invalid_request_error"),
        ("schema_refused", anthropic.BadRequestError, 400, "invalid_request_error"),
        ("context_too_long", anthropic.BadRequestError, 400, "invalid_request_error"),
        ("unauthorized", anthropic.AuthenticationError, 401, "authentication_error"),
        ("forbidden", anthropic.PermissionDeniedError, 403, "permission_error"),
        ("not_found", anthropic.NotFoundError, 404, "not_found_error"),
        ("request_timeout", anthropic.APIStatusError, 408, "timeout_error"),
        ("conflict", anthropic.ConflictError, 409, "invalid_request_error"),
        ("too_large", anthropic.APIStatusError, 413, "request_too_large"),
        ("rate_limited", anthropic.RateLimitError, 429, "rate_limit_error"),
        ("server_error", anthropic.InternalServerError, 500, "api_error"),
        ("overloaded", anthropic.APIStatusError, 529, "overloaded_error"),
    ]:
        server.script(failed(kind, message="In these words.", retry_after="7"))
        error = raises(expected, ask)
        equal((error.status_code, error.body["error"]["type"]), (status, word))
        assert "In these words." in error.message, error
        equal(error.response.headers["retry-after"], "7")
        assert error.request_id, error
    for fault in ["reset_at_once", {"close": 20}, "garbage"]:
        server.script(reply(ADA, fault=fault))
        raises(anthropic.APIConnectionError, ask)

    for schema, said in [
        (LOOSE, "For 'object' type, 'additionalProperties' must be explicitly set to false"),
        ({**SCHEMA, "oneOf": []}, "Schema type 'oneOf' is not supported"),
    ]:
        wrong = {"format": {"type": "json_schema", "schema": schema}}
        error = raises(anthropic.BadRequestError, lambda: ask(output_config=wrong))
        assert "output_config.format.schema: " + said in error.message, error
    for wrong in [
        {"tool_choice": {"type": "tool", "name": "absent"}, "tools": [tool]},
        {"tool_choice": {"type": "any"}},
        {"thinking": {"type": "adaptive"}, "tool_choice": {"type": "any"}, "tools": [tool]},
        {"extra_body": {"frequency_penalty": 1}},
        {"messages": []},
        {"messages": [{"role": "assistant", "content": "Hi."}]},
        {"messages": [{"role": "user", "content": ""}]},
    ]:
        raises(anthropic.BadRequestError, lambda: ask(**wrong))
    client.close()


def drop_parsed(message):
    for block in message["content"]:
        block.pop("parsed_output", None)
    return message


# Gemini


def gemini_batches(server, client):
    def request(number):
        contents = [{"role": "user", "parts": [{"text": f"Who is <{number}>?"}]}]
        return {"contents": contents, "metadata": {"key": f"q-{number}"}}

    server.script({**reply(ADA), "times": None})
    server.command("POST", "batches", {"polls": 1})
    source = [request(number) for number in range(2)]
    job = client.batches.create(model="gemini-3-pro", src=source, config={"display_name": "a mark"})
    equal((job.state.name, job.display_name), ("JOB_STATE_RUNNING", "a mark"))
    equal([found.name for found in client.batches.list(config={"page_size": 100})], [job.name])
    got = client.batches.get(name=job.name)
    equal(got.state.name, "JOB_STATE_SUCCEEDED")
    equal([found.response.text for found in got.dest.inlined_responses], [ADA, ADA])
    equal([found.metadata["key"] for found in got.dest.inlined_responses], ["q-1", "q-0"])

    server.command("POST", "batches", {"polls": 9})
    job = client.batches.create(model="gemini-3-pro", src=source)
    client.batches.cancel(name=job.name)
    equal(client.batches.get(name=job.name).state.name, "JOB_STATE_CANCELLED")
    server.script()


def gemini(server):
    from google import genai
    from google.genai import errors, types

    client = genai.Client(api_key="test", http_options=types.HttpOptions(base_url=server.url))
    gemini_batches(server, client)
    config = {"response_mime_type": "application/json", "response_json_schema": SCHEMA}

    def ask(contents="Who?", **more):
        return client.models.generate_content(model="gemini-3-pro", contents=contents, config={**config, **more})

    server.script(reply(ADA, thinking="A person."))
    got = ask(thinking_config={"include_thoughts": True}, system_instruction="Be brief.", max_output_tokens=50)
    equal((got.text, got.parsed), (ADA, json.loads(ADA)))
    candidate = got.candidates[0]
    equal((candidate.finish_reason, candidate.content.role), (types.FinishReason.STOP, "model"))
    equal((candidate.content.parts[0].thought, candidate.content.parts[0].text), (True, "A person."))
    usage = got.usage_metadata
    equal((usage.prompt_token_count, usage.candidates_token_count, usage.thoughts_token_count), (31, 12, 5))
    equal((usage.cached_content_token_count, usage.total_token_count), (8, 48))
    body = server.last()["body"]
    equal(body["generationConfig"]["responseJsonSchema"], SCHEMA)

    server.script(reply('{"name', ending="cut_short"))
    equal(ask().candidates[0].finish_reason, types.FinishReason.MAX_TOKENS)
    server.script(reply(ending="filtered"))
    got = ask()
    equal((got.candidates[0].finish_reason, got.text), (types.FinishReason.SAFETY, None))
    for reason in ["RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "OTHER", "MALFORMED_FUNCTION_CALL"]:
        server.script(reply(ending={"reason": reason}))
        equal(ask().candidates[0].finish_reason, types.FinishReason(reason))
    server.script(reply(ending="input_blocked"))
    got = ask()
    equal((got.candidates, got.prompt_feedback.block_reason), (None, types.BlockedReason.PROHIBITED_CONTENT))

    tool = types.Tool(function_declarations=[types.FunctionDeclaration(name="lookup", parameters_json_schema=SCHEMA)])
    server.script(reply(thinking="Hm.", calls=[call(), call("other", "{}")]))
    got = client.models.generate_content(model="gemini-3-pro", contents="Who?", config={"tools": [tool]})
    equal([(one.name, one.args) for one in got.function_calls], [("lookup", {"email": "ada@example.org"}), ("other", {})])
    user = types.Content(role="user", parts=[types.Part(text="Who?")])
    results = [types.Part.from_function_response(name=one.name, response={"result": "x"}) for one in got.function_calls]
    server.script(reply(ADA))
    equal(ask([user, got.candidates[0].content, types.Content(role="user", parts=results)]).text, ADA)
    error = raises(
        errors.ClientError,
        lambda: ask([user, got.candidates[0].content, types.Content(role="user", parts=results[:1])]),
    )
    assert "number of function response parts" in error.message, error

    def stream(**more):
        return list(client.models.generate_content_stream(model="gemini-3-pro", contents="Who?", config={**config, **more}))

    server.script(reply(ADA, thinking="A person."))
    chunks = stream()
    parts = [part for chunk in chunks for part in chunk.candidates[0].content.parts or []]
    equal("".join(part.text for part in parts if not part.thought), ADA)
    equal("".join(part.text for part in parts if part.thought), "A person.")
    equal(chunks[-1].candidates[0].finish_reason, types.FinishReason.STOP)
    equal(chunks[-1].usage_metadata.total_token_count, 48)
    equal(server.last()["query"], "alt=sse")
    server.script(reply(calls=[call()]))
    calls = [one for chunk in stream() for one in chunk.function_calls or []]
    equal([(one.name, one.args) for one in calls], [("lookup", {"email": "ada@example.org"})])
    server.script(reply('{"name', ending="filtered"))
    equal(stream()[-1].candidates[0].finish_reason, types.FinishReason.SAFETY)
    server.script(reply(ending="input_blocked"))
    equal(stream()[0].prompt_feedback.block_reason, types.BlockedReason.PROHIBITED_CONTENT)
    server.script(broken("{", "overloaded"))
    equal(raises(errors.APIError, stream).code, 503)

    for kind, expected, code, status in [
        ("invalid_request", errors.ClientError, 400, "INVALID_ARGUMENT"),
        ("schema_refused", errors.ClientError, 400, "INVALID_ARGUMENT"),
        ("unauthorized", errors.ClientError, 400, "INVALID_ARGUMENT"),
        ("forbidden", errors.ClientError, 403, "PERMISSION_DENIED"),
        ("not_found", errors.ClientError, 404, "NOT_FOUND"),
        ("rate_limited", errors.ClientError, 429, "RESOURCE_EXHAUSTED"),
        ("server_error", errors.ServerError, 500, "INTERNAL"),
        ("overloaded", errors.ServerError, 503, "UNAVAILABLE"),
    ]:
        server.script(failed(kind, message="In these words."))
        error = raises(expected, ask)
        equal((error.code, error.status, error.message), (code, status, "In these words."))
    error = raises(errors.ClientError, lambda: ask(response_schema={"type": "OBJECT"}))
    equal(error.status, "INVALID_ARGUMENT")


# Ollama


def ollama(server):
    import ollama

    client = ollama.Client(host=server.url)
    user = {"role": "user", "content": "Who?"}

    def ask(**more):
        return client.chat(**{"model": "qwen3", "messages": [user], "format": SCHEMA, **more})

    server.script(reply(ADA, thinking="A person."))
    got = ask(think=True, options={"temperature": 0, "num_predict": 50})
    equal((got.message.content, got.message.thinking, got.message.role), (ADA, "A person.", "assistant"))
    equal((got.done, got.done_reason, got.prompt_eval_count, got.eval_count), (True, "stop", 31, 17))
    equal(server.last()["body"]["format"], SCHEMA)
    server.script(reply('{"name', ending="cut_short"))
    equal(ask().done_reason, "length")
    server.script(reply(calls=[call(), call("other", "{}")]))
    tool = {"type": "function", "function": {"name": "lookup", "description": "", "parameters": SCHEMA}}
    got = client.chat(model="qwen3", messages=[user], tools=[tool])
    equal([(one.function.name, dict(one.function.arguments)) for one in got.message.tool_calls],
          [("lookup", {"email": "ada@example.org"}), ("other", {})])
    turn = [user, got.message, {"role": "tool", "tool_name": "lookup", "content": "x"}]
    server.script(reply(ADA))
    equal(ask(messages=turn).message.content, ADA)

    def stream(**more):
        return list(ask(stream=True, **more))

    server.script(reply(ADA, thinking="A person."))
    parts = stream()
    equal("".join(part.message.content for part in parts), ADA)
    equal("".join(part.message.thinking or "" for part in parts), "A person.")
    equal((parts[-1].done, parts[-1].done_reason, parts[-1].eval_count), (True, "stop", 17))
    server.script(reply(calls=[call()]))
    calls = [one for part in stream() for one in part.message.tool_calls or []]
    equal([one.function.name for one in calls], ["lookup"])
    server.script(broken("{", "server_error"))
    assert "llama runner" in raises(ollama.ResponseError, stream).error

    for kind, status in [
        ("invalid_request", 400), ("unauthorized", 401), ("forbidden", 403), ("not_found", 404),
        ("rate_limited", 429), ("server_error", 500), ("overloaded", 503),
    ]:
        server.script(failed(kind, message="In these words."))
        error = raises(ollama.ResponseError, ask)
        equal((error.status_code, error.error), (status, "In these words."))
    error = raises(ollama.ResponseError, lambda: ask(messages=[{"role": "wizard", "content": "Who?"}]))
    equal((error.status_code, error.error), (400, "invalid role: wizard"))


if __name__ == "__main__":
    {"openai": openai, "anthropic": anthropic, "gemini": gemini, "ollama": ollama}[sys.argv[1]](Server(sys.argv[2]))
