"""Where the pieces of a file begin and end, without parsing most of them.

A module that is not open is only *split*: other files need its names, kinds and bases, not its
bodies. `next_piece` recognises the common shapes by one regular expression each and leaves
everything else to the parser, piece by piece.

The splitter is stateless: an answer depends on the text from ``position`` on and on nothing
before, so after an edit the pieces whose ``reach`` ends before it, and those behind the first
boundary that is met again, stay as they were (`source_file`).

The patterns never guess. They take a declaration only if

* its braces and parentheses balance, counted outside of strings and comments,
* it holds no ``<`` that could open an element, whose body is text and knows no braces or quotes,
* nothing inside begins a line like a declaration (then a brace is missing), and
* what follows is the end of the file, a declaration or an element.

For valid text this gives the pieces that the parser would give, which a test asserts.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from nx_lsp.syntax import tree
from nx_lsp.syntax.lexer import (
    DECLARATION_START,
    IDENT_TEXT,
    SPACE,
    TRIVIA,
    TRIVIA_PATTERN,
    begins_declaration,
)
from nx_lsp.syntax.outline import Outline, PieceKind, outline_of
from nx_lsp.syntax.parser import read_piece

QUICK_LIMIT = 16_384
"""Code points in which a pattern may look for the end of a piece."""

WINDOW = 2048
"""Code points given to the parser at first; more only if it looks to the end of them. An edit in
them may change the piece, so that a small window keeps small what an edit splits again."""

TO_THE_END = 1 << 62
"""A ``reach`` that no edit lies behind."""


class FoundPiece(NamedTuple):
    """A piece: absolute ``start`` and ``end``, its outline, and its tree if it was made.

    ``reach`` is the absolute offset to which the text was looked at: an edit behind it leaves the
    piece as it is, if the words and the space around the edit begin there too."""

    start: int
    end: int
    outline: Outline
    node: tree.PieceNode | None
    reach: int = TO_THE_END


# Every repetition below begins its turns with a character that the part before it cannot take,
# and a line comment must be followed by its line end: so no text can be read in two ways, and a
# pattern that fails has looked at each character a bounded number of times.
_PLAIN = r"[^{}()\"/<']*"
_STRING = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
_LINE_COMMENT = r"//[^\r\n]*(?:[\r\n]|\Z)"
_BLOCK_COMMENT = r"/\*[^*]*\*+(?:[^/*][^*]*\*+)*/"
_DIVISION = r"/(?![/*>])"
_COMPARISON = rf"<(?:=|{SPACE}*-?[0-9])"
_APPLIED = rf"<{IDENT_TEXT}(?:\.{IDENT_TEXT})*(?:{SPACE}+{IDENT_TEXT}=[A-Za-z_][\w.]*)*{SPACE}*/>"
_ATOM = rf"{_STRING}|{_LINE_COMMENT}|{_BLOCK_COMMENT}|{_DIVISION}|{_COMPARISON}|{_APPLIED}"


def _balanced(levels: int) -> str:
    """Text in which braces and parentheses balance, nested at most ``levels`` deep."""
    inner = _ATOM
    for _ in range(levels):
        content = rf"{_PLAIN}(?:(?:{inner}){_PLAIN})*"
        inner = rf"{_ATOM}|\{{{content}\}}|\({content}\)"
    return rf"{_PLAIN}(?:(?:{inner}){_PLAIN})*"


_CONTENT = _balanced(3)
_DOTTED = rf"{IDENT_TEXT}(?:\.{IDENT_TEXT})*"
_VISIBILITY = rf"(?:(private|export){SPACE}+)?"
_EXTENDS = rf"(?:{SPACE}+extends{SPACE}+({_DOTTED}))?"
_TYPE = rf"(?:{_DOTTED}|{_APPLIED})[?+*]?"

_RECORD = re.compile(
    rf"{_VISIBILITY}(?:(abstract){SPACE}+)?(type|action){SPACE}+({IDENT_TEXT}){_EXTENDS}{SPACE}*="
    rf"{SPACE}*\{{{_CONTENT}\}}"
).match

_CASE = rf"{IDENT_TEXT}(?:{TRIVIA}\{{{_CONTENT}\}})?"
_UNION = re.compile(
    rf"{_VISIBILITY}type{SPACE}+({IDENT_TEXT}){_EXTENDS}{SPACE}*={TRIVIA}"
    rf"(?:\|{TRIVIA}{_CASE}(?:{TRIVIA}\|{TRIVIA}{_CASE})*"
    rf"|{_CASE}(?:{TRIVIA}\|{TRIVIA}{_CASE})+)"
).match

_ALIAS = re.compile(
    rf"{_VISIBILITY}type{SPACE}+({IDENT_TEXT}){SPACE}*={SPACE}*{_TYPE}(?![\w.<])"
).match

_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
_VALUE = rf"(?:\{{{_CONTENT}\}}|{_STRING}|{_NUMBER}|{IDENT_TEXT})"
_LET = re.compile(
    rf"{_VISIBILITY}let{SPACE}+({IDENT_TEXT})({SPACE}*\({_CONTENT}\))?"
    rf"(?:{SPACE}*:{SPACE}*{_TYPE})?{SPACE}*={SPACE}*{_VALUE}(?![\w.])"
).match

_IMPORT = re.compile(
    rf"import{SPACE}*(?:{_STRING}(?:{SPACE}+as{SPACE}+{IDENT_TEXT})?"
    rf"|\{{[\w\s.,]*\}}{SPACE}*from{SPACE}*{_STRING})"
).match

_KEYWORD = re.compile(
    rf"(?:(?:private|export|abstract|external){SPACE}+)*(type|action|let|import|component)\b"
).match

_LINE_DECLARATION = re.compile(rf"\n[ \t]*{DECLARATION_START}").search
_ELEMENT_START = re.compile(rf"<{SPACE}*[A-Za-z_]").match


def next_piece(text: str, position: int) -> FoundPiece | None:
    """The first piece at or behind ``position``, which lies between two pieces.

    ``None`` if only whitespace and comments are left. Offsets are code points in ``text``."""
    trivia = TRIVIA_PATTERN.match(text, position)
    start = trivia.end() if trivia else position
    if start >= len(text):
        return None
    keyword = _KEYWORD(text, start)
    if keyword is None:
        return _parsed_piece(text, start)
    limit = start + QUICK_LIMIT
    declaration = _LINE_DECLARATION(text, start, limit)
    if declaration is not None:
        limit, reach = declaration.start(), declaration.end()
    else:
        reach = limit if limit < len(text) else TO_THE_END
    quick = _quick_piece(text, start, keyword.group(1), limit)
    found = quick if quick is not None else _parsed_piece(text, start)
    return found._replace(reach=max(reach, found.reach))


def _quick_piece(text: str, start: int, word: str, limit: int) -> FoundPiece | None:
    """The piece at ``start``, whose keyword is ``word``, if it has one of the common shapes and
    ends before ``limit``."""
    if word == "type":
        return _quick_type(text, start, limit)
    if word == "let":
        match = _LET(text, start, limit)
        if match is None or match.group(2) in ("if", "for"):
            return None
        kind: PieceKind = "function" if match.group(3) else "value"
        return _take(text, match, kind, 2)
    if word == "action":
        match = _RECORD(text, start, limit)
        return _take(text, match, "action", 4, 2, 5) if match else None
    if word == "import":
        match = _IMPORT(text, start, limit)
        reach = None if match is None else _reach_of_good_end(text, match)
        if match is None or reach is None:
            return None
        return FoundPiece(start, match.end(), _IMPORT_OUTLINE, None, reach)
    return None


_IMPORT_OUTLINE = Outline("import")


def _quick_type(text: str, start: int, limit: int) -> FoundPiece | None:
    match = _RECORD(text, start, limit)
    if match is not None:
        return _take(text, match, "record", 4, 2, 5)
    match = _UNION(text, start, limit)
    if match is not None:
        found = _take(text, match, "union", 2, None, 3)
        if found is not None:
            return found
    match = _ALIAS(text, start, limit)
    if match is not None:
        return _take(text, match, "alias", 2)
    return None


def _reach_of_good_end(text: str, match: re.Match[str]) -> int | None:
    """How far was looked to see that what follows can begin a piece, so that nothing of this one
    was left out; ``None`` if it cannot."""
    end = match.end()
    trivia = TRIVIA_PATTERN.match(text, end)
    following = trivia.end() if trivia else end
    if following >= len(text):
        return TO_THE_END
    begins = begins_declaration(text, following) or _ELEMENT_START(text, following)
    return begins.end() if begins else None


def _take(
    text: str,
    match: re.Match[str],
    kind: PieceKind,
    name: int,
    abstract: int | None = None,
    extends: int | None = None,
) -> FoundPiece | None:
    """The piece that ``match`` covers; the numbers are those of its groups."""
    reach = _reach_of_good_end(text, match)
    if reach is None:
        return None
    start, end = match.span()
    word = match.group(1)
    visibility: Literal["private", "internal", "export"] = "internal"
    if word == "export":
        visibility = "export"
    elif word == "private":
        visibility = "private"
    name_start, name_end = match.span(name)
    base = match.group(extends) if extends is not None else None
    outline = Outline(
        kind,
        match.group(name),
        visibility,
        abstract is not None and match.group(abstract) is not None,
        False,
        base,
        name_start - start,
        name_end - start,
    )
    return FoundPiece(start, end, outline, None, reach)


def _parsed_piece(text: str, start: int) -> FoundPiece:
    """The piece at ``start``, found by the parser on as small a window as will do."""
    size = WINDOW
    while True:
        window = text[start : start + size]
        read = read_piece(window)
        if not read.at_window_end or start + size >= len(text):
            break
        size *= 4
    node = None if read.has_problems else read.node
    reach = TO_THE_END if read.at_window_end else start + len(window)
    return FoundPiece(start, start + read.end, outline_of(read.node), node, reach)
