"""What a copy for a host is made of (editor-experience 10).

A copy restates a function's contract for a system that calls tools. Where it departs from the
contract it says so in a note, and where a value crosses in another shape, ``encode`` and ``decode``
carry it over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Json = Any
"""A JSON value."""

Schema = dict[str, Any]

Host = Literal["mcp", "openai", "openai-strict", "anthropic", "ax"]


@dataclass(frozen=True, slots=True)
class HostNote:
    """One departure of a copy from the contract.

    ``pointer`` is a JSON pointer into the copy's document. ``lossy``: the copy admits values that
    the contract does not, so that what arrives must be checked against the contract's schema."""

    pointer: str
    code: str
    message: str
    lossy: bool = False

    def to_json(self) -> dict[str, Json]:
        """The note as the protocol has it."""
        return {
            "pointer": self.pointer,
            "code": self.code,
            "message": self.message,
            "lossy": self.lossy,
        }


@dataclass(frozen=True, slots=True)
class CopyOptions:
    """What a user may choose about copies (settings ``nxlsp.copy.*``)."""

    meta_schema: bool = False
    """Keep the root ``$schema``, where the host allows it."""
    result_in_description: bool = False
    """Tell the result's schema in the description, for hosts that have no place for it."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is copied: a tool's name and description, and its two schemas, each of which may be
    missing; ``reasons`` say why."""

    name: str
    description: str | None
    input_schema: Schema | None
    output_schema: Schema | None
    reasons: tuple[str, ...]
    options: CopyOptions


def _same(value: Json) -> Json:
    return value


@dataclass(frozen=True, slots=True)
class Codec:
    """Carries a value from the contract's shape into the copy's, and back."""

    encode: Callable[[Json], Json] = _same
    decode: Callable[[Json], Json] = _same


@dataclass(frozen=True, slots=True)
class HostCopy:
    """A tool as one host takes it. ``document`` is ``None`` where the host has no way to say what
    the contract says; the notes then tell what to change in the source.

    ``name`` is the tool's name at the host, which is another than the tool's own where the host
    does not allow that."""

    host: Host
    name: str
    document: dict[str, Json] | None
    notes: tuple[HostNote, ...]
    arguments: Codec = field(default_factory=Codec, compare=False)
    result: Codec = field(default_factory=Codec, compare=False)

    @property
    def refused(self) -> bool:
        """Whether there is no copy."""
        return self.document is None

    @property
    def lossy(self) -> bool:
        """Whether the host must check what arrives against the contract's schema."""
        return any(note.lossy for note in self.notes)

    def decode_arguments(self, arguments: Mapping[str, Json]) -> dict[str, Json]:
        """Canonical arguments from what a model sent. Nothing is checked: what does not fit the
        copy is handed on as it is, for the contract's schema to refuse."""
        decoded: dict[str, Json] = self.arguments.decode(arguments)
        return decoded

    def encode_arguments(self, arguments: Mapping[str, Json]) -> dict[str, Json]:
        """What a model would send for canonical arguments."""
        encoded: dict[str, Json] = self.arguments.encode(arguments)
        return encoded

    def decode_result(self, result: Json) -> Json:
        """The canonical result from what crosses to the host."""
        return self.result.decode(result)

    def encode_result(self, result: Json) -> Json:
        """What crosses to the host for a canonical result."""
        return self.result.encode(result)
