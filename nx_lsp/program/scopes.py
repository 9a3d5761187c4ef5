"""What a name means at the top level of a module (semantics 2.1 to 2.4, 2.8).

Names are bound in *layers*, in the order of semantics 2.2; in each namespace the first layer that
binds a name wins. Derived names (``Plan.Update``, ``Card.State``) are not listed: a look-up finds
the longest written name that a layer binds and asks what that declaration gives under the rest, so
that no module is parsed for the names of another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nx_lsp.engine import query
from nx_lsp.program.database import About, ModuleOrigin, ProgramDatabase
from nx_lsp.program.declarations import DeclarationId, Diagnostic, Label, Place
from nx_lsp.program.declared import PROPERTY, UPDATE, derived
from nx_lsp.program.identities import PRELUDE_IDENTITY
from nx_lsp.program.imports import ResolvedImport, exports, implicit_targets, imports
from nx_lsp.program.outlines import (
    DeclaredName,
    Namespace,
    outline_of,
    outline_place,
    own_names,
)


@dataclass(frozen=True, slots=True)
class Layer:
    """Names bound by one source: the module itself, an import, the library, the prelude."""

    names: Mapping[str, tuple[DeclaredName, ...]]
    """By written name without ``prefix``. More than one where several modules of a library
    declare it: the first binds."""
    prefix: str | None = None
    selective: bool = False
    """A selective import brings no inline emitted actions of a component (semantics 2.3)."""
    source: ResolvedImport | None = None
    """The written import."""

    def bound(self, name: str) -> tuple[DeclaredName, ...]:
        """What the layer binds as exactly ``name``."""
        if self.prefix is not None:
            if not name.startswith(self.prefix + "."):
                return ()
            name = name[len(self.prefix) + 1 :]
        return self.names.get(name, ())

    def all_names(self) -> Iterator[tuple[str, tuple[DeclaredName, ...]]]:
        """Every written name that the layer binds, with its declarations."""
        before = f"{self.prefix}." if self.prefix is not None else ""
        for name, declared in self.names.items():
            yield before + name, declared


@dataclass(frozen=True, slots=True)
class NameSource:
    """One of several declarations that a name stands for."""

    declaration: DeclarationId
    place: Place
    """The import that brings it."""
    path: str
    """The path of that import, as written."""


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A name that imports provide more than once (decision 8): the first source binds; a use is
    to be reported, naming all."""

    namespaces: frozenset[Namespace]
    sources: tuple[NameSource, ...]


@dataclass(frozen=True, slots=True)
class Incomplete:
    """What failed imports and broken targets leave unknown: uses are not to be reported."""

    everything: bool = False
    """Any undotted or dotted name may have been meant."""
    names: frozenset[str] = frozenset()
    prefixes: frozenset[str] = frozenset()
    """Aliases under which any name may have been meant."""

    def may_bind(self, name: str) -> bool:
        """Whether an import that is not fully known might have bound the (dotted) name."""
        if self.everything:
            return True
        parts = name.split(".")
        heads = (".".join(parts[:count]) for count in range(1, len(parts) + 1))
        return parts[0] in self.prefixes or any(head in self.names for head in heads)


@dataclass(frozen=True, slots=True)
class Scope:
    """The written names in scope at the top level of a module, by namespace. Derived names are
    not listed (use the look-ups), nor are the names of local scopes."""

    types: Mapping[str, DeclarationId]
    values: Mapping[str, DeclarationId]
    elements: Mapping[str, DeclarationId]
    ambiguous: Mapping[str, Ambiguity]
    incomplete: Incomplete


# ---------------------------------------------------------------- layers


@query
def layers(db: ProgramDatabase, module: str) -> tuple[Layer, ...]:
    """What binds names in a module, in the order of semantics 2.2; empty for an unknown one."""
    found = db.about(module)
    if found is None:
        return ()
    own = {name: (declared,) for name, declared in own_names(db, module).items()}
    ordered = [Layer(own)]
    ordered += [layer for resolved in imports(db, module) for layer in _import_layers(db, resolved)]
    if found.origin is ModuleOrigin.WORKSPACE:
        for target in implicit_targets(db, module):
            ordered.append(Layer(exports(db, target.modules)))
    elif found.library_root is not None:
        siblings = library_names(db, found.library_root)
        ordered.append(Layer(_without_conflicts(siblings, module)))
    if found.origin is not ModuleOrigin.PRELUDE:
        ordered.append(Layer(exports(db, (PRELUDE_IDENTITY,))))
    return tuple(ordered)


