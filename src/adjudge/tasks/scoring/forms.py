"""Who is compared with whom: each form of a system's score with the reference, and every two raters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np

from adjudge.data.judgements.columns import Array
from adjudge.data.judgements.score_types import RAW, Scaling, ScoreScale, score_types

APART = " · "
PAIR = " × "
# The view of all raters and all systems.
RESPONSES = ""
# Of each system the form that further analyses use: trimmed, or trimmed and rounded, scaled if it was.
MAIN_CONTINUOUS = ("scale_trim", "raw_trim", "scale", "raw")
MAIN_ROUNDED = ("scale_trim_round", "raw_trim_round")


@dataclass(frozen=True)
class Forms:
    """Every form of every system's score, and every two raters, by the name they have in the result."""

    raters: tuple[str, ...]
    systems: tuple[str, ...]
    scale: ScoreScale | None = None
    scalings: Mapping[str, Scaling] = field(default_factory=dict)  # by system

    @cached_property
    def names(self) -> dict[str, tuple[str, str]]:
        """Every form by name: "engine · raw_trim" is ("engine", "raw_trim")."""
        none = np.zeros(0)
        return {
            f"{system}{APART}{form}": (system, form)
            for system in self.systems
            for form in score_types(none, self.scale, self.scalings.get(system))
        }

    def scores(self, raw: Mapping[str, Array]) -> Mapping[str, Array]:
        """The scores of each form, worked out when they are asked for."""
        return _FormScores(self, raw)

    def main(self, *, rounded: bool) -> tuple[str, ...]:
        """Of each system the form that further analyses use."""
        chosen = []
        for system in self.systems:
            names = [f"{system}{APART}{form}" for form in (MAIN_ROUNDED if rounded else MAIN_CONTINUOUS)]
            chosen += [name for name in names if name in self.names][:1]
        return tuple(chosen)

    @cached_property
    def rounded(self) -> tuple[str, ...]:
        """The forms whose scores are points of the scale."""
        return tuple(name for name, (_, form) in self.names.items() if form.endswith("_round"))

    @cached_property
    def trimmed(self) -> tuple[str, ...]:
        """The forms whose scores are trimmed and not rounded: those whose order is looked at."""
        return tuple(name for name, (_, form) in self.names.items() if form.endswith("_trim"))

    @cached_property
    def in_order(self) -> tuple[str, ...]:
        """Forms as the report shows them: the ones that matter first."""
        return tuple(dict.fromkeys([*self.main(rounded=False), *self.main(rounded=True), *self.names]))

    @cached_property
    def pairs(self) -> dict[str, tuple[int, int]]:
        """Every two raters, by name."""
        return {
            PAIR.join((self.raters[a], self.raters[b])): (a, b) for a, b in combinations(range(len(self.raters)), 2)
        }

    def sums_of(self, pair: str) -> str:
        """The view whose sums hold those of a pair of raters: the only pair there is, is in the sums of all."""
        return RESPONSES if len(self.pairs) == 1 else pair

    @property
    def step(self) -> float:
        """The step of the scale."""
        return 1.0 if self.scale is None else self.scale.step


@dataclass(frozen=True, slots=True)
class _FormScores(Mapping[str, Array]):
    """The scores of each form by name; those of a system are worked out together, but for its own."""

    forms: Forms
    raw: Mapping[str, Array]
    at_hand: dict[str, dict[str, Array]] = field(default_factory=dict)  # by system

    def __getitem__(self, name: str) -> Array:
        system, form = self.forms.names[name]
        if form == RAW[0]:
            return self.raw[system]
        if system not in self.at_hand:
            self.at_hand[system] = score_types(self.raw[system], self.forms.scale, self.forms.scalings.get(system))
        return self.at_hand[system][form]

    def __iter__(self) -> Iterator[str]:
        return iter(self.forms.names)

    def __len__(self) -> int:
        return len(self.forms.names)
