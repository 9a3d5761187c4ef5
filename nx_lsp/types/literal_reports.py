"""What is said of literals and constant expressions that cannot take their type (semantics 3.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nx_lsp.syntax import tree
from nx_lsp.types.display import display_item, spell_interval
from nx_lsp.types.literals import Constant, LiteralProblem
from nx_lsp.types.model import Constrained, ItemType
from nx_lsp.types.relations import numeric_base

if TYPE_CHECKING:
    from nx_lsp.types.inference import Inference

LONGEST_NUMBER = 10**40
"""Numbers beyond this are not spelled out."""


def report_literal(
    inference: Inference,
    node: tree.Node,
    constant: Constant,
    problem: LiteralProblem,
    site: ItemType,
) -> None:
    """Report a literal or constant expression that cannot take the type of its site."""
    spelled = _spelled(constant)
    base = numeric_base(site)
    help = None
    if problem == "integer-literal-out-of-range":
        message = f"{spelled} is outside the range of `{base}`"
        help = "An `int32` goes from -2147483648 to 2147483647."
    elif problem == "float-literal-not-exact":
        message = f"{spelled} is not exactly a `{base}`"
        help = f"Write it as a real to have it rounded: `{constant.value.numerator}.0`."
    elif problem == "constant-division-by-zero":
        message = "This divides by zero"
    elif problem == "constant-overflow":
        kind = "64-bit integer" if constant.integer else "`float64`"
        message = f"The value of this is beyond every {kind}"
    else:
        assert isinstance(site, Constrained)
        message = f"{spelled} is outside `{display_item(site)}`"
        interval = spell_interval(site.base.name, site.interval)
        help = f"Only a value `where {interval}` fits here."
    inference.find(problem, message, node, help)


def _spelled(constant: Constant) -> str:
    value = constant.value
    if abs(value) > LONGEST_NUMBER:
        return "This number"
    if value.denominator == 1:
        return f"`{int(value)}`" if constant.integer else f"`{int(value)}.0`"
    return f"`{float(value)!r}`"
