"""The syntax tree of NX: plain values made from text alone.

One tree stands for one top-level piece of a file (an import, a declaration or
the root element). Every node has ``start`` and ``end``: half-open **code point**
offsets *relative to the first token of its piece*, so that text added above a
declaration moves nothing inside it. See ``source_file.SyntaxFile`` for the list
of pieces and their absolute positions.

Invariants, held by ``tests/syntax``:

* a child lies inside its parent, and children stand in source order;
* text between two children is trivia, punctuation or keywords, never a name or
  a literal: nothing an author wrote is missing from the tree;
* every tree is finite and at most ``MAX_DEPTH`` deep.

``None`` or a ``Missing…`` node stands where the author has not written
something that the grammar asks for; the parser has reported it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, Union

MAX_DEPTH = 400
"""Deepest nesting the parser builds; deeper input is reported, not built."""


@dataclass(slots=True, eq=False)
class Node:
    """Base of all nodes. ``start``/``end``: code points, relative to the piece."""

    start: int
    end: int

    child_fields: ClassVar[tuple[str, ...]] = ()
    """Names of the fields that hold child nodes (a node, a list of nodes or ``None``),
    in source order."""


# ---------------------------------------------------------------- names


@dataclass(slots=True, eq=False)
class Name(Node):
    """One name as written (an ``Ident`` or a ``DashName``)."""

    text: str


@dataclass(slots=True, eq=False)
class DottedName(Node):
    """``A.B.c``: a dotted name or a tag name; at least one part."""

    parts: list[Name]
    child_fields = ("parts",)

    @property
    def text(self) -> str:
        """The parts joined by dots, without trivia."""
        return ".".join(part.text for part in self.parts)


# ---------------------------------------------------------------- types (syntax 3)


@dataclass(slots=True, eq=False)
class NamedType(Node):
    """A type written as a name: a primitive, a declared type, ``X.Update``."""

    name: DottedName
    child_fields = ("name",)


@dataclass(slots=True, eq=False)
class TypeArgument(Node):
    """``T=int`` in an applied type."""

    name: Name
    type: TypeNode
    child_fields = ("name", "type")


@dataclass(slots=True, eq=False)
class AppliedType(Node):
    """``<Page T=Plan/>``."""

    name: DottedName
    arguments: list[TypeArgument]
    child_fields = ("name", "arguments")


@dataclass(slots=True, eq=False)
class EllipsisNode(Node):
    """``...`` among the parameters of a function type."""


@dataclass(slots=True, eq=False)
class FunctionTypeNode(Node):
    """``<function a:int … />: R``. ``parameters`` holds property definitions and
    ``EllipsisNode`` nodes in source order; ``<function ... />`` has exactly one ellipsis."""

    parameters: list[Union[PropertyDefinition, EllipsisNode]]
    result: TypeNode
    child_fields = ("parameters", "result")


@dataclass(slots=True, eq=False)
class ParenthesizedType(Node):
    """``( Type )``: grouping only."""

    inner: TypeNode
    child_fields = ("inner",)


@dataclass(slots=True, eq=False)
class SuffixedType(Node):
    """A type with one occurrence suffix; several suffixes nest. ``suffix_start`` is the
    offset of the suffix (its end is ``end``)."""

    inner: TypeNode
    suffix: Literal["?", "+", "*", "[]"]
    suffix_start: int
    child_fields = ("inner",)


@dataclass(slots=True, eq=False)
class Bound(Node):
    """A literal bound of a constraint. ``text`` is the number without its sign or trivia."""

    negative: bool
    text: str


@dataclass(slots=True, eq=False)
class ConstraintTerm(Node):
    """``> 0`` (``low``, exclusive), ``in 1..=10`` (both), ``in ..5`` (``high`` only).

    For a comparison only the bound on its side is set."""

    operator: Literal[">", ">=", "<", "<=", "in"]
    low: Bound | None
    high: Bound | None
    low_inclusive: bool
    high_inclusive: bool
    child_fields = ("low", "high")


@dataclass(slots=True, eq=False)
class ConstrainedType(Node):
    """``base where term && term``. ``constraint_start`` is the offset of ``where``."""

    base: TypeNode
    constraint_start: int
    terms: list[ConstraintTerm]
    child_fields = ("base", "terms")


@dataclass(slots=True, eq=False)
class MissingType(Node):
    """Stands where a type was expected and nothing usable was written (reported)."""


TypeNode = Union[
    NamedType,
    AppliedType,
    FunctionTypeNode,
    ParenthesizedType,
    SuffixedType,
    ConstrainedType,
    MissingType,
]


# ---------------------------------------------------------------- expressions (syntax 4)


@dataclass(slots=True, eq=False)
class StringLiteral(Node):
    """``raw`` is the text between the quotes, verbatim: NX decodes nothing (syntax 1.7)."""

    raw: str


@dataclass(slots=True, eq=False)
class NumberLiteral(Node):
    """``text`` as written, without sign."""

    kind: Literal["int", "real", "hex"]
    text: str


@dataclass(slots=True, eq=False)
class BooleanLiteral(Node):
    value: bool


@dataclass(slots=True, eq=False)
class UnitLiteral(Node):
    """``()``."""


@dataclass(slots=True, eq=False)
class Identifier(Node):
    """A name in an expression: a reference to a binding."""

    name: str


@dataclass(slots=True, eq=False)
class ContextualName(Node):
    """An unbraced bare name, resolved against the expected type (syntax 4.1), or a
    one-segment pattern. ``suffixes`` holds the touching ``?``/``+``/``*`` characters
    (normally empty); they stand directly after the name."""

    name: str
    suffixes: str = ""


@dataclass(slots=True, eq=False)
class QualifiedPattern(Node):
    """A pattern of two or more segments: ``Outcome.done``."""

    name: DottedName
    child_fields = ("name",)


@dataclass(slots=True, eq=False)
class Unary(Node):
    """``-x`` or ``!x``; also the signed number of an unbraced value or a pattern."""

    operator: Literal["-", "!"]
    operand: Expression
    child_fields = ("operand",)


@dataclass(slots=True, eq=False)
class Binary(Node):
    operator: str
    operator_start: int
    left: Expression
    right: Expression
    child_fields = ("left", "right")


@dataclass(slots=True, eq=False)
class Call(Node):
    """``f(a, b)``; ``arguments_start`` is the offset of ``(``."""

    callee: Expression
    arguments_start: int
    arguments: list[Expression]
    child_fields = ("callee", "arguments")


@dataclass(slots=True, eq=False)
class Member(Node):
    """``e.m`` or, with ``optional``, ``e?.m``."""

    receiver: Expression
    name: Name
    optional: bool
    child_fields = ("receiver", "name")


@dataclass(slots=True, eq=False)
class PresenceTest(Node):
    """``e?``."""

    operand: Expression
    child_fields = ("operand",)


@dataclass(slots=True, eq=False)
class Parenthesized(Node):
    """``( e )``."""

    inner: Expression
    child_fields = ("inner",)


@dataclass(slots=True, eq=False)
class Braced(Node):
    """``{ … }``: no item is the empty value, one item is that expression, two or more a list.
    Also the ``@{…}`` of typed text (``start`` is then at the ``@``)."""

    items: list[Expression]
    child_fields = ("items",)


@dataclass(slots=True, eq=False)
class BodyBlock(Node):
    """``{ BodyItem+ }``: the braces of a branch, arm or loop in a markup body."""

    items: list[BodyPart]
    child_fields = ("items",)


@dataclass(slots=True, eq=False)
class PropertyBlock(Node):
    """The properties of a branch or arm in a property list, with or without braces."""

    items: list[PropertyEntry]
    child_fields = ("items",)


Branch = Union["Expression", BodyBlock, PropertyBlock]
"""The body of a branch or arm: in a value context an expression (usually ``Braced``), in a
markup body a ``BodyBlock`` or an ``Element``, in a property list a ``PropertyBlock``."""


@dataclass(slots=True, eq=False)
class If(Node):
    """``if c {…} else {…}``."""

    condition: Expression
    then: Branch
    otherwise: Branch | None
    child_fields = ("condition", "then", "otherwise")


@dataclass(slots=True, eq=False)
class MatchArm(Node):
    """``p, q => body``."""

    patterns: list[Expression]
    body: Branch
    child_fields = ("patterns", "body")


@dataclass(slots=True, eq=False)
class Match(Node):
    """``if s is { … }``."""

    scrutinee: Expression
    arms: list[MatchArm]
    otherwise: Branch | None
    child_fields = ("scrutinee", "arms", "otherwise")


@dataclass(slots=True, eq=False)
class ConditionArm(Node):
    """``c => body``."""

    condition: Expression
    body: Branch
    child_fields = ("condition", "body")


@dataclass(slots=True, eq=False)
class ConditionList(Node):
    """``if { c => x … else => y }``."""

    arms: list[ConditionArm]
    otherwise: Branch | None
    child_fields = ("arms", "otherwise")


@dataclass(slots=True, eq=False)
class For(Node):
    """``for x, i in e { … }``; ``body`` is ``Braced`` in a value context, ``BodyBlock`` in
    markup."""

    item: Name
    index: Name | None
    iterable: Expression
    body: Braced | BodyBlock
    child_fields = ("item", "index", "iterable", "body")


@dataclass(slots=True, eq=False)
class MissingExpression(Node):
    """Stands where an expression was expected and nothing usable was written (reported)."""


# ---------------------------------------------------------------- markup (syntax 4.8, 4.9)


@dataclass(slots=True, eq=False)
class Property(Node):
    """``name=value`` at a use site."""

    name: DottedName
    value: Expression
    child_fields = ("name", "value")


PropertyEntry = Union[Property, If, Match, ConditionList]


@dataclass(slots=True, eq=False)
class TextRun(Node):
    """Text of a body, verbatim."""

    raw: str


@dataclass(slots=True, eq=False)
class Entity(Node):
    """``&amp;`` in a text or typed-text body, kept as written."""

    raw: str


@dataclass(slots=True, eq=False)
class Escape(Node):
    """``\\{``, ``\\}``, ``\\@`` in a text body; ``value`` is the one character it stands for."""

    value: str


@dataclass(slots=True, eq=False)
class Element(Node):
    """A tag with its properties and body.

    ``body`` is ``None`` for a self-closing tag and an empty list for ``<p></p>``.
    ``mode`` is the body mode of syntax 4.9; ``text_type`` is ``md`` in ``<p:md>``.
    ``closing`` is the name in the closing tag, ``None`` if there is none. In ``body``,
    gaps between pieces are found from the pieces' offsets."""

    tag: DottedName
    mode: Literal["mixed", "text", "typed", "raw"]
    text_type: Name | None
    properties: list[PropertyEntry]
    body: list[BodyPart] | None
    closing: DottedName | None
    child_fields = ("tag", "text_type", "properties", "body", "closing")


Expression = Union[
    StringLiteral,
    NumberLiteral,
    BooleanLiteral,
    UnitLiteral,
    Identifier,
    ContextualName,
    QualifiedPattern,
    Unary,
    Binary,
    Call,
    Member,
    PresenceTest,
    Parenthesized,
    Braced,
    If,
    Match,
    ConditionList,
    For,
    Element,
    MissingExpression,
]

BodyPart = Union[TextRun, Entity, Escape, Element, If, Match, ConditionList, For, Braced]


# ---------------------------------------------------------------- declarations (syntax 2)


@dataclass(slots=True, eq=False)
class PropertyDefinition(Node):
    """``[content] name[?]:type[= default]``; also a type parameter ``T:type``.

    ``optional_mark`` is the offset of the ``?`` on the name, ``None`` without one.
    ``type`` is ``None`` exactly when ``is_type_parameter``."""

    modifier: Name | None
    name: Name
    optional_mark: int | None
    is_type_parameter: bool
    type: TypeNode | None
    default: Expression | None
    child_fields = ("modifier", "name", "type", "default")


@dataclass(slots=True, eq=False)
class ImportItem(Node):
    name: Name
    alias: DottedName | None
    child_fields = ("name", "alias")


@dataclass(slots=True, eq=False)
class Import(Node):
    """``items`` is ``None`` for a wildcard import; ``alias`` only with a wildcard.
    ``path`` is ``None`` if none was written (reported)."""

    items: list[ImportItem] | None
    path: StringLiteral | None
    alias: Name | None
    child_fields = ("items", "path", "alias")


@dataclass(slots=True, eq=False)
class RecordNode(Node):
    """A record or action declaration."""

    visibility: Literal["private", "export"] | None
    abstract: bool
    keyword: Literal["type", "action"]
    name: Name
    extends: DottedName | None
    fields: list[PropertyDefinition]
    child_fields = ("name", "extends", "fields")


@dataclass(slots=True, eq=False)
class UnionCase(Node):
    """``| name { … }``; ``start`` is at the ``|`` when there is one. ``fields`` is ``None``
    without braces."""

    name: Name
    fields: list[PropertyDefinition] | None
    child_fields = ("name", "fields")


@dataclass(slots=True, eq=False)
class UnionNode(Node):
    visibility: Literal["private", "export"] | None
    name: Name
    extends: DottedName | None
    cases: list[UnionCase]
    child_fields = ("name", "extends", "cases")


@dataclass(slots=True, eq=False)
class AliasNode(Node):
    visibility: Literal["private", "export"] | None
    name: Name
    type: TypeNode
    child_fields = ("name", "type")


@dataclass(slots=True, eq=False)
class ValueNode(Node):
    visibility: Literal["private", "export"] | None
    name: Name
    type: TypeNode | None
    value: Expression
    child_fields = ("name", "type", "value")


@dataclass(slots=True, eq=False)
class FunctionNode(Node):
    """Both forms; ``name`` has one part in the paren form. ``signature_end`` is the offset
    after the result annotation, or after the ``)`` or ``/>`` without one: where an
    annotation can be inserted."""

    visibility: Literal["private", "export"] | None
    form: Literal["paren", "element"]
    name: DottedName
    parameters: list[PropertyDefinition]
    result: TypeNode | None
    signature_end: int
    body: Expression
    child_fields = ("name", "parameters", "result", "body")


@dataclass(slots=True, eq=False)
class EmitDefinition(Node):
    """An inline emitted action."""

    name: Name
    extends: DottedName | None
    fields: list[PropertyDefinition]
    child_fields = ("name", "extends", "fields")


@dataclass(slots=True, eq=False)
class EmitReference(Node):
    name: DottedName
    child_fields = ("name",)


@dataclass(slots=True, eq=False)
class ComponentBody(Node):
    """``{ state { … } expr }``. ``state`` is ``None`` without a ``state`` group. ``rendered``
    holds the rendered expression; more than one has been reported."""

    state: list[PropertyDefinition] | None
    rendered: list[Expression]
    child_fields = ("state", "rendered")


@dataclass(slots=True, eq=False)
class ComponentNode(Node):
    visibility: Literal["private", "export"] | None
    abstract: bool
    external: bool
    name: DottedName
    extends: DottedName | None
    properties: list[PropertyDefinition]
    emits: list[Union[EmitDefinition, EmitReference]]
    body: ComponentBody | None
    child_fields = ("name", "extends", "properties", "emits", "body")


@dataclass(slots=True, eq=False)
class RootNode(Node):
    """The element that ends a module."""

    element: Element
    child_fields = ("element",)


@dataclass(slots=True, eq=False)
class ErrorNode(Node):
    """A region that is no declaration at all (reported)."""


DeclarationNode = Union[RecordNode, UnionNode, AliasNode, ValueNode, FunctionNode, ComponentNode]
PieceNode = Union[DeclarationNode, Import, RootNode, ErrorNode]


# ---------------------------------------------------------------- walking


def children(node: Node) -> Iterator[Node]:
    """Yield the direct children of ``node`` in source order."""
    if type(node) is ComponentNode and _in_disorder(node):
        parts = [node.name, node.extends, *node.properties, *node.emits, node.body]
        yield from sorted((part for part in parts if part), key=lambda part: part.start)
        return
    for name in node.child_fields:
        value = getattr(node, name)
        if value is None:
            continue
        if type(value) is list:
            yield from value
        else:
            yield value


def _in_disorder(node: ComponentNode) -> bool:
    """Whether a property stands behind ``emits``: that is reported, but it is a property."""
    if not node.emits or not node.properties:
        return False
    return node.properties[-1].start > node.emits[0].start


def walk(node: Node) -> Iterator[Node]:
    """Yield ``node`` and all its descendants, parents first, in source order.

    Iterative, so that no tree is too deep for it."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        # ``children`` backwards, without a generator: a check spends much of its time here
        for name in reversed(current.child_fields):
            value = getattr(current, name)
            if value is None:
                continue
            if type(value) is list:
                stack.extend(reversed(value))
            else:
                stack.append(value)


def path_to(node: Node, offset: int) -> list[Node]:
    """The nodes that contain ``offset`` (code points, relative; an end counts as inside),
    outermost first; of two children that touch at ``offset`` the later one is taken."""
    path = [node]
    while True:
        inside = [c for c in children(path[-1]) if c.start <= offset <= c.end]
        if not inside:
            return path
        path.append(inside[-1])
