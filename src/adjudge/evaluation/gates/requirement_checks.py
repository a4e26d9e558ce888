"""What a requirement must be before any data are read: each refusal says what to write instead."""

from __future__ import annotations

import math
from typing import get_args

from adjudge.errors import SettingError, listed, literal, quoted
from adjudge.evaluation.gates.requirements import FLIPS, MOST_LOOKS, Claim, Requirement, Spending, Undecided
from adjudge.metrics.base import Direction
from adjudge.metrics.catalogue import parse
from adjudge.metrics.declaration import is_number
from adjudge.metrics.in_use import COLUMNS

# Errors that are shares without an end, though their names speak of percentages; what nobody requires of one.
OF_PERCENT, MOST_OF_PERCENT = "percentage_error", 2.0


def check(requirement: Requirement) -> None:
    """Refuse what makes no sense."""
    _check_words(requirement)
    _check_numbers(requirement)
    _check_bounds(requirement)
    _check_parts(requirement)
    _check_columns(requirement)
    _check_direction(requirement)
    _check_range(requirement)


def _check_words(r: Requirement) -> None:
    words = {"claim": get_args(Claim), "undecided": (*get_args(Undecided), None), "spending": get_args(Spending)}
    for name, allowed in words.items():
        if getattr(r, name) not in allowed:
            known = [word for word in allowed if word is not None]
            raise SettingError(f"`{name}` must be one of {listed(known)}, not {quoted(getattr(r, name))}.")


def _check_numbers(r: Requirement) -> None:
    for name in ("confidence", "false_alarm", "minimum_n", "margin"):
        if not is_number(getattr(r, name)):
            raise SettingError(f"`{name}` must be a number, not {literal(getattr(r, name))}.")
    for name, low, high in (("confidence", 0.5, 1.0), ("false_alarm", 0.0, 0.5)):
        if not low < getattr(r, name) < high:
            raise SettingError(f"`{name}` must lie between {low:g} and {high:g}, not {literal(getattr(r, name))}.")
    if not r.minimum_n >= 0:
        raise SettingError(f"`minimum_n` must not be negative, but it is {literal(r.minimum_n)}.")
    _check_looks(r)
    if r.reuse != "bonferroni" and not (isinstance(r.reuse, int) and r.reuse >= 0):
        raise SettingError(f'`reuse` must be a number of at least 0, or "bonferroni", not {literal(r.reuse)}.')
    if not (r.margin >= 0 and math.isfinite(r.margin)):
        raise SettingError(f"`margin` must be at least 0, not {literal(r.margin)}: `claim` says in which direction.")


def _check_looks(r: Requirement) -> None:
    """A number of looks, how many units there are at each, or any number."""
    if r.spending != "obrien_fleming" and (not isinstance(r.looks, int) or r.looks == 1):
        raise SettingError(f"`spending` must go with a planned number of `looks`, not with {literal(r.looks)}.")
    if isinstance(r.looks, tuple):
        grows = all(before < after for before, after in zip((0, *r.looks), r.looks, strict=False))
        if not (grows and 1 <= len(r.looks) <= MOST_LOOKS):
            raise SettingError(
                f"`looks` must be numbers of units that grow, such as [200, 500, 1000], not {literal(list(r.looks))}."
            )
    elif r.looks != "any" and not (isinstance(r.looks, int) and 1 <= r.looks <= MOST_LOOKS):
        raise SettingError(
            f'`looks` must be a number from 1 to {MOST_LOOKS}, numbers of units that grow, or "any", '
            f"not {literal(r.looks)}."
        )


def _named(r: Requirement) -> str:
    """The metric as it was written, never longer than a line."""
    return quoted(r.metric).strip('"')


def _check_bounds(r: Requirement) -> None:
    """One kind of bound."""
    bounded = r.at_least is not None or r.at_most is not None
    if r.metric in FLIPS:
        if not bounded or r.versus is None:
            raise SettingError(f"{_named(r)} must have a bound and `versus`, the system that answered before.")
        return
    if bounded == r.is_difference:
        needs = "a bound (`at_least`, `at_most`, `between`) or `versus`, another system"
        both = "both. Leave one out" if bounded else "neither. Add one"
        raise SettingError(f"The requirement of {_named(r)} must have {needs}, but has {both}.")
    for name in ("at_least", "at_most"):
        bound = getattr(r, name)
        if bound is not None and not math.isfinite(bound):
            raise SettingError(f"A bound must be a finite number, but `{name}` of {_named(r)} is {literal(bound)}.")
    if r.at_least is not None and r.at_most is not None and r.at_least > r.at_most:
        raise SettingError(f"`between` must be a low and a high number, not {r.at_least:g} and {r.at_most:g}.")
    if not r.is_difference and (r.margin or r.relative):
        raise SettingError("`margin` must come with `versus`, the system that it is measured from. Add it.")
    if r.is_difference and r.margin == 0 and r.claim != "better":
        allowed = "how much they may differ" if r.claim == "same" else 'how much may be lost, or claim "better"'
        raise SettingError(f'`margin` must be above 0 for the claim "{r.claim}": say {allowed}.')
    if r.relative and r.margin >= 1:
        raise SettingError(f"A relative `margin` must be below 1, such as 0.02 for 2 %, not {literal(r.margin)}.")


