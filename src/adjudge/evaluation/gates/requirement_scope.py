"""What the walk and the judge must agree on: which rows a requirement asks for, and what they are called."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import cache

from adjudge.errors import SettingError, did_you_mean, listed, misspelled, quoted
from adjudge.evaluation.gates.requirements import Requirement
from adjudge.evaluation.results import slice_name
from adjudge.inference.intervals.interval import normal_below
from adjudge.inference.many.looks import Design, planned_constant, spending_limits

# Why a number is undefined: by what the system answered, which another system might not.
BY_ANSWERS = "undefined by the answers"
FEW_UNITS = "fewer than"
THERE_IS_NO = "there is no "
GAP = "largest less smallest of {}"
# Of an evaluation that was not made for the gate: methods whose limits a gate believes.
TRUSTED = (
    "clopper_pearson", "tango", "newcombe_delong", "newcombe", "korn_graubard", "order_statistics", "woodruff",
    "bayesian", "rubin_hill", "rubin", "square_and_add", "mover", "wald", "wald_by_prompt", "guarded_t", "simultaneous",
)  # fmt: skip


def present(when: str, names: Collection[str], columns: Collection[str], slices: Collection[str]) -> bool:
    """Whether the role, column or slice of a condition is there; one that can never be met is refused.

    >>> present("language = de", ["reference", "language"], ["language"], ["language = de"])
    True
    """
    if when in names or when in slices:
        return True
    column = when.partition(" = ")[0]
    alone = column != when and column in names and column not in columns
    if alone or misspelled(column, names):
        raise SettingError(
            f"`when` must name a role, a slice column or a slice, but {quoted(when)} is none of those here. "
            + ("Give the column as `slices`." if alone else did_you_mean(column, names))
        )
    return False


def absent(name: str, slices: Collection[str]) -> str:
    """Why nothing can be said of a slice that is not there: the level that is meant, or all.

    >>> absent("language = dee", ["language = de", "language = fr"])
    'there is no language = dee (did you mean "de"?)'
    >>> absent("language = it", ["language = de", "language = fr"]), absent("desk = it", ["language = de"])
    ('there is no language = it (there are: "de", "fr")', 'there is no desk = it')
    """
    column, _, level = name.rpartition(" = ")
    levels = [one.removeprefix(f"{column} = ") for one in slices if one.startswith(f"{column} = ")]
    advice = did_you_mean(level, levels).removesuffix(".") if levels else ""
    return f"{THERE_IS_NO}{name}" + (f" ({advice[0].lower()}{advice[1:]})" if advice else "")


def system_of(named: str | None, systems: Sequence[str], other: str | None = None, role: str = "system") -> str:
    """The system that is meant, among those there are; `candidate` is the one that is not the other.

    >>> system_of("candidate", ["old", "new"], "old")
    'new'
    """
    rest = [name for name in systems if name != other]
    forms = [name for name in systems if name.startswith(f"{named} · ")]
    if named not in systems and len(forms) == 1:
        return forms[0]
    if named in systems and named is not None:
        return named
    if named in (None, "candidate") and len(rest) == 1:
        return rest[0]
    if not systems:
        raise SettingError("A requirement must be of a system, but nothing is measured of any.")
    if named in (None, "candidate"):
        raise SettingError(
            f"A requirement must say which system it judges, because there are {listed(systems)}: write "
            f"{_on_one_line(systems[-1])} on one line, or `{role}` in a file."
        )
    raise SettingError(f"`{role}` must be one of the systems, not {quoted(named)}. {did_you_mean(named, systems)}")


def _on_one_line(system: str) -> str:
    """A requirement of a system as it is written on a line: a name of several words stands in double quotes.

    >>> print(_on_one_line("new"), _on_one_line("engine · raw"))
    "accuracy of new >= 0.9" 'accuracy of "engine · raw" >= 0.9'
    """
    plain = system.replace("_", "").isalnum()
    return quoted(f"accuracy of {system} >= 0.9") if plain else f"'accuracy of {quoted(system)} >= 0.9'"


def wants(requirement: Requirement, key: tuple[str, str]) -> bool:
    """Whether a requirement speaks of a slice."""
    if requirement.every:
        return key[0] in requirement.every
    if requirement.gap is not None:
        return key[0] == requirement.gap
    return slice_name(key) in (requirement.slice or "all", requirement.versus_slice)


def levels_of(requirement: Requirement) -> tuple[float, ...]:
    """The levels of two-sided intervals whose ends decide: of each planned look one.

    >>> [round(level, 4) for level in levels_of(Requirement("accuracy", at_least=0.9))]
    [0.9]
    """
    error = 1 - requirement.confidence
    if isinstance(requirement.looks, tuple):
        return tuple(1 - 2 * one for one in errors_at(requirement.looks, requirement.looks[-1], error))
    return _levels(requirement.planned_looks, error, requirement.spending)


@cache
def errors_at(units: tuple[int, ...], planned: int, alpha: float) -> tuple[float, ...]:
    """The error that may be spent by each look, at so many units of those that are planned (Lan and DeMets 1983).

    >>> [round(error, 4) for error in errors_at((50, 100), 100, 0.05)]
    [0.0056, 0.0482]
    """
    limits = spending_limits(sorted({min(number / planned, 1.0) for number in units}), alpha)
    return tuple(normal_below(-limit) for limit in limits)


@cache
def _levels(looks: int, alpha: float, spending: Design) -> tuple[float, ...]:
    if looks == 1:
        return (1 - 2 * alpha,)
    constant = planned_constant(looks, alpha, spending)
    if spending == "pocock":
        return (1 - 2 * normal_below(-constant),) * looks
    return tuple(1 - 2 * normal_below(-constant * math.sqrt(looks / (k + 1))) for k in range(looks))
