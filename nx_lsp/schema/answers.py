"""What the two schema queries answer, as values and as JSON (schema-contract 1)."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal, Union

from nx_lsp.program.declarations import DeclarationId
from nx_lsp.schema.hosts import CopyOptions, Host, HostCopy, copy_for_host
from nx_lsp.syntax.problems import Severity
from nx_lsp.syntax.text import Span

Direction = Literal["input", "output"]
"""``input``: a value a host supplies. ``output``: a value a runtime returns."""

DIRECTIONS: tuple[Direction, ...] = ("input", "output")

Json = Union[None, bool, int, float, str, list["Json"], dict[str, "Json"]]
"""A JSON value. Members of an object stand in the order in which they are written."""

Schema = dict[str, Any]
"""A JSON Schema object or a whole document."""


@dataclass(frozen=True, slots=True)
class SpannedLabel:
    """A place that a diagnostic is about. ``message`` is for people only, not part of the JSON."""

    file: str
    span: Span
    primary: bool
    message: str | None = None

    def to_json(self) -> dict[str, Json]:
        """Members ``file``, ``span``, ``primary``."""
        return {"file": self.file, "span": {**self.span.to_json()}, "primary": self.primary}


@dataclass(frozen=True, slots=True)
class SpannedDiagnostic:
    """A diagnostic whose places are spans. Those of the schema queries say why a schema is left
    out: ``schema-inexpressible-type`` or ``schema-ambiguous-discriminator``, always errors."""

    severity: Severity
    code: str
    message: str
    labels: tuple[SpannedLabel, ...]
    help: str | None = None

    def to_json(self) -> dict[str, Json]:
        """Members in the contract's order; ``help`` only if there is one."""
        answer: dict[str, Json] = {
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
            "labels": [label.to_json() for label in self.labels],
        }
        if self.help is not None:
            answer["help"] = self.help
        return answer


def _name_to_json(name: DeclarationId) -> dict[str, Json]:
    return {"module": name.module, "name": name.name}


@dataclass(frozen=True, slots=True)
class ParameterEntry:
    """One declared parameter. ``type`` is the author's spelling, constraint included."""

    name: str
    type: str
    required: bool
    description: str | None = None
    type_ref: DeclarationId | None = None
    """The record or union that the parameter is declared with."""
    host_supplied: DeclarationId | None = None
    """The listed type that makes the host fill the parameter in."""
    host_supplied_within: tuple[DeclarationId, ...] = ()
    """The listed types that the parameter's type holds without being one."""

    def to_json(self) -> dict[str, Json]:
        """Members in the contract's order, absent ones left out."""
        answer: dict[str, Json] = {"name": self.name, "type": self.type, "required": self.required}
        if self.description is not None:
            answer["description"] = self.description
        if self.type_ref is not None:
            answer["typeRef"] = _name_to_json(self.type_ref)
        if self.host_supplied is not None:
            answer["hostSupplied"] = _name_to_json(self.host_supplied)
        if self.host_supplied_within:
            answer["hostSuppliedWithin"] = [_name_to_json(n) for n in self.host_supplied_within]
        return answer


def _documentation(description: str | None, summary: str | None) -> dict[str, Json]:
    answer: dict[str, Json] = {}
    if description is not None:
        answer["description"] = description
    if summary is not None:
        answer["summary"] = summary
    return answer


def _diagnostics(diagnostics: Sequence[SpannedDiagnostic]) -> list[Json]:
    return [diagnostic.to_json() for diagnostic in diagnostics]


@dataclass(frozen=True, slots=True)
class FunctionSchema:
    """The answer about one function.

    ``input_schema`` or ``output_schema`` is ``None`` where ``diagnostics`` say why."""

    module: str
    name: str
    description: str | None
    summary: str | None
    parameters: tuple[ParameterEntry, ...]
    input_schema: Schema | None
    output_schema: Schema | None
    result_type: str
    declaration: Span
    diagnostics: tuple[SpannedDiagnostic, ...]

    def to_json(self) -> dict[str, Json]:
        """A fresh JSON object: members in the contract's order, absent ones left out."""
        answer: dict[str, Json] = {"module": self.module, "name": self.name}
        answer.update(_documentation(self.description, self.summary))
        answer["parameters"] = [entry.to_json() for entry in self.parameters]
        if self.input_schema is not None:
            answer["inputSchema"] = deepcopy(self.input_schema)
        if self.output_schema is not None:
            answer["outputSchema"] = deepcopy(self.output_schema)
        answer["resultType"] = self.result_type
        answer["declaration"] = {**self.declaration.to_json()}
        answer["diagnostics"] = _diagnostics(self.diagnostics)
        return answer

    def for_host(
        self,
        host: Host,
        *,
        name: str | None = None,
        description: str | None = None,
        options: CopyOptions | None = None,
    ) -> HostCopy:
        """The function as a tool of ``host``: ``"mcp"``, ``"openai"``, ``"openai-strict"``,
        ``"anthropic"`` or ``"ax"`` (``docs/hosts.md``).

        ``name`` and ``description`` left out are the function's name in snake case and its
        documentation. Raises ``ValueError`` for a host that is not known."""
        return copy_for_host(self, host, name, description, options or CopyOptions())


@dataclass(frozen=True, slots=True)
class TypeSchema:
    """The answer about one declared or derived type. ``schema`` is ``None`` where ``diagnostics``
    say why."""

    module: str
    name: str
    description: str | None
    summary: str | None
    schema: Schema | None
    diagnostics: tuple[SpannedDiagnostic, ...]

    def to_json(self) -> dict[str, Json]:
        """A fresh JSON object: members in the contract's order, absent ones left out."""
        answer: dict[str, Json] = {"module": self.module, "name": self.name}
        answer.update(_documentation(self.description, self.summary))
        if self.schema is not None:
            answer["schema"] = deepcopy(self.schema)
        answer["diagnostics"] = _diagnostics(self.diagnostics)
        return answer
