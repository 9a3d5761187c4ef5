"""Code actions over the protocol (editor-experience 6).

An action's edits are for the versions that they were made from. Where the author is to go on
writing, a client that takes snippets gets one; VS Code's gets a command that selects the place;
others get the plain text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from nx_lsp.ide.action_model import (
    KINDS,
    QUICK_FIX,
    ActionCommand,
    CodeAction,
    HostSuppliedSetting,
    ShowDeclaration,
)
from nx_lsp.ide.actions import code_actions
from nx_lsp.ide.edits import FileEdit, TextEdit, apply_edits, cursor_after
from nx_lsp.ide.options import IdeOptions
from nx_lsp.server.conversions import Translator
from nx_lsp.server.features import ask, diagnostic
from nx_lsp.syntax.text import LineIndex

if TYPE_CHECKING:
    from nx_lsp.server.lifecycle import NxServer

Actions = list[lsp.CodeAction | lsp.Command]
Edit = lsp.TextEdit | lsp.AnnotatedTextEdit | lsp.SnippetTextEdit

ANNOTATION = "change"
"""The one annotation of an edit."""


async def _code_actions(server: NxServer, params: lsp.CodeActionParams) -> Actions | None:
    def question(at: Translator, module: str, options: IdeOptions) -> Actions:
        start = at.offset(module, params.range.start)
        end = at.offset(module, params.range.end)
        found = code_actions(at.db, module, start, end, _wanted_kinds(params.context), options)
        actions: Actions = []
        for action in found:
            converted = _action(server, at, module, action)
            if converted is not None:
                actions.append(converted)
        return actions

    return await ask(server, "code actions", params.text_document.uri, question)


def _wanted_kinds(context: lsp.CodeActionContext) -> list[str] | None:
    """What is asked for. A light bulb that appears by itself is for what mends or rewrites, not
    for what can be done in every function."""
    if context.only is not None:
        return [str(one) for one in context.only]
    if context.trigger_kind == lsp.CodeActionTriggerKind.Automatic:
        return [QUICK_FIX, "refactor"]
    return None


def _action(
    server: NxServer, at: Translator, module: str, action: CodeAction
) -> lsp.CodeAction | lsp.Command | None:
    """``None`` for what this client cannot carry out."""
    client = server.client
    command = _command(server, at, action)
    if action.command is not None and command is None:
        return None
    if not client.action_literals:
        return command
    return lsp.CodeAction(
        title=action.title,
        kind=action.kind,
        diagnostics=[diagnostic(server, at, module, one) for one in action.fixes] or None,
        is_preferred=action.preferred or None,
        edit=_workspace_edit(server, at, action) if action.edits else None,
        command=command,
    )


# ---------------------------------------------------------------- commands


def _command(server: NxServer, at: Translator, action: CodeAction) -> lsp.Command | None:
    project = at.snapshot.project.uri
    match action.command:
        case HostSuppliedSetting(type, name):
            arguments: Any = {"project": project, "module": type.module, "name": type.name}
            return _named(action, name, arguments) if server.client.command_links else None
        case ShowDeclaration(declaration, name):
            target = {"project": project, "module": declaration.module, "name": declaration.name}
            shows = server.client.shows_documents
            return _named(action, name, {"target": target}) if shows else None
        case ActionCommand(name, function, view):
            target = {"project": project, "module": function.module, "name": function.name}
            return _named(action, name, {"target": target, "view": view})
        case None:
            return _place_cursor(server, at, action)


def _named(action: CodeAction, name: str, argument: object) -> lsp.Command:
    return lsp.Command(action.title, name, arguments=[argument])


def _place_cursor(server: NxServer, at: Translator, action: CodeAction) -> lsp.Command | None:
    """The client's command that selects what the author is to write over, where neither a
    snippet says it nor nothing is to be done."""
    if not server.client.command_links or server.client.snippet_edits:
        return None
    for file in action.edits:
        before = at.index(file.module).text
        selected = cursor_after(before, file.edits)
        if selected is None:
            continue
        index = LineIndex(apply_edits(before, file.edits))
        start, end = (index.position(each, at.encoding) for each in selected)
        argument: dict[str, Any] = {
            "uri": at.uri(file.module),
            "range": {
                "start": {"line": start[0], "character": start[1]},
                "end": {"line": end[0], "character": end[1]},
            },
        }
        if action.then is not None:
            argument["then"] = action.then
        return _named(action, "nxlsp.placeCursor", argument)
    return None


# ---------------------------------------------------------------- edits


def _workspace_edit(server: NxServer, at: Translator, action: CodeAction) -> lsp.WorkspaceEdit:
    """The edits of an action, for the versions that they were made from."""
    client = server.client
    if not client.versioned_edits:
        plain = {
            at.uri(file.module): [_text_edit(at, file.module, one) for one in file.edits]
            for file in action.edits
        }
        return lsp.WorkspaceEdit(changes=plain)
    asks = client.annotated_edits and (action.warning is not None or len(action.edits) > 1)
    changes = [
        _document_edit(server, at, file, ANNOTATION if asks else None) for file in action.edits
    ]
    if not asks:
        return lsp.WorkspaceEdit(document_changes=list(changes))
    annotation = lsp.ChangeAnnotation(
        action.title, needs_confirmation=True, description=action.warning
    )
    return lsp.WorkspaceEdit(
        document_changes=list(changes), change_annotations={ANNOTATION: annotation}
    )


def _document_edit(
    server: NxServer, at: Translator, file: FileEdit, annotation: str | None
) -> lsp.TextDocumentEdit:
    source = at.snapshot.source(file.module)
    version = source.version if source is not None else None
    identifier = lsp.OptionalVersionedTextDocumentIdentifier(at.uri(file.module), version)
    edits: list[Edit] = []
    for one in file.edits:
        range_ = at.range(file.module, one.start, one.end)
        if one.cursor is not None and server.client.snippet_edits:
            snippet = lsp.StringValue(_snippet(one))
            edits.append(lsp.SnippetTextEdit(range_, snippet, annotation))
        elif annotation is not None:
            edits.append(lsp.AnnotatedTextEdit(annotation, range_, one.text))
        else:
            edits.append(lsp.TextEdit(range_, one.text))
    return lsp.TextDocumentEdit(identifier, edits)


def _text_edit(at: Translator, module: str, edit: TextEdit) -> lsp.TextEdit:
    return lsp.TextEdit(at.range(module, edit.start, edit.end), edit.text)


def _snippet(edit: TextEdit) -> str:
    """The text of an edit in the snippet syntax, what is selected as its only placeholder."""
    start, end = edit.cursor if edit.cursor is not None else (len(edit.text),) * 2
    before, chosen, after = edit.text[:start], edit.text[start:end], edit.text[end:]
    place = f"${{1:{_escaped(chosen)}}}" if chosen else "$0"
    return f"{_escaped(before)}{place}{_escaped(after)}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def register(server: NxServer) -> None:
    """Register the handlers of this module."""

    async def on_code_action(params: lsp.CodeActionParams) -> Actions | None:
        return await _code_actions(server, params)

    options = lsp.CodeActionOptions(code_action_kinds=list(KINDS))
    server.on_request(lsp.TEXT_DOCUMENT_CODE_ACTION, None, on_code_action, options)
