"""Runs every Markdown specification below this folder: see ``README.md`` for the notation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mdtest import (
    SCHEMA_URI,
    Case,
    ExpectedDocument,
    MarkdownError,
    Reported,
    Subject,
    differing_diagnostics,
    differing_json,
    differing_text,
    markdown_files,
    read_cases,
)

from nx_lsp.syntax.source_file import SyntaxFile

HERE = Path(__file__).parent
SYNTAX_ONLY = "syntax"
"""Files of this folder name things that nobody declares: only what one file's text alone can
show is checked there."""


def _all_cases() -> Iterator[Case]:
    for path in markdown_files(HERE, ("syntax", "schema", "program", "types")):
        file = path.relative_to(HERE).as_posix()
        yield from read_cases(file, path.read_text(encoding="utf-8"))


def _collect() -> list[Any]:
    try:
        return [pytest.param(case, id=str(case)) for case in _all_cases()]
    except MarkdownError as error:
        return [pytest.param(error, id="notation")]


@pytest.mark.parametrize("case", _collect())
def test_specification(case: Case | MarkdownError) -> None:
    if isinstance(case, MarkdownError):
        pytest.fail(str(case), pytrace=False)
    problems = failures(case)
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


def failures(case: Case) -> list[str]:
    """Everything in which a case differs from what the project does."""
    if case.file.startswith(f"{SYNTAX_ONLY}/"):
        return _syntax_failures(case)
    return _program_failures(case)


# ---------------------------------------------------------------- syntax alone


def _syntax_failures(case: Case) -> list[str]:
    files = {name: SyntaxFile.parse(text) for name, text in case.modules.items()}
    reported = [r for name, file in files.items() for r in _syntax_problems(name, file)]
    problems = differing_diagnostics(case, reported)
    for name, file in files.items():
        if file.reprint() != case.modules[name]:
            problems.append(f"{case.file}:{case.module_lines[name]}: does not reprint its text")
    return problems + _tree_failures(case, files)


def _tree_failures(case: Case, files: dict[str, SyntaxFile]) -> list[str]:
    from rendering import documented, groupings

    problems = []
    for document in case.documents:
        if document.what == "grouping":
            actual: dict[str, str] = {}
            for file in files.values():
                actual |= groupings(file)
            lines = [line for line in document.text.split("\n") if line.strip()]
            for line in lines:
                name, _, expected = line.partition(" = ")
                found = actual.get(name.strip(), "nothing of that name")
                if found != expected:
                    problems.append(
                        f"{case.file}:{document.at}: {name.strip()} is grouped differently:"
                        f"\n    expected: {expected}\n    found:    {found}"
                    )
        elif document.what == "documentation":
            found = "\n".join(line for file in files.values() for line in documented(file))
            difference = differing_text(document.text, found)
            if difference:
                problems.append(f"{case.file}:{document.at}: documentation: {difference}")
    return problems


def _syntax_problems(name: str, file: SyntaxFile) -> Iterator[Reported]:
    for key, problem in file.problems():
        base = 0 if key is None else file.start_of(key)
        yield _reported(
            problem.severity,
            problem.code,
            problem.message,
            name,
            file.text,
            base + problem.start,
            base + problem.end,
            problem.help,
        )


def _reported(
    severity: str,
    code: str,
    message: str,
    module: str,
    text: str,
    start: int,
    end: int,
    help: str | None,
) -> Reported:
    line = text.count("\n", 0, start) + 1
    column = start - (text.rfind("\n", 0, start) + 1) + 1
    return Reported(severity, code, message, module, line, column, text[start:end], help)


# ---------------------------------------------------------------- whole programs


def _program_failures(case: Case) -> list[str]:
    from nx_lsp import Program

    program = Program.from_sources(case.modules, entry=case.entry)
    problems = differing_diagnostics(
        case, [_from_diagnostic(case, d) for d in program.diagnostics()]
    )
    files = {name: SyntaxFile.parse(text) for name, text in case.modules.items()}
    problems += _tree_failures(case, files)
    subjects: list[Subject] = []
    for document in case.documents:
        if document.subject is not None:
            problems += _document_failures(case, program, document)
            if document.what != "failure" and document.subject not in subjects:
                subjects.append(document.subject)
    for expected in case.expected:
        if expected.subject is not None and expected.subject not in subjects:
            subjects.append(expected.subject)
    for subject in subjects:
        answer = _answer(program, subject)
        problems += differing_diagnostics(
            case, [_from_json(case, d) for d in answer["diagnostics"]], subject
        )
    return problems + _unsound_documents(case, program)


def _answer(program: Any, subject: Subject) -> dict[str, Any]:
    answer: dict[str, Any]
    if subject.direction is None:
        answer = program.function_schema(
            subject.name, module=subject.module, host_supplied_types=list(subject.host_supplied)
        ).to_json()
    else:
        answer = program.type_schema(
            subject.name, module=subject.module, direction=subject.direction
        ).to_json()
    return answer


_MEMBERS = {"input": "inputSchema", "output": "outputSchema"}


def _document_failures(case: Case, program: Any, document: ExpectedDocument) -> list[str]:
    from nx_lsp import UnknownDeclaration

    assert document.subject is not None
    at = f"{case.file}:{document.at}: {document.title}"
    try:
        answer = _answer(program, document.subject)
    except UnknownDeclaration as error:
        if document.what != "failure":
            return [f"{at}: {error}"]
        wanted = [line for line in document.text.split("\n") if line.strip()]
        return [f"{at}: {w!r} is not in {error}" for w in wanted if w not in str(error)]
    if document.what == "failure":
        return [f"{at}: did not fail"]
    if " for " in document.what:
        return _value_failures(at, document, answer)
    member = _MEMBERS.get(document.what, document.what)
    actual = answer if member == "answer" else answer.get(member)
    difference = differing_json(json.loads(document.text), actual)
    return [f"{at}:\n{difference}"] if difference else []


def _value_failures(at: str, document: ExpectedDocument, answer: dict[str, Any]) -> list[str]:
    kind, _, member = document.what.partition(" for ")
    schema = answer.get(_MEMBERS.get(member, member))
    if schema is None:
        return [f"{at}: there is no such schema"]
    validator = Draft202012Validator(schema)
    values = json.loads(document.text)
    wrong = [v for v in values if validator.is_valid(v) != (kind == "values")]
    word = "is refused" if kind == "values" else "is admitted"
    return [f"{at}: {json.dumps(value, ensure_ascii=False)} {word}" for value in wrong]


def _from_json(case: Case, diagnostic: dict[str, Any]) -> Reported:
    """A diagnostic in the form of the schema contract."""
    label = next((one for one in diagnostic["labels"] if one["primary"]), None)
    if label is None:
        return Reported(
            diagnostic["severity"],
            diagnostic["code"],
            diagnostic["message"],
            None,
            None,
            None,
            None,
            diagnostic.get("help"),
        )
    span = label["span"]
    text = case.modules.get(label["file"])
    source = None
    if text is not None:
        source = text.encode()[span["startByte"] : span["endByte"]].decode()
    return Reported(
        diagnostic["severity"],
        diagnostic["code"],
        diagnostic["message"],
        label["file"],
        span["startLine"],
        span["startColumn"],
        source,
        diagnostic.get("help"),
    )


def _from_diagnostic(case: Case, diagnostic: Any) -> Reported:
    return _from_json(case, diagnostic.to_json())


# ---------------------------------------------------------------- what holds of every document


def _unsound_documents(case: Case, program: Any) -> list[str]:
    """Every schema of every function and type of the program, asked in both directions, is a
    valid 2020-12 schema that holds exactly the definitions it refers to."""
    problems = []
    for title, schema in every_schema(program):
        fault = unsound(schema)
        if fault:
            problems.append(f"{case.file}:{case.at}: {title}: {fault}")
    return problems


def every_schema(program: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for function in program.functions():
        answer = program.function_schema(function.name, module=function.module).to_json()
        for member in ("inputSchema", "outputSchema"):
            if member in answer:
                yield f"{member} of {function.name}", answer[member]
            elif not answer["diagnostics"]:
                yield f"{member} of {function.name}", {"$schema": "left out without a reason"}
    for declared in program.types():
        for direction in ("input", "output"):
            answer = program.type_schema(
                declared.name, module=declared.module, direction=direction
            ).to_json()
            if "schema" in answer:
                yield f"type {declared.name} {direction}", answer["schema"]


def unsound(schema: dict[str, Any]) -> str | None:
    """Why a document breaks section 2 of the contract, ``None`` if it does not."""
    if schema.get("$schema") != SCHEMA_URI:
        return f"$schema is {schema.get('$schema')!r}"
    try:
        Draft202012Validator.check_schema(schema)
    except Exception as error:
        return f"no valid schema: {error}"
    definitions = schema.get("$defs", {})
    if "$defs" in schema and (not definitions or list(schema)[-1] != "$defs"):
        return "$defs is empty or not last"
    mentioned = list(dict.fromkeys(_references(schema)))
    wanted = [f"#/$defs/{key}" for key in definitions]
    if sorted(mentioned) != sorted(wanted):
        return f"refers to {mentioned}, defines {wanted}"
    return None


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for member in value.values():
            yield from _references(member)
    elif isinstance(value, list):
        for item in value:
            yield from _references(item)
