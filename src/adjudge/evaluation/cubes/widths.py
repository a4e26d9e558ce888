"""How finely a cube counts, and what may be asked of its cells: widths of scores, steps that numbers are rounded to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from adjudge.data.cubes.grid import MOST_BITS
from adjudge.errors import SettingError, listed, literal, quoted


@dataclass(frozen=True)
class CellWidths:
    """What was asked: scores in cells of 1/2^bits, and numbers of some columns as multiples of a step each.

    >>> CellWidths(steps={"price": 100.0}).check_columns(["price", "guess"])
    """

    bits: int | None = None  # None: as many as are usual
    steps: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.bits is not None and not (isinstance(self.bits, int) and 1 <= self.bits <= MOST_BITS):
            raise SettingError(f"`bits` must be a whole number from 1 to {MOST_BITS}, not {literal(self.bits)}.")
        for name, step in self.steps.items():
            if not step > 0:
                raise SettingError(f"`cube_steps` must be steps above 0, but that of {quoted(name)} is {step:g}.")

    def check_columns(self, columns: Sequence[str]) -> None:
        """Refuse to round what rows are not counted by."""
        if unknown := [name for name in self.steps if name not in columns]:
            known = f"which are {listed(columns)}" if columns else "and there are none"
            raise SettingError(
                f"`cube_steps` must name columns of numbers that rows are counted by, {known}, not "
                f"{quoted(unknown[0])}."
            )


# Besides slices: settings of every task that change nothing of how rows were counted.
OF_CELLS = (
    *("metrics", "level", "replicates", "seed", "bootstrap", "require", "ok", "missing"),
    *("baseline", "against", "margin", "tests", "adjust", "family"),
)
