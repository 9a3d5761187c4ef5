"""Quick fixes: edits that remove a diagnostic, or write what is known (editor-experience 6)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from nx_lsp.ide.action_model import (
    QUICK_FIX,
    REWRITE,
    ActionRequest,
    CodeAction,
    HostSuppliedSetting,
)
from nx_lsp.ide.diagnostics import PublishedDiagnostic
from nx_lsp.ide.edits import FileEdit, TextEdit, import_edit, import_from, line_ending
from nx_lsp.program import queries
from nx_lsp.program.bundled import STANDARD_LIBRARIES, bundled_file
from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId, FunctionDeclaration, RecordDeclaration
from nx_lsp.schema.keys import declared_name
from nx_lsp.syntax import tree
from nx_lsp.syntax.source_file import SyntaxFile
from nx_lsp.types.display import declarations_in, display
from nx_lsp.types.model import (
    CaseType,
    FunctionType,
    ItemType,
    MarkupType,
    RecordType,
    Type,
    UnionType,
)
from nx_lsp.types.resolution import member_type
from nx_lsp.types.results import infer_on_demand, needs

OPEN = "object"
"""The type that says least."""

MAX_IMPORTS = 5
"""Modules that are offered for one unknown name."""


def quick_fixes(request: ActionRequest) -> Iterator[CodeAction]:
    """Everything that can be mended or written at the place of ``request``."""
    for provide in _FIXES:
        yield from provide(request)


# ---------------------------------------------------------------- result types


def _write_result_type(request: ActionRequest) -> Iterator[CodeAction]:
    """*Write inferred result type*, and the same for the function that it depends on."""
    db, function = request.db, request.function
    if function is None or function.module != request.module:
        return
    declaration = queries.declaration(db, function)
    node = declaration.node if isinstance(declaration, FunctionDeclaration) else None
    if not isinstance(node, tree.FunctionNode) or node.result is not None:
        return
    start, _ = queries.absolute(db, queries.place(db, function))
    uninferred = tuple(
        each for each in request.with_fix("write-result-type") if each.data.name == function.name
    )
    if not uninferred and request.start > start + node.signature_end:
        return
    cause = _annotated_cause(request, function) if uninferred else None
    if cause is not None:
        yield replace(cause, fixes=uninferred)
    action = _annotate(db, function)
    if action is None and cause is None and uninferred:
        yield _annotate_by_hand(request, start + node.signature_end, uninferred)
    if action is not None:
        spelled, edits = action
        yield CodeAction(
            f"Write inferred result type `{spelled}`",
            QUICK_FIX if uninferred else REWRITE,
            edits,
            preferred=cause is None,
            fixes=uninferred,
        )


def _annotate_by_hand(
    request: ActionRequest, at: int, uninferred: tuple[PublishedDiagnostic, ...]
) -> CodeAction:
    """*Add result type…*: ``object`` stands there until the author has chosen, so that the text
    parses meanwhile."""
    edit = TextEdit(at, at, f": {OPEN}", (2, 2 + len(OPEN)))
    edits = (FileEdit(request.module, (edit,)),)
    return CodeAction("Add result type…", QUICK_FIX, edits, fixes=uninferred, then="suggest")


def _annotated_cause(request: ActionRequest, function: DeclarationId) -> CodeAction | None:
    """The one function without annotation that keeps the result of ``function`` from being
    inferred in order."""
    db = request.db
    seen = needs(db, function, False)
    hidden = [each for each in needs(db, function, True) if each not in seen]
    if len(hidden) != 1:
        return None
    action = _annotate(db, hidden[0])
    if action is None:
        return None
    spelled, edits = action
    title = f"Write result type `{spelled}` of `{declared_name(hidden[0])}`, used here"
    return CodeAction(title, QUICK_FIX, edits, preferred=True)


def _annotate(
    db: ProgramDatabase, function: DeclarationId
) -> tuple[str, tuple[FileEdit, ...]] | None:
    """The spelling of a function's type and the edit that writes it; ``None`` where the type is
    not known, cannot be written, or names what cannot be imported."""
    declaration = queries.declaration(db, function)
    node = declaration.node if isinstance(declaration, FunctionDeclaration) else None
    module = db.module(function.module)
    if not isinstance(node, tree.FunctionNode) or node.result is not None or module is None:
        return None
    if module.origin.bundled:
        return None
    found = infer_on_demand(db, function)
    type = _writable(found) if found is not None else None
    if type is None:
        return None
    edits: list[TextEdit] = []
    for id in declarations_in(type):
        if queries.lookup_type(db, function.module, declared_name(id)) == id:
            continue
        outline = queries.outline_of(db, id)
        edit = import_edit(db, function.module, id)
        if outline is None or outline.visibility != "export" or edit is None or edits:
            return None
        edits.append(edit)
    spelled = display(type)
    start, _ = queries.absolute(db, queries.place(db, function))
    at = start + node.signature_end
    edits.append(TextEdit(at, at, f": {spelled}"))
    return spelled, (FileEdit(function.module, tuple(edits)),)


def _writable(type: Type) -> Type | None:
    """The nearest type that an author can write: a case is written as its union, an element of a
    host tag as ``Element``."""
    item = _writable_item(type.item)
    return None if item is None else Type(item, type.occurrence)


def _writable_item(item: ItemType) -> ItemType | None:
    match item:
        case CaseType(union, _):
            return UnionType(union)
        case MarkupType():
            return MarkupType("Element")
        case RecordType(declaration, arguments):
            written = [(name, _writable_item(each)) for name, each in arguments]
            kept = tuple((name, each) for name, each in written if each is not None)
            return RecordType(declaration, kept) if len(kept) == len(written) else None
        case FunctionType():
            return None
        case _:
            return item


# ---------------------------------------------------------------- abstract records


def _add_extending_record(request: ActionRequest) -> Iterator[CodeAction]:
    """*Add a record that extends*: for a member typed by a childless abstract record, and on the
    record itself."""
    by_record: dict[DeclarationId, list[PublishedDiagnostic]] = {}
    for diagnostic in request.with_fix("add-extending-record"):
        record = _type_of_member(request.db, diagnostic)
        if record is not None:
            by_record.setdefault(record, []).append(diagnostic)
    here = _childless_here(request)
    if here is not None:
        by_record.setdefault(here, [])
    for record, diagnostics in by_record.items():
        edit = _extension(request.db, record)
        if edit is not None:
            title = f"Add a record that extends `{declared_name(record)}`"
            kind = QUICK_FIX if diagnostics else REWRITE
            yield CodeAction(title, kind, (edit,), fixes=tuple(diagnostics))


def _childless_here(request: ActionRequest) -> DeclarationId | None:
    found = request.db.module(request.module)
    at = found.file.piece_at(request.start) if found is not None else None
    if at is None or at[0].outline.kind != "record" or not at[0].outline.abstract:
        return None
    id = DeclarationId(request.module, at[0].key)
    return None if queries.descendants(request.db, id) else id


def _type_of_member(db: ProgramDatabase, diagnostic: PublishedDiagnostic) -> DeclarationId | None:
    """The abstract record that nothing extends, of the member a diagnostic is about."""
    data = diagnostic.data
    if data.name is None:
        return None
    holder = DeclarationId(data.module, data.name)
    wanted = (data.member or "").rpartition(".")[2]
    members = (
        *queries.parameters(db, holder),
        *queries.effective_fields(db, holder),
    )
    for member in members:
        if member.name == wanted:
            item = member_type(db, member).item
            if isinstance(item, RecordType) and _is_childless(db, item.declaration):
                return item.declaration
    return None


def _is_childless(db: ProgramDatabase, id: DeclarationId) -> bool:
    declaration = queries.declaration(db, id)
    abstract = isinstance(declaration, RecordDeclaration) and declaration.abstract
    return abstract and not queries.descendants(db, id)


def _extension(db: ProgramDatabase, record: DeclarationId) -> FileEdit | None:
    module = db.module(record.module)
    if module is None or module.origin.bundled:
        return None
    declaration = queries.declaration(db, record)
    if not isinstance(declaration, RecordDeclaration) or declaration.is_action:
        return None
    _, end = queries.absolute(db, queries.place(db, record))
    name = declared_name(record)
    taken = queries.own_names(db, record.module)
    new, number = f"New{name}", 2
    while new in taken:
        new, number = f"New{name}{number}", number + 1
    ending = line_ending(module.file.text)
    before = f"{ending}{ending}type "
    text = f"{before}{new} extends {name} = {{ }}"
    cursor = (len(before), len(before) + len(new))
    return FileEdit(record.module, (TextEdit(end, end, text, cursor),))


# ---------------------------------------------------------------- host-supplied types


def _treat_as_host_supplied(request: ActionRequest) -> Iterator[CodeAction]:
    """*Treat … as host-supplied*; only a client can change its settings."""
    if not request.options.client_commands:
        return
    for diagnostic in request.with_fix("host-supplied"):
        data = diagnostic.data
        function = DeclarationId(data.module, data.name or "")
        for member in queries.parameters(request.db, function):
            start, end = queries.absolute(
                request.db, queries.place(request.db, function, member.node)
            )
            if not start <= diagnostic.start < max(end, start + 1):
                continue
            item = member_type(request.db, member).item
            if isinstance(item, RecordType) and not item.arguments:
                title = f"Treat `{declared_name(item.declaration)}` as host-supplied"
                command = HostSuppliedSetting(item.declaration)
                yield CodeAction(title, QUICK_FIX, command=command, fixes=(diagnostic,))


# ---------------------------------------------------------------- imports


def _import_name(request: ActionRequest) -> Iterator[CodeAction]:
    """*Import … from …*: for an unknown name that some module exports."""
    found = request.db.module(request.module)
    if found is None:
        return
    for diagnostic in request.with_fix("import-name"):
        name = found.file.text[diagnostic.start : diagnostic.end]
        wanted = "type" if diagnostic.code == "unresolved-type" else "value"
        actions = list(_imports_of(request, diagnostic, name, wanted))
        for action in actions:
            yield replace(action, preferred=len(actions) == 1)


def _imports_of(
    request: ActionRequest, diagnostic: PublishedDiagnostic, name: str, wanted: str
) -> Iterable[CodeAction]:
    sources = itertools.islice(_exporters(request.db, request.module, name, wanted), MAX_IMPORTS)
    for source in dict.fromkeys(sources):
        edit = import_from(request.db, request.module, source, name)
        if edit is not None:
            edits = (FileEdit(request.module, (edit,)),)
            title = f"Import `{name}` from `{source}`"
            yield CodeAction(title, QUICK_FIX, edits, fixes=(diagnostic,))


def _exporters(db: ProgramDatabase, importer: str, name: str, wanted: str) -> Iterator[str]:
    """The modules and libraries that export ``name``, those of the standard library included
    while nothing imports them."""
    for module in db.modules:
        declared = queries.own_names(db, module.identity).get(name)
        if module.identity == importer or declared is None:
            continue
        if declared.visibility == "export" and wanted in declared.namespaces:
            yield module.library_root or module.identity
    for root, modules in STANDARD_LIBRARIES.items():
        unlinked = [each for each in modules if db.module(each) is None]
        if wanted == "type" and any(_exports_type(bundled_file(m), name) for m in unlinked):
            yield root


def _exports_type(file: SyntaxFile, name: str) -> bool:
    piece = file.piece(name)
    return piece is not None and piece.outline.visibility == "export"


_FIXES: tuple[Callable[[ActionRequest], Iterable[CodeAction]], ...] = (
    _write_result_type,
    _add_extending_record,
    _treat_as_host_supplied,
    _import_name,
)
