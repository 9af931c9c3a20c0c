"""A server on the protocol's official Python SDK, with what servers do at their edges.

Its first argument says how it is: `plain`, `endless` (its list has no end), `twins` (a name twice) or `dying` (it ends
before it says a word).
"""

import asyncio
import os
import subprocess
import sys

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

HOW = sys.argv[1]
TEXT = {"type": "string"}


def tool(name, properties=None, **more):
    schema = {"type": "object", "properties": properties or {}, **more}
    return types.Tool(name=name, description=f"The tool {name}.", input_schema=schema)


def closed(name, **properties):
    return tool(name, properties, required=list(properties), additionalProperties=False)


PAGES = [
    [closed("echo", text=TEXT), tool("open.map", additionalProperties=TEXT)],
    [closed("read file/now", path=TEXT), tool("optional", {"text": TEXT, "times": {"type": "integer"}}, required=["text"])],
    [closed("wrong"), closed("broken"), closed("wait"), closed("die"), closed("child"), closed("cancelled")],
]
cancelled = []


async def list_tools(_, params):
    cursor = params.cursor if params else None
    place = int(cursor) if cursor else 0
    more = str(place + 1) if place + 1 < len(PAGES) else None
    tools = PAGES[place]
    if HOW == "endless":
        more = "1"
    if HOW == "twins":
        tools, more = [closed("echo", text=TEXT), closed("echo", text=TEXT)], None
    return types.ListToolsResult(tools=tools, next_cursor=more)


def said(text, is_error=False):
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=is_error)


async def call_tool(_, params):
    arguments = params.arguments or {}
    match params.name:
        case "echo":
            return said(arguments["text"])
        case "open.map" | "read file/now" | "optional":
            return said(f"{params.name}: {sorted(arguments.items())}")
        case "wrong":
            return said("there is no such thing", is_error=True)
        case "broken":
            raise MCPError(code=-32000, message="the disk is full")
        case "wait":
            try:
                await asyncio.sleep(3600)
            except BaseException:
                cancelled.append(params.name)
                raise
        case "cancelled":
            return said(str(len(cancelled)))
        case "child":
            return said(str(subprocess.Popen(["sleep", "3600"]).pid))
        case "die":
            print("these are its last words", file=sys.stderr, flush=True)
            os._exit(3)
    raise MCPError(code=-32602, message=f"unknown tool {params.name}")


async def main():
    server = Server("edges", version="1.0.0", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


if HOW == "dying":
    print("no module named anything", file=sys.stderr, flush=True)
    sys.exit(1)
asyncio.run(main())
