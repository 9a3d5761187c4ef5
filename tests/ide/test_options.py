import pytest

from nx_lsp.ide.options import DEFAULT_OPTIONS, IdeOptions, options_from_settings
from nx_lsp.program.declarations import DeclarationId


def test_nothing_set_means_the_defaults() -> None:
    for settings in (None, {}, {"hover": None}, {"hover": {"maxLines": None}}):
        assert options_from_settings(settings) == (DEFAULT_OPTIONS, ())


def test_tool_context_is_host_supplied_by_default() -> None:
    assert DEFAULT_OPTIONS.host_supplied == (DeclarationId("@nx/agent/agent.nx", "ToolContext"),)


def test_settings_are_read_nested_and_dotted() -> None:
    settings = {
        "hover": {"maxLines": 50, "schema": "input"},
        "schema.otherFunctions": "information",
        "schema": {
            "hostSuppliedTypes": [{"module": "a.nx", "name": "Session"}],
            "tools": ["tools.nx#find*"],
            "severity": {"schema-inexpressible-type": "hint"},
        },
    }
    options, messages = options_from_settings(settings)
    assert messages == ()
    assert options == IdeOptions(
        host_supplied=(DeclarationId("a.nx", "Session"),),
        tools=("tools.nx#find*",),
        other_functions="info",
        severity=(("schema-inexpressible-type", "hint"),),
        hover_schema="input",
        hover_max_lines=50,
    )


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"hover": {"maxLines": "many"}}, "nxlsp.hover.maxLines"),
        ({"hover": {"maxLines": 0}}, "nxlsp.hover.maxLines"),
        ({"hover": {"maxMembers": True}}, "nxlsp.hover.maxMembers"),
        ({"hover": {"schema": "all"}}, "nxlsp.hover.schema"),
        ({"schema": {"otherFunctions": 1}}, "nxlsp.schema.otherFunctions"),
        ({"schema": {"severity": {"no-such-code": "hint"}}}, "nxlsp.schema.severity"),
        ({"schema": {"severity": {"tool-open-object": []}}}, "nxlsp.schema.severity"),
        ({"schema": {"hostSuppliedTypes": ["ToolContext"]}}, "nxlsp.schema.hostSuppliedTypes"),
        ({"schema": {"tools": "find*"}}, "nxlsp.schema.tools"),
    ],
)
def test_a_bad_value_is_named_once_and_the_default_used(
    settings: dict[str, object], name: str
) -> None:
    options, messages = options_from_settings(settings)
    assert options == DEFAULT_OPTIONS
    assert len(messages) == 1
    assert f"`{name}`" in messages[0]


def test_other_settings_hold_beside_a_bad_one() -> None:
    options, messages = options_from_settings({"hover": {"maxLines": -1, "maxMembers": 3}})
    assert options.hover_max_members == 3
    assert len(messages) == 1


def test_patterns_name_tools() -> None:
    options = IdeOptions(tools=("tools.nx#find*", "*#main"))
    assert options.names_tool(DeclarationId("tools.nx", "findPlans"))
    assert options.names_tool(DeclarationId("any/where.nx", "main"))
    assert not options.names_tool(DeclarationId("other.nx", "findPlans"))