def _import_layers(db: ProgramDatabase, resolved: ResolvedImport) -> Iterator[Layer]:
    if resolved.target is None:
        return
    if resolved.wildcard:
        names: Mapping[str, tuple[DeclaredName, ...]] = exports(db, resolved.target.modules)
        yield Layer(names, resolved.prefix, source=resolved)
        return
    available = exports(db, resolved.target.modules)
    names = {item.bound: available[item.declared.name] for item in resolved.items}
    yield Layer(names, selective=True, source=resolved)


@query
def library_names(db: ProgramDatabase, root: str) -> dict[str, tuple[DeclaredName, ...]]:
    """The declarations of a library that its own modules see, by name, in module order."""
    found: dict[str, tuple[DeclaredName, ...]] = {}
    for module in db.libraries.get(root, ()):
        for name, declared in own_names(db, module).items():
            if declared.visibility != "private":
                found[name] = (*found.get(name, ()), declared)
    return found


def _without_conflicts(
    names: Mapping[str, tuple[DeclaredName, ...]], module: str
) -> dict[str, tuple[DeclaredName, ...]]:
    """The names that the other modules of a library give ``module``."""
    visible: dict[str, tuple[DeclaredName, ...]] = {}
    for name, declared in names.items():
        others = tuple(each for each in declared if each.id.module != module)
        if len(others) == 1:
            visible[name] = others
    return visible


# ---------------------------------------------------------------- scope


@query
def scope(db: ProgramDatabase, module: str) -> Scope:
    """All written names in scope at the top level of a module."""
    bound: dict[Namespace, dict[str, DeclarationId]] = {"type": {}, "value": {}, "element": {}}
    for layer in layers(db, module):
        for name, declared in layer.all_names():
            for namespace in declared[0].namespaces:
                bound[namespace].setdefault(name, declared[0].id)
    return Scope(
        bound["type"],
        bound["value"],
        bound["element"],
        _ambiguities(db, module),
        incomplete(db, module),
    )


@query
def incomplete(db: ProgramDatabase, module: str) -> Incomplete:
    """What the imports of a module leave unknown (semantics 2.3, end)."""
    everything = False
    names: set[str] = set()
    prefixes: set[str] = set()
    for resolved in imports(db, module):
        names |= resolved.missing
        if resolved.open:
            if resolved.prefix is None:
                everything = True
            else:
                prefixes.add(resolved.prefix)
    if db.about(module) is not None:
        names |= {name for name, _ in library_conflicts(db, module)}
    return Incomplete(everything, frozenset(names), frozenset(prefixes))


def _ambiguities(db: ProgramDatabase, module: str) -> dict[str, Ambiguity]:
    ordered = layers(db, module)
    own = own_names(db, module)
    provided: dict[str, list[tuple[DeclaredName, ResolvedImport]]] = {}
    for layer in ordered:
        if layer.source is not None:
            for name, declared in layer.all_names():
                provided.setdefault(name, []).extend((each, layer.source) for each in declared)
    answer: dict[str, Ambiguity] = {}
    for name, sources in provided.items():
        if len(sources) < 2:
            continue
        hidden = own[name].namespaces if name in own else ()
        namespaces: set[Namespace] = set()
        counted: dict[DeclarationId, NameSource] = {}
        for namespace in ("type", "value", "element"):
            inside = [each for each in sources if namespace in each[0].namespaces]
            if namespace in hidden or len({each[0].id for each in inside}) < 2:
                continue
            namespaces.add(namespace)
            for declared_name, resolved in inside:
                counted.setdefault(
                    declared_name.id,
                    NameSource(declared_name.id, resolved.place, resolved.path),
                )
        if counted:
            answer[name] = Ambiguity(frozenset(namespaces), tuple(counted.values()))
    return answer


def ambiguity(
    db: ProgramDatabase, module: str, namespace: Namespace, name: str
) -> Ambiguity | None:
    """Whether imports provide a (dotted) name more than once in a namespace; a derived name is as
    ambiguous as the name before it."""
    ambiguous = scope(db, module).ambiguous
    if not ambiguous:
        return None
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        found = ambiguous.get(".".join(parts[:count]))
        if found is not None:
            # Companions live in the type namespace, their components in the element namespace.
            applies = namespace in found.namespaces or count < len(parts)
            return found if applies else None
    return None


# ---------------------------------------------------------------- look-ups


@query
def lookup(
    db: ProgramDatabase, module: str, namespace: Namespace, name: str
) -> DeclarationId | None:
    """What a name, dotted or not, written or derived, means at the top level of a module in one
    namespace."""
    for layer in layers(db, module):
        found = _in_layer(db, layer, namespace, name)
        if found is not None:
            return found
    return None


