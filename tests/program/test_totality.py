"""Every query answers on any program, and always the same (nothing panics on broken code)."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from nx_lsp.program.database import ProgramDatabase
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.program.diagnostics import module_diagnostics
from nx_lsp.program.loading import build, from_sources, inputs_from_sources, rebuild
from nx_lsp.program.queries import (
    absolute,
    ancestors,
    base_fields,
    case_fields,
    case_names,
    declaration,
    declarations,
    derived_ids,
    descendants,
    documentation,
    effective_emits,
    effective_fields,
    effective_properties,
    effective_type_parameters,
    is_constant_union,
    lookup_element,
    lookup_type,
    lookup_value,
    name_place,
    place,
    scope,
    visible_type_names,
)

NAMES = ["A", "B", "C", "A.Update", "C.State", "C.Act", "B.x", "X.A", "string", "root"]
LINES = [
    'import "./b.nx"',
    'import "./b.nx" as X',
    'import {{ A, B as X.B, C as }} from "./a.nx"',
    'import "lib"',
    'import "@nx/agent"',
    'import "../',
    "abstract type {n} extends {m} = {{ a:int content b:{m} }}",
    "type {n} extends {m} = {{ T:type a:T /// See [{m}].",
    "type {n} extends {m} = {{ a:int }}",
    "type {n} extends {m} = x | y {{ a:int }}",
    "type {n} = {m}",
    "type {n} = ({m})",
    "export action {n} extends {m} = {{}}",
    "abstract action {n} = {{}}",
    "abstract component <{n} extends {m} a:int emits {{ Act {{ }} {m} }} />",
    "component <{n} extends {m} T:type emits {{ Act extends {m} {{ a:T }} Update {{ }} }} />"
    " = {{ state {{ a:int = 0 }} <b/> }}",
    "let {n}(a:{m}) = {{a}}",
    "let <{n} a:{m} /> = <b/>",
    "private let {n} = 1",
    "/// See [{m}] and [`{n}.a`].",
    "type",
    "}} ??? {{",
    "<page/>",
]


@st.composite
def sources(draw: st.DrawFn) -> dict[str, str]:
    names = st.sampled_from(NAMES)
    line = st.builds(lambda text, n, m: text.format(n=n, m=m), st.sampled_from(LINES), names, names)
    module = st.lists(line, max_size=8).map("\n".join)
    return {key: draw(module) for key in ("a.nx", "b.nx", "lib/c.nx", "lib/d.nx")}


def everything(db: ProgramDatabase) -> list[object]:
    """What every query says, in a form that can be compared."""
    said: list[object] = [db.identities, db.entry, db.problems, dict(db.libraries)]
    for module in db.identities:
        said.append(module_diagnostics(db, module))
        said.append((scope(db, module), visible_type_names(db, module)))
        for name in NAMES:
            looks = (lookup_type, lookup_value, lookup_element)
            said.append([look(db, module, name) for look in looks])
        written = declarations(db, module)
        ids = [*written, *(each for id in written for each in derived_ids(db, id))]
        ids += [DeclarationId(module, name) for name in NAMES]
        for id in ids:
            said.append(declaration(db, id) is None)
            said.append((ancestors(db, id), descendants(db, id), case_names(db, id)))
            said.append((documentation(db, id), is_constant_union(db, id)))
            said.append(effective_type_parameters(db, id))
            for members in (effective_fields, effective_properties, base_fields):
                said.append([(member.name, member.owner) for member in members(db, id)])
            said += [[m.name for m in case_fields(db, id, case)] for case in case_names(db, id)]
            said.append([(emit.name, emit.action) for emit in effective_emits(db, id)])
            said.append((absolute(db, place(db, id)), absolute(db, name_place(db, id))))
    return said


@given(sources())
@settings(max_examples=30, deadline=None)
def test_every_query_answers_and_always_the_same(texts: dict[str, str]) -> None:
    db = from_sources(texts)
    first = everything(db)
    assert everything(from_sources(texts)) == first
    for module in db.modules:
        for report in module_diagnostics(db, module.identity):
            assert report.primary is not None
            for label in report.labels:
                start, end = absolute(db, label.place)
                owner = db.module(label.place.module)
                assert owner is not None
                assert 0 <= start <= end <= len(owner.file.text)


@given(sources(), sources())
@settings(max_examples=20, deadline=None)
def test_a_rebuilt_program_says_what_a_fresh_one_says(
    before: dict[str, str], after: dict[str, str]
) -> None:
    inputs = inputs_from_sources(before)
    db = build(inputs)
    everything(db)
    for identity, text in after.items():
        inputs = inputs.with_text(identity, text)
        rebuild(db, inputs)
        everything(db)
    assert everything(db) == everything(from_sources(after))
