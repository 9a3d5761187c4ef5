"""Properties of an element on every path through conditional fragments, and its body
(semantics 4.8).

Paths are not listed: of each property it is known whether it is supplied on *some* path so far and
whether on *every* path. Fragments one after the other combine freely.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nx_lsp.program import queries
from nx_lsp.program.declarations import Label
from nx_lsp.program.near_names import nearest_member, nearest_name
from nx_lsp.syntax import tree
from nx_lsp.types import control, handlers
from nx_lsp.types.bodies import judge_body
from nx_lsp.types.display import display, list_names
from nx_lsp.types.environment import Environment, Local
from nx_lsp.types.meanings import Kind, Meaning, Slot
from nx_lsp.types.model import ERROR, CaseType
from nx_lsp.types.sites import Site, check, declared_at

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference

MISFIT: dict[Kind, str] = {
    "record": "record-field-type-mismatch",
    "case": "union-case-field-type-mismatch",
}
"""Codes of values that do not fit; of what is not listed, ``property-type-mismatch``."""

UNKNOWN: dict[Kind, str] = {
    "record": "unknown-record-field",
    "case": "unknown-union-case-field",
}
"""Codes of properties that nothing declares; of what is not listed, ``unknown-property``."""

HANDLER_NAME = re.compile(r"on[A-Z]\w*")


@dataclass(slots=True)
class Supplied:
    """What a property list has supplied so far."""

    possible: dict[str, tree.Property] = field(default_factory=dict)
    """On some path, with where first."""
    certain: set[str] = field(default_factory=set)
    """On every path."""
    meant: set[str] = field(default_factory=set)
    """Properties that a misspelled one most likely meant: not reported as missing too."""

    def branch(self) -> Supplied:
        """The state at the beginning of a branch."""
        return Supplied(dict(self.possible), set(self.certain), self.meant)

    def join(self, branches: list[Supplied]) -> None:
        """Go on after the branches, one of which was taken."""
        for each in branches:
            for name, node in each.possible.items():
                self.possible.setdefault(name, node)
        if branches:
            self.certain = set.intersection(*(each.certain for each in branches))


def judge_element(
    inference: Inference, node: tree.Element, env: Environment, meaning: Meaning
) -> None:
    """Infer the properties and the body of an element; report what its meaning does not take."""
    supplied = Supplied()
    _list(inference, node, node.properties, env, meaning, supplied)
    if node.body:
        inference.sequence(list(node.body), env)
    if meaning.slots is None or not meaning.judged:
        return
    if node.body:
        name = judge_body(inference, node, meaning, supplied.possible)
        if name is not None:
            supplied.certain.add(name)
    _missing(inference, node, meaning, supplied)


def _list(
    inference: Inference,
    node: tree.Element,
    entries: Iterable[tree.PropertyEntry],
    env: Environment,
    meaning: Meaning,
    supplied: Supplied,
) -> None:
    for entry in entries:
        if isinstance(entry, tree.Property):
            _property(inference, node, entry, env, meaning, supplied)
            continue
        branches = control.branches(inference, entry, env)
        after: list[Supplied] = []
        for branch, known in branches.each:
            inner = supplied.branch()
            if isinstance(branch, tree.PropertyBlock):
                _list(inference, node, branch.items, known, meaning, inner)
            after.append(inner)
        if not branches.exhaustive and branches.decided:
            after.append(supplied.branch())
        supplied.join(after)


def _property(
    inference: Inference,
    node: tree.Element,
    entry: tree.Property,
    env: Environment,
    meaning: Meaning,
    supplied: Supplied,
) -> None:
    name, value = entry.name.text, entry.value
    slot = meaning.slots.get(name) if meaning.slots is not None else None
    if slot is None:
        inference.infer(value, env)
        if meaning.slots is not None and meaning.judged and name and not meaning.open:
            _unknown(inference, node, entry, meaning, supplied)
        _check_suffix(inference, entry)
        return
    inference.bind(entry.name, slot.binding)
    first = supplied.possible.setdefault(name, entry)
    if first is not entry and meaning.judged:
        _duplicate(inference, node, entry, first)
    supplied.certain.add(name)
    if name in meaning.colliding:
        _colliding(inference, node, entry, meaning)
        unjudged = env.bind(Local("action", "action", ERROR))
        inference.infer(value, unjudged)
        return
    if slot.binding.kind == "type parameter":
        if not isinstance(value, tree.ContextualName):  # reported: it is to be a type's name
            before = len(inference.findings)
            inference.infer(value, env)
            del inference.findings[before:]
        return
    _check_suffix(inference, entry)
    if slot.action is not None:
        inside = env.bind(Local("action", "action", slot.action))
        inference.infer(value, inside)
        handlers.check(inference, value)
        return
    found = inference.infer(value, env, slot.read_type)
    if slot.read_type is not None and meaning.judged:
        check(inference, value, found, property_site(inference, node, entry, slot, meaning))


def property_site(
    inference: Inference, element: tree.Element, node: tree.Node, slot: Slot, meaning: Meaning
) -> Site:
    """The site of a property of an element, reported at ``node``."""
    assert slot.read_type is not None
    name = element.tag.text
    word = "field" if meaning.kind in ("record", "case") else "property"
    return Site(
        slot.read_type,
        MISFIT.get(meaning.kind, "property-type-mismatch"),
        f"The {word} `{slot.binding.name}` of `{name}` takes",
        "this is",
        node,
        declared_at(inference, slot.binding.member),
        slot.unbound,
        name,
    )


def _check_suffix(inference: Inference, entry: tree.Property) -> None:
    """A suffix on a value that is no type argument (semantics 5.1)."""
    value = entry.value
    if isinstance(value, tree.ContextualName) and len(value.suffixes) == 1:
        inference.find(
            "occurrence-suffix-on-value",
            f"`{value.suffixes}` is an occurrence suffix: it stands on a type, never on a value",
            entry,
            f"Write `{entry.name.text}={value.name}`.",
        )


# ---------------------------------------------------------------- reports


def _duplicate(
    inference: Inference, node: tree.Element, entry: tree.Property, first: tree.Property
) -> None:
    inference.find(
        "duplicate-property",
        f"`{entry.name.text}` is given to `{node.tag.text}` twice",
        entry,
        "Remove one of them, or put them into branches that exclude each other.",
        also=(inference.label(first, "given first here"),),
    )


def _unknown(
    inference: Inference,
    node: tree.Element,
    entry: tree.Property,
    meaning: Meaning,
    supplied: Supplied,
) -> None:
    name, tag = entry.name.text, node.tag.text
    assert meaning.slots is not None
    if name in meaning.unknown:
        return
    free = [each for each in meaning.slots if each not in supplied.possible]
    required = (each for each in free if meaning.slots[each].required)
    near = nearest_name(name, free) or nearest_member(name, required)
    if near is not None:
        supplied.meant.add(near)
    also = _declaration(inference, meaning, tag)
    help = None if near is None else f"Did you mean `{near}`?"
    if meaning.kind == "component" and HANDLER_NAME.fullmatch(name):
        emitted = [each for each, slot in meaning.slots.items() if slot.action is not None]
        if help is None and emitted:
            help = f"It has {list_names(emitted)}."
        message = f"`{tag}` emits no `{name[2:]}` that `{name}` could handle"
        inference.find("lowering-error", message, entry, help, also=also)
        return
    word = "field" if meaning.kind in ("record", "case") else "property"
    if help is None and meaning.slots:
        help = f"It has {list_names(tuple(meaning.slots))}."
    code = UNKNOWN.get(meaning.kind, "unknown-property")
    inference.find(code, f"`{tag}` has no {word} `{name}`", entry, help, also=also)


def _colliding(
    inference: Inference, node: tree.Element, entry: tree.Property, meaning: Meaning
) -> None:
    name, tag = entry.name.text, node.tag.text
    inference.find(
        "lowering-error",
        f"`{name}` of `{tag}` stands for two things, so it cannot be given",
        entry,
        f"Give one of them another name where `{tag}` is declared.",
        also=_declaration(inference, meaning, tag),
    )


def _missing(
    inference: Inference, node: tree.Element, meaning: Meaning, supplied: Supplied
) -> None:
    assert meaning.slots is not None
    missing = [
        name
        for name, slot in meaning.slots.items()
        if slot.required and name not in supplied.certain and name not in supplied.meant
    ]
    if not missing:
        return
    sometimes = [name for name in missing if name in supplied.possible]
    tag, listed = node.tag.text, list_names(missing)
    one = len(missing) == 1
    if sometimes == missing:
        message = f"`{tag}` needs {listed}, which {'is' if one else 'are'} not given on every path"
    else:
        message = f"`{tag}` needs {listed}, which {'is' if one else 'are'} not given"
    code = "missing-union-case-field" if meaning.kind == "case" else "missing-property"
    also = _declaration(inference, meaning, tag)
    inference.find(code, message, node, _how_to_give(meaning, missing), also=also)


def _how_to_give(meaning: Meaning, missing: list[str]) -> str | None:
    assert meaning.slots is not None
    slot = meaning.slots[missing[0]]
    type = "" if slot.read_type is None else f", a `{display(slot.read_type)}`"
    if slot.content:
        return f"`{missing[0]}` is its content{type}: write it between the tags."
    return f"Write `{missing[0]}=…`{type}."


def _declaration(inference: Inference, meaning: Meaning, tag: str) -> tuple[Label, ...]:
    """Where what the tag means is declared."""
    if meaning.declaration is None:
        return ()
    place = queries.name_place(inference.db, meaning.declaration)
    if isinstance(meaning.type.item, CaseType):
        tag = meaning.declaration.name.partition("#")[0]
    return (Label(place, f"`{tag}` is declared here"),)
