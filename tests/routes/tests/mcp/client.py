"""A client on the protocol's official Python SDK, and what it finds at a server of ours: the program in its arguments.

What it asserts is the protocol's, and what the tools of `mcp_tools` are made for.
"""

import asyncio
import sys

import jsonschema
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError


def text(result):
    [block] = result.content
    assert block.type == "text", block
    return block.text


async def main():
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    async with Client(server) as client:
        assert (client.server_info.name, client.server_info.version) == ("tools", "1.2.3"), client.server_info
        assert client.instructions == "For tests.", client.instructions

        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(tools) == ["add", "walk", "fail", "panic", "wait", "waited", "now", "dynamic"], list(tools)
        add = tools["add"]
        assert add.description == "Adds two numbers.", add
        schema = add.input_schema
        assert schema["type"] == "object" and schema["required"] == ["a", "b"], schema
        assert schema["additionalProperties"] is False, schema
        # Rules are keywords here, whatever a provider would make of them.
        assert schema["properties"]["b"]["maximum"] == 100, schema
        for tool in tools.values():
            assert tool.input_schema["type"] == "object", tool
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        deep = {"name": "a", "below": [{"name": "b", "below": []}]}
        jsonschema.validate(deep, tools["walk"].input_schema)

        good = await client.call_tool("add", {"a": 2, "b": 3})
        assert (text(good), bool(good.is_error)) == ("5", False), good
        bad = await client.call_tool("add", {"a": 2, "b": 300})
        assert bad.is_error and "`b`: expected at most 100, found 300" in text(bad), bad
        assert text(await client.call_tool("walk", deep)) == "a b"
        failed = await client.call_tool("fail", {})
        assert (text(failed), failed.is_error) == ("the tool failed: the disk is full", True), failed
        panicked = await client.call_tool("panic", {})
        assert panicked.is_error and "on purpose" in text(panicked), panicked
        assert text(await client.call_tool("now")) == "12:00"
        assert text(await client.call_tool("dynamic", {"any": [1]})) == '{"any":[1]}'
        try:
            await client.call_tool("unknown", {})
        except MCPError as error:
            assert "there is no tool `unknown`" in str(error), error
        else:
            raise AssertionError("a tool that there is not was called")

        # A slow call keeps no other from running, and is dropped once nobody waits for it.
        slow = asyncio.create_task(client.call_tool("wait", {}))
        results = await asyncio.gather(*(client.call_tool("add", {"a": i, "b": 1}) for i in range(20)))
        assert [text(result) for result in results] == [str(i + 1) for i in range(20)]
        slow.cancel()
        await asyncio.gather(slow, return_exceptions=True)
        for _ in range(200):
            if text(await client.call_tool("waited")) == "dropped":
                break
            await asyncio.sleep(0.01)
        else:
            raise AssertionError("the call goes on")


asyncio.run(main())
