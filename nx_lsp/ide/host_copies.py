"""Copies for hosts as a program's tool records ask for them (editor-experience 10)."""

from __future__ import annotations

from nx_lsp.ide.offers import tool_description, tool_name
from nx_lsp.ide.options import DEFAULT_OPTIONS, IdeOptions
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.schema.answers import FunctionSchema
from nx_lsp.schema.hosts import CopyOptions, Host, HostCopy

HOST_OF_VIEW: dict[str, Host] = {
    "mcp": "mcp",
    "openai": "openai",
    "openaiStrict": "openai-strict",
    "anthropic": "anthropic",
    "ax": "ax",
}
"""The views of a tool schema that are copies for hosts (``ide.options.HOST_VIEWS``)."""

TITLES = {
    "mcp": "MCP",
    "openai": "OpenAI",
    "openaiStrict": "OpenAI strict",
    "anthropic": "Anthropic",
    "ax": "Ax",
}
"""What people call them."""


def host_copy(
    db: ProgramDatabase, answer: FunctionSchema, host: Host, options: IdeOptions = DEFAULT_OPTIONS
) -> HostCopy:
    """The copy of an answer for a host, under the name and description that the program's tool
    record gives it."""
    id = DeclarationId(answer.module, answer.name)
    wishes = CopyOptions(options.copy_meta_schema, options.copy_result_in_description)
    name, description = tool_name(db, id), tool_description(db, id)
    return answer.for_host(host, name=name, description=description, options=wishes)