def _check_parts(r: Requirement) -> None:
    """Which rows it speaks of, and what goes with what."""
    if r.every and (r.slice is not None or r.gap is not None):
        raise SettingError("`every` must stand without `slice` and `gap`: it names the slices itself. Leave one out.")
    if r.slice is not None and " = " not in r.slice:
        raise SettingError(f'`slice` must be written as "column = value", not {quoted(r.slice)}.')
    if r.gap is not None and (r.slice is not None or r.versus is not None or r.at_most is None):
        raise SettingError("`gap` must have `at_most`, and neither `slice` nor `versus`: it is of all levels.")
    if r.column and (r.versus is not None or r.gap is not None or r.category is not None):
        raise SettingError("`column` must stand without `versus`, `gap` and `category`: it is one column of numbers.")
    if r.versus_slice is not None and (r.slice is None or r.versus is not None or " = " not in r.versus_slice):
        raise SettingError('`versus_slice` must be written as "column = value", beside another `slice` of one system.')
    if r.looks == "any" and (r.gap is not None or r.versus_slice is not None):
        raise SettingError('`looks` must be a planned number for slices beside each other: "any" is not offered.')
    if r.judge is not None and (r.every or r.slice or r.gap or r.versus is not None or r.looks != 1):
        raise SettingError("`judge` must stand without `every`, `slice`, `gap`, `versus` and `looks`. Leave them out.")
    if r.judge is not None and r.metric not in ("accuracy", "error_rate", "mean"):
        raise SettingError(f"`judge` must be for accuracy, error_rate or the mean of a column, not for {_named(r)}.")


def _check_columns(r: Requirement) -> None:
    """As many columns as the metric is of."""
    if not r.column:
        if r.by is not None or r.original is not None:
            raise SettingError("`by` and `original` must come with `column`, what is measured of each row. Add it.")
        return
    name, rule = r.of_column.name, COLUMNS[r.of_column.name]
    if r.original is not None and (r.by is None or rule != ("original", "perturbed") or " = " not in r.original):
        raise SettingError(
            '`original` must be written as "column = value", with `by`, for robustness_drop or share_kept. Correct it.'
        )
    if len(set(r.column)) < len(r.column):
        raise SettingError(f"`column` of {name} must be different columns, not {listed(r.column)}.")
    gathered = r.original is not None or (r.by is not None and rule == ("try", "*"))
    if r.by is not None and not gathered:
        raise SettingError(f"`by` must be for pass_hat_k, or with `original`, not for {name}. Leave it out.")
    fits = len(r.column) == 1 if gathered else rule[-1] == "*" or len(r.column) == len(rule)
    if not fits:
        kinds = ", ".join(dict.fromkeys(rule))
        needs = f"{len(rule)} columns ({kinds})" if len(rule) > 1 and not gathered else "one column"
        raise SettingError(f"`column` of {name} must be {needs}, not {len(r.column)}: {listed(r.column)}.")


def _check_direction(r: Requirement) -> None:
    """A bound on the side that the metric is good at."""
    if r.average is not None and (r.column or parse(r.metric).per != "category"):
        raise SettingError(f"`average` must be left out: {_named(r)} is one number already.")
    if r.metric in FLIPS or r.gap is not None:
        return
    metric = r.kind
    if r.is_difference and metric.direction is Direction.NEAREST and r.claim != "same":
        raise SettingError(f'`claim` must be "same" for {_named(r)}: {metric.better}.')
    if COLUMNS.get(metric.name) == ("value",):
        return  # of what a column holds, which may be better either way
    wrong = {Direction.HIGHER: r.at_most, Direction.LOWER: r.at_least}.get(metric.direction)
    other = r.at_least if metric.direction is Direction.HIGHER else r.at_most
    if wrong is not None and other is None and not r.anyway:
        side, sign = ("higher", ">=") if metric.direction is Direction.HIGHER else ("lower", "<=")
        raise SettingError(
            f"The bound of {_named(r)} must be {sign} since {side} is better: "
            "turn it round, or add `anyway = true` if that is intended."
        )


def _check_range(r: Requirement) -> None:
    """A bound that the metric can reach, and can miss: beyond its range no data could decide, at its end none need."""
    low, high = (0.0, 1.0) if r.metric in FLIPS else r.kind.range
    if r.gap is not None:
        low, high = 0.0, high - low
    what = f"{_named(r)} between slices" if r.gap is not None else _named(r)
    for bound in (r.at_least, r.at_most):
        if bound is not None and not low <= bound <= high:
            reach = f"at most {high:g}" if bound > high else f"at least {low:g}"
            percent = f" Write {bound / 100:g} for {bound:g} %." if (low, high) == (0, 1) and 1 < bound <= 100 else ""
            raise SettingError(f"The bound of {what} must be {reach}, as its values are, not {bound:g}.{percent}")
    if not r.anyway and r.metric.endswith(OF_PERCENT) and MOST_OF_PERCENT <= (r.at_most or 0) <= 100:
        bound = r.at_most or 0.0
        raise SettingError(
            f"The bound of {what} must be a share, not {bound:g}: write {bound / 100:g} for {bound:g} %, or add "
            "`anyway = true` if that is intended."
        )
    if not r.anyway and (r.at_least, r.at_most) in ((low, None), (None, high)):
        end = low if r.at_most is None else high
        raise SettingError(
            f"The bound of {what} must be one that can be missed, but every value meets {end:g}. Give another."
        )
    _check_margin(r, high - low)


def _check_margin(r: Requirement, width: float) -> None:
    """What two systems may differ by: less than any two values do."""
    if r.versus is not None and r.versus == r.system:
        raise SettingError(
            f"`versus` must be another system, but {quoted(r.system)} is held against itself. Name another."
        )
    if r.is_difference and not r.relative and r.metric not in FLIPS and r.margin >= width:
        unit = "point" if r.margin == 1 else "points"
        points = f" Write {r.margin / 100:g} for {r.margin:g} {unit}." if width == 1 and r.margin <= 100 else ""
        raise SettingError(
            f"`margin` must be below {width:g}, by which values of {_named(r)} differ at most, not {r.margin:g}."
            f"{points}"
        )