def _in_layer(
    db: ProgramDatabase, layer: Layer, namespace: Namespace, name: str
) -> DeclarationId | None:
    declared = layer.bound(name)
    if declared and namespace in declared[0].namespaces:
        return declared[0].id
    parts = name.split(".")
    for count in range(len(parts) - 1, 0, -1):
        owners = layer.bound(".".join(parts[:count]))
        if not owners:
            continue
        suffix = tuple(parts[count:])
        found = derived(db, owners[0].id, suffix)
        if found is None or namespace not in derived_namespaces(found):
            continue
        if layer.selective and _is_emitted(db, owners[0], found):
            continue
        return found
    return None


def derived_namespaces(id: DeclarationId) -> tuple[Namespace, ...]:
    """Where a derived declaration is looked up (semantics 2.1): ``X.Property`` is a union."""
    return ("type",) if id.name.endswith("." + PROPERTY) else ("type", "element")


def _is_emitted(db: ProgramDatabase, owner: DeclaredName, found: DeclarationId) -> bool:
    return owner.kind == "component" and not (
        found.name == f"{owner.id.name}.State" or found.name.startswith(f"{owner.id.name}.State.")
    )


def lookup_type(db: ProgramDatabase, module: str, name: str) -> DeclarationId | None:
    """What a type reference ``name`` means in a module: the type namespace, then components
    (semantics 2.1). Primitives and type parameters are not this function's affair."""
    found = lookup(db, module, "type", name)
    if found is not None:
        return found
    element = lookup(db, module, "element", name)
    if element is None:
        return None
    outline = outline_of(db, element)
    return element if outline is not None and outline.kind == "component" else None


def lookup_value(db: ProgramDatabase, module: str, name: str) -> DeclarationId | None:
    """The function or value that ``name`` means in a module."""
    return lookup(db, module, "value", name)


def lookup_element(db: ProgramDatabase, module: str, name: str) -> DeclarationId | None:
    """The declaration that a tag ``name`` means in a module; ``None`` for a host element."""
    return lookup(db, module, "element", name)


@query
def visible_type_names(db: ProgramDatabase, module: str) -> tuple[str, ...]:
    """Every name that a type reference in a module can use, for suggestions: types with their
    companions, and components."""
    found = scope(db, module)
    names = list(found.types)
    for name, id in found.types.items():
        outline = outline_of(db, id)
        if outline is not None and outline.kind in ("record", "action"):
            names += [f"{name}.{UPDATE}", f"{name}.{PROPERTY}"]
    for name, id in found.elements.items():
        outline = outline_of(db, id)
        if name not in found.types and outline is not None and outline.kind == "component":
            names.append(name)
    return tuple(names)


# ---------------------------------------------------------------- libraries


@query
def library_conflicts(
    db: ProgramDatabase, module: str
) -> tuple[tuple[str, tuple[DeclarationId, ...]], ...]:
    """Names that two or more *other* modules of the module's library declare, and that the module
    does not bind otherwise: it cannot use them (semantics 2.2)."""
    found = db.about(module)
    if found is None or found.library_root is None:
        return ()
    conflicts: list[tuple[str, tuple[DeclarationId, ...]]] = []
    bound_otherwise = _names_before_library(db, found)
    for name, declared in library_names(db, found.library_root).items():
        others = tuple(each.id for each in declared if each.id.module != module)
        if len(others) > 1 and name not in bound_otherwise:
            conflicts.append((name, others))
    return tuple(conflicts)


def _names_before_library(db: ProgramDatabase, module: About) -> frozenset[str]:
    names = set(own_names(db, module.identity))
    for resolved in imports(db, module.identity):
        for layer in _import_layers(db, resolved):
            names |= {name for name, _ in layer.all_names()}
    return frozenset(names)


def library_conflict_diagnostics(db: ProgramDatabase, module: str) -> tuple[Diagnostic, ...]:
    """One error, at the very start of the module, for each name of ``library_conflicts``."""
    reports = []
    for name, declared in library_conflicts(db, module):
        places = (Label(outline_place(db, each), "declared here") for each in declared)
        where = " and ".join(f"`{each.module}`" for each in declared)
        reports.append(
            Diagnostic(
                "error",
                "lowering-error",
                f"The name `{name}` is declared by {where}, so it means nothing in this module",
                (Label(Place(module, None, 0, 0), primary=True), *places),
                "Rename one of them or make it `private`.",
            )
        )
    return tuple(reports)
