"""What is said of a member that a type does not have (semantics 3.8, 4.7, 5.5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from nx_lsp.program import queries
from nx_lsp.program.declarations import (
    DeclarationId,
    Label,
    Member,
    UnionDeclaration,
)
from nx_lsp.program.near_names import nearest_name
from nx_lsp.syntax import tree
from nx_lsp.types import mismatches
from nx_lsp.types.display import display_item, list_names
from nx_lsp.types.model import (
    CaseType,
    FunctionReferenceType,
    FunctionType,
    ItemType,
    RecordType,
    Type,
    UnionType,
    VariableType,
)

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference


def report(inference: Inference, node: tree.Member, item: ItemType) -> None:
    """Report the member of ``node``, which exactly one ``item`` does not have."""
    match item:
        case RecordType(declaration, _):
            fields = queries.effective_fields(inference.db, declaration)
            _unknown(inference, node, item, "unknown-record-field", fields, declaration)
        case UnionType(declaration):
            _of_union(inference, node, item, declaration)
        case CaseType(union, case):
            fields = queries.case_fields(inference.db, union, case)
            _unknown(inference, node, item, "unknown-union-case-field", fields, union)
        case _:
            _of_other(inference, node, item)


def _unknown(
    inference: Inference,
    node: tree.Member,
    item: ItemType,
    code: str,
    known: Iterable[Member],
    declaration: DeclarationId,
) -> None:
    names = tuple(each.name for each in known)
    shown = display_item(item)
    inference.find(
        code,
        f"`{shown}` has no field `{node.name.text}`",
        node,
        field_advice(node.name.text, names),
        also=(Label(queries.name_place(inference.db, declaration), f"`{shown}` is declared here"),),
    )


def field_advice(written: str, names: tuple[str, ...]) -> str | None:
    """The nearest of some names, else all of them."""
    near = nearest_name(written, names)
    if near is not None:
        return f"Did you mean `{near}`?"
    return f"It has {list_names(names)}." if names else None


def _of_union(
    inference: Inference, node: tree.Member, item: ItemType, union: DeclarationId
) -> None:
    name = node.name.text
    declaration = queries.declaration(inference.db, union)
    if isinstance(declaration, UnionDeclaration):
        owners = [
            (case.name, field)
            for case in declaration.cases
            for field in case.fields
            if field.name == name
        ]
        if owners:
            cases = list_names([case for case, _ in owners])
            also = tuple(
                Label(queries.place(inference.db, union, field.node), f"a field of `{case}`")
                for case, field in owners
            )
            inference.find(
                "union-case-field-requires-narrowing",
                f"Not every `{display_item(item)}` has a field `{name}`: only the "
                f"{'case' if len(owners) == 1 else 'cases'} {cases}",
                node,
                f"Read it in an arm of that case: `if … is {{ {owners[0][0]} => … }}`.",
                also=also,
            )
            return
    fields = queries.base_fields(inference.db, union)
    _unknown(inference, node, item, "unknown-union-field", fields, union)


def _of_other(inference: Inference, node: tree.Member, item: ItemType) -> None:
    help = mismatches.swapped_loop_names(inference, node.receiver, None)
    if help is None and isinstance(item, VariableType):
        help = mismatches.unknown_result(Type(item))
    if help is None and isinstance(item, (FunctionType, FunctionReferenceType)):
        help = "Call the function to read a member of its result."
    inference.find(
        "unknown-member",
        f"A value of type `{display_item(item)}` has no members, so no `{node.name.text}`",
        node,
        help,
    )
