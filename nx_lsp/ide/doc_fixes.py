"""Code actions that make room for documentation a model would read (editor-experience 6)."""

from __future__ import annotations

from collections.abc import Iterator

from nx_lsp.ide.action_model import ADD_DOCS, QUICK_FIX, REWRITE, ActionRequest, CodeAction
from nx_lsp.ide.edits import FileEdit
from nx_lsp.ide.member_docs import comment_above, comments_above_members, owner_text
from nx_lsp.ide.offers import is_tool
from nx_lsp.ide.shortening import counted
from nx_lsp.ide.targets import MemberMeant, target_at
from nx_lsp.ide.tool_advice import arguments, is_documented
from nx_lsp.ide.tool_types import told_to_models, tools_of
from nx_lsp.program import queries
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId, Member
from nx_lsp.schema.keys import declared_name


def document_member(request: ActionRequest) -> Iterator[CodeAction]:
    """*Add doc comment to …*: a parameter of a tool, or a field of what a tool takes or gives."""
    for diagnostic in request.with_fix("document-member"):
        id = DeclarationId(diagnostic.data.module, diagnostic.data.name or "")
        for member in queries.parameters(request.db, id):
            if member.name == diagnostic.data.member:
                for action in _document(request, member):
                    yield CodeAction(action.title, QUICK_FIX, action.edits, fixes=(diagnostic,))
    field = _field_here(request)
    if field is not None:
        yield from _document(request, field)


def _document(request: ActionRequest, member: Member) -> Iterator[CodeAction]:
    text = owner_text(request.db, member.owner)
    if text is not None and not _has_comment(request.db, member):
        edits = comments_above_members(request.db, text, (member,))
        title = f"Add doc comment to `{member.name}`"
        yield CodeAction(title, QUICK_FIX, (FileEdit(member.owner.module, edits),))


def _has_comment(db: ProgramDatabase, member: Member) -> bool:
    """Whether there is a comment to write in already, even an empty one."""
    return queries.member_documentation(db, member) is not None


def _field_here(request: ActionRequest) -> Member | None:
    """The undocumented field declared at the place, if tools take or give it."""
    target = target_at(request.db, request.module, request.start)
    if target is None or not isinstance(target.meant, MemberMeant):
        return None
    member = target.meant.member
    if member.role not in ("field", "payload") or member.owner.module != request.module:
        return None
    start, end = queries.absolute(
        request.db, queries.place(request.db, member.owner, member.node.name)
    )
    if not start <= request.start <= end or is_documented(request.db, member):
        return None
    options = request.options
    held = told_to_models(request.db, tools_of(request.db, options), options.host_supplied)
    return member if (member.owner, member.case) in held else None


def describe_tool(request: ActionRequest) -> Iterator[CodeAction]:
    """*Add description for tool …*."""
    for diagnostic in request.with_fix("describe-tool"):
        id = DeclarationId(diagnostic.data.module, diagnostic.data.name or "")
        text = owner_text(request.db, id)
        if text is not None and queries.documentation(request.db, id) is None:
            start, _ = queries.absolute(request.db, queries.place(request.db, id))
            edits = (FileEdit(id.module, (comment_above(text, start),)),)
            title = f"Add description for tool `{declared_name(id)}`"
            yield CodeAction(title, QUICK_FIX, edits, fixes=(diagnostic,))


def document_parameters(request: ActionRequest) -> Iterator[CodeAction]:
    """*Add doc comments to 3 undocumented parameters*, of the tool at the place."""
    db, id = request.db, request.function
    if id is None or not is_tool(db, id, request.options):
        return
    text = owner_text(db, id)
    silent = [each for each in arguments(db, id, request.options) if not _has_comment(db, each)]
    if text is None or not silent:
        return
    edits = (FileEdit(id.module, comments_above_members(db, text, silent)),)
    title = f"Add doc comments to {counted(len(silent), 'undocumented parameter')}"
    for kind in (REWRITE, ADD_DOCS):
        yield CodeAction(title, kind, edits)


def doc_fixes(request: ActionRequest) -> Iterator[CodeAction]:
    """All actions about documentation at the place of ``request``."""
    yield from describe_tool(request)
    yield from document_member(request)
    yield from document_parameters(request)
