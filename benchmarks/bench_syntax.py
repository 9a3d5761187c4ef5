"""How fast files are split and parsed. Run: ``python benchmarks/bench_syntax.py [KB]``.

The text is ordinary code: a third records of eight documented fields, a third unions of four
cases with payload, a third functions of three documented parameters, about 325 bytes each."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from nx_lsp.syntax.parser import parse_piece
from nx_lsp.syntax.source_file import SyntaxFile


def record(number: int) -> str:
    fields = "".join(
        f"  /// Field {index} of it.\n  field{index}:{kind}\n"
        for index, kind in enumerate(
            ["string", "int", "int?", "string+", "Other", "float64 = 1.5", "boolean", "int = 3"]
        )
    )
    return f"/// Record {number}.\nexport type Record{number} extends Base = {{\n{fields}}}\n\n"


def union(number: int) -> str:
    cases = "".join(
        f"  /// The case {index}.\n  | case{index} {{ reason:string count:int = {index} }}\n"
        for index in range(4)
    )
    return f"/// Union {number}.\ntype Union{number} =\n{cases}\n"


def function(number: int) -> str:
    parameters = ",\n".join(
        f"  /// Parameter {index}, which says something.\n  parameter{index}:{kind}"
        for index, kind in enumerate(["Record1", 'string = "none"', "int = 12"])
    )
    return (
        f"/// Function {number}.\nexport let function{number}(\n{parameters}\n): string = "
        "{ parameter1 + parameter0.field1 }\n\n"
    )


def program(size: int) -> str:
    """At least ``size`` characters of ordinary code."""
    parts: list[str] = []
    length = number = 0
    while length < size:
        part = (record, union, function)[number % 3](number)
        parts.append(part)
        length += len(part)
        number += 1
    return "".join(parts)


def rate(size: int, run: Callable[[], object]) -> float:
    """Megabytes in a second, the best of five runs."""
    best = float("inf")
    for _ in range(5):
        begin = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - begin)
    return size / best / 1e6


def main() -> None:
    size = int(sys.argv[1]) * 1000 if len(sys.argv) > 1 else 300_000
    text = program(size)
    file = SyntaxFile.parse(text)
    assert not file.has_syntax_errors
    average = len(text) / len(file.pieces)
    print(f"{len(text)} characters, {len(file.pieces)} pieces of {average:.0f} on average")
    print(f"outline: {rate(len(text), lambda: SyntaxFile.parse(text)):6.2f} MB/s")
    pieces = [piece.text for piece in file.pieces]
    parsed = rate(len(text), lambda: [parse_piece(piece) for piece in pieces])
    print(f"parse:   {parsed:6.2f} MB/s")


if __name__ == "__main__":
    main()
