"""A tree as one line of text, so that a test can say what it expects."""

from __future__ import annotations

from nx_lsp.syntax import tree
from nx_lsp.syntax.source_file import SyntaxFile


def sound(text: str) -> SyntaxFile:
    """The file of ``text``, which must have no problem."""
    file = SyntaxFile.parse(text)
    assert [problem.message for _, problem in file.problems()] == []
    return file


def expression(text: str) -> str:
    """The dump of ``text`` as it stands inside braces."""
    node = sound(f"let x = {{{text}}}").pieces[0].tree
    assert isinstance(node, tree.ValueNode)
    assert isinstance(node.value, tree.Braced)
    return " ".join(dump(item) for item in node.value.items)


def type_of(text: str) -> str:
    """The dump of ``text`` as the target of an alias."""
    node = sound(f"type A = {text}").pieces[0].tree
    assert isinstance(node, tree.AliasNode)
    return dump(node.type)


def element(text: str) -> str:
    """The dump of ``text``, a root element."""
    node = sound(text).pieces[-1].tree
    assert isinstance(node, tree.RootNode)
    return dump(node.element)


def _all(nodes: list[tree.Node]) -> str:
    return " ".join(dump(node) for node in nodes)


def dump(node: tree.Node) -> str:
    """Lisp-like: operators first; ``'name`` is a contextual name, ``~text~`` body text."""
    match node:
        case tree.Name() | tree.DottedName():
            return node.text
        case tree.NumberLiteral():
            return node.text
        case tree.StringLiteral():
            return f'"{node.raw}"'
        case tree.BooleanLiteral():
            return str(node.value).lower()
        case tree.UnitLiteral():
            return "()"
        case tree.Identifier():
            return node.name
        case tree.ContextualName():
            return f"'{node.name}{node.suffixes}"
        case tree.QualifiedPattern():
            return f"'{node.name.text}"
        case tree.Unary():
            return f"({node.operator} {dump(node.operand)})"
        case tree.Binary():
            return f"({node.operator} {dump(node.left)} {dump(node.right)})"
        case tree.Call():
            return f"(call {_all([node.callee, *node.arguments])})"
        case tree.Member():
            return f"({'?.' if node.optional else '.'} {dump(node.receiver)} {node.name.text})"
        case tree.PresenceTest():
            return f"(? {dump(node.operand)})"
        case tree.Parenthesized():
            return f"(paren {dump(node.inner)})"
        case tree.Braced() | tree.BodyBlock() | tree.PropertyBlock():
            opener, closer = {
                tree.Braced: "{}",
                tree.BodyBlock: ("{|", "|}"),
                tree.PropertyBlock: ("{=", "=}"),
            }[type(node)]
            return f"{opener}{_all(list(node.items))}{closer}"
        case tree.If():
            otherwise = f" {dump(node.otherwise)}" if node.otherwise else ""
            return f"(if {dump(node.condition)} {dump(node.then)}{otherwise})"
        case tree.MatchArm():
            return f"[{','.join(map(dump, node.patterns))} => {dump(node.body)}]"
        case tree.ConditionArm():
            return f"[{dump(node.condition)} => {dump(node.body)}]"
        case tree.Match():
            otherwise = f" [else => {dump(node.otherwise)}]" if node.otherwise else ""
            return f"(match {_all([node.scrutinee, *node.arms])}{otherwise})"
        case tree.ConditionList():
            otherwise = f" [else => {dump(node.otherwise)}]" if node.otherwise else ""
            return f"(cond {_all(list(node.arms))}{otherwise})"
        case tree.For():
            index = f",{node.index.text}" if node.index else ""
            return f"(for {node.item.text}{index} {dump(node.iterable)} {dump(node.body)})"
        case tree.TextRun():
            return f"~{node.raw}~"
        case tree.Entity():
            return f"&{node.raw}"
        case tree.Escape():
            return f"\\{node.value}"
        case tree.Property():
            return f"{node.name.text}={dump(node.value)}"
        case tree.Element():
            kind = "" if node.mode == "mixed" else f":{node.mode}"
            if node.text_type:
                kind += f"({node.text_type.text})"
            properties = "".join(f" {dump(entry)}" for entry in node.properties)
            body = "" if node.body is None else f" [{_all(list(node.body))}]"
            return f"<{node.tag.text}{kind}{properties}{body}>"
        case tree.NamedType():
            return node.name.text
        case tree.AppliedType():
            arguments = "".join(f" {a.name.text}={dump(a.type)}" for a in node.arguments)
            return f"<{node.name.text}{arguments}>"
        case tree.FunctionTypeNode():
            return f"(fn [{_all(list(node.parameters))}] {dump(node.result)})"
        case tree.EllipsisNode():
            return "..."
        case tree.ParenthesizedType():
            return f"(paren {dump(node.inner)})"
        case tree.SuffixedType():
            return f"({node.suffix} {dump(node.inner)})"
        case tree.ConstrainedType():
            return f"(where {_all([node.base, *node.terms])})"
        case tree.ConstraintTerm():
            low = dump(node.low) if node.low else ""
            high = dump(node.high) if node.high else ""
            brackets = ("[" if node.low_inclusive else "(", "]" if node.high_inclusive else ")")
            return f"{node.operator}{brackets[0]}{low},{high}{brackets[1]}"
        case tree.Bound():
            return ("-" if node.negative else "") + node.text
        case tree.PropertyDefinition():
            modifier = f"{node.modifier.text} " if node.modifier else ""
            mark = "?" if node.optional_mark is not None else ""
            kind = "type" if node.type is None else dump(node.type)
            default = f"={dump(node.default)}" if node.default else ""
            return f"{modifier}{node.name.text}{mark}:{kind}{default}"
        case tree.MissingExpression() | tree.MissingType():
            return "?missing?"
        case _:
            raise AssertionError(type(node).__name__)
