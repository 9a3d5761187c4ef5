"""The body of an element as the value of its content property (semantics 4.8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from nx_lsp.syntax import tree
from nx_lsp.types import sites
from nx_lsp.types.display import display, list_names
from nx_lsp.types.meanings import Meaning, Slot
from nx_lsp.types.model import ERROR, STRING, Type
from nx_lsp.types.operators import is_textual
from nx_lsp.types.relations import is_error
from nx_lsp.types.sites import Site, check_type, declared_at

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference

TEXT = (tree.TextRun, tree.Entity, tree.Escape)


def judge_body(
    inference: Inference,
    node: tree.Element,
    meaning: Meaning,
    given: Mapping[str, tree.Property],
) -> str | None:
    """Report a body that its content property does not take; the name of that property, ``None``
    where there is none. The body has been inferred; ``given`` are the properties written."""
    assert node.body
    assert meaning.slots is not None
    tag = node.tag.text
    content = [(name, slot) for name, slot in meaning.slots.items() if slot.content]
    if not content and meaning.open:
        return None
    if not content:
        names = [name for name, slot in meaning.slots.items() if slot.required]
        help = f"Write {list_names(names)} in the tag." if names else "Remove the body."
        message = f"`{tag}` has no content property that could take this body"
        inference.find("missing-content-property", message, node, help)
        return None
    name, slot = content[0]
    if name in given:
        inference.find(
            "content-binding-conflict",
            f"`{name}` of `{tag}` is given twice: in the tag and as the body",
            node,
            "Remove one of them.",
            also=(inference.label(given[name], "given here"),),
        )
    elif slot.read_type is not None and not is_error(slot.read_type.item):
        _check_content(inference, node, slot.read_type, _site(inference, node, slot))
    return name


def _site(inference: Inference, node: tree.Element, slot: Slot) -> Site:
    assert slot.read_type is not None
    name = node.tag.text
    return Site(
        slot.read_type,
        "content-type-mismatch",
        f"The content of `{name}`, `{slot.binding.name}`, takes",
        "this is",
        node,
        declared_at(inference, slot.binding.member),
        slot.unbound,
        name,
    )


def _check_content(inference: Inference, node: tree.Element, wanted: Type, site: Site) -> None:
    pieces = list(node.body or ())
    if wanted.item == STRING.item:
        found = _text(inference, node, pieces)
        if found is not None:
            check_type(inference, found, site)
            return
    if len(pieces) == 1:
        type = inference.types.get(pieces[0], ERROR)
        sites.check(inference, pieces[0], type, site)
    elif wanted.item != STRING.item:
        check_type(inference, sites.meet_all(inference, pieces, wanted), site)


def _text(inference: Inference, node: tree.Element, pieces: list[tree.BodyPart]) -> Type | None:
    """The string that a body is joined into; ``None`` where it is not joined, or reported."""
    types = [
        STRING if isinstance(each, TEXT) else inference.types.get(each, ERROR) for each in pieces
    ]
    if len(pieces) == 1:
        return STRING if is_textual(types[0]) else None
    for piece, type in zip(pieces, types, strict=True):
        if is_error(type.item):
            return ERROR
        if not is_textual(type):
            shown = display(type)
            inference.find(
                "content-type-mismatch",
                f"The content of `{node.tag.text}` is joined into one `string`, "
                f"and a piece of it is `{shown}`",
                node,
                "Each piece must be exactly one string, number or `boolean`.",
                also=(inference.label(piece, f"this is `{shown}`"),),
            )
            return ERROR
    return STRING
