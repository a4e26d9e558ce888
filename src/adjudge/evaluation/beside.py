"""Evaluations side by side that cannot be paired: of different rows, or saved without their rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from statistics import NormalDist
from typing import Any

from adjudge.errors import SettingError, did_you_mean, listed, quoted
from adjudge.evaluation.comparing import BY_P, MAX_T, Comparing
from adjudge.evaluation.comparison_panels import Compared, with_comparison
from adjudge.evaluation.comparison_table import paid_together
from adjudge.evaluation.declaration import Task
from adjudge.evaluation.outcome import Data, Outcome
from adjudge.evaluation.panels import Panels, TablePanel
from adjudge.evaluation.results import WHOLE_NAME, ResultTable, Row
from adjudge.inference.interval import normal_quantile
from adjudge.inference.paired_shares import square_and_add

NOT_PAIRED = "not paired"
BESIDE = "Evaluations side by side"
Place = tuple[str, str, str, str]  # what is compared: a view, a slice, a category, a metric


def beside(outcomes: Mapping[str, Outcome], task: Task, why: str, comparing: Comparing) -> Outcome:
    """Several outcomes of one task as one, each estimate beside the others, and minus the baseline's without pairing.

    The limits of two estimates are squared and added (for shares this is Newcombe's hybrid interval): nothing is
    known of how they go together, and nothing is taken for granted.
    """
    tasks = {outcome.task for outcome in outcomes.values()}
    if len(tasks) > 1:
        raise SettingError(f"Evaluations side by side must be of one task, but these are of {listed(sorted(tasks))}.")
    first = comparing.baseline or next(iter(outcomes))
    if first not in outcomes:
        raise SettingError(
            f"`baseline` must be one of the evaluations, not {quoted(first)}. {did_you_mean(first, outcomes)}"
        )
    ordered = {first: outcomes[first]} | dict(outcomes)
    estimates = {
        name: [_renamed(row, name, outcome) for row in outcome.table.estimates] for name, outcome in ordered.items()
    }
    rows = [row for of_one in estimates.values() for row in of_one]
    table = paid_together(ResultTable((*rows, *_differences(ordered, comparing))), comparing)
    start = ordered[first]
    panels = with_comparison(_panels(ordered), table, task, Compared(comparing, paired=False))
    return replace(
        start,
        data=_data(ordered),
        settings=replace(start.settings, choices={"Differences": f"{NOT_PAIRED}: {why}", **start.settings.choices}),
        systems=[_called(system, name, one) for name, one in ordered.items() for system in one.systems],
        slice_columns=list(dict.fromkeys(column for one in ordered.values() for column in one.slice_columns)),
        metrics=list(dict.fromkeys(metric for one in ordered.values() for metric in one.metrics)),
        table=table,
        panels=replace(panels, tables=[_side_by_side(ordered), *panels.tables]),
        checks=[check for one in ordered.values() for check in one.checks],
    )


def _called(system: str, name: str, outcome: Outcome) -> str:
    """What a system of one evaluation is called beside others."""
    return name if outcome.systems == [system] else f"{name}: {system}"


def _renamed(row: Row, name: str, outcome: Outcome) -> Row:
    return replace(row, system=_called(row.system, name, outcome))


def _places(outcome: Outcome) -> dict[Place, Row]:
    """The estimates of an evaluation by what they are of; a lone system is the same whatever it is called."""
    alone = outcome.systems[0] if len(outcome.systems) == 1 else None
    firsts = outcome.table.estimates.first_methods()
    return {("" if row.system == alone else row.system, row.slice, row.category, row.metric): row for row in firsts}


def _differences(outcomes: Mapping[str, Outcome], comparing: Comparing) -> Iterator[Row]:
    (first, start), *others = outcomes.items()
    places = {name: _places(outcome) for name, outcome in others}
    adjust = BY_P["holm" if comparing.adjust == MAX_T else comparing.adjust]
    for place, row in _places(start).items():
        if row.method == "baseline":
            continue
        found = [
            _difference(of_one[place], row, name, outcomes[name], _called(row.system, first, start))
            for name, of_one in places.items()
            if place in of_one
        ]
        paid = adjust([math.nan if one.p is None else one.p for one in found])
        for one, p in zip(found, paid.tolist(), strict=True):
            yield replace(one, p_adjusted=None if one.p is None else p, family=len(found))


def _difference(row: Row, baseline: Row, name: str, outcome: Outcome, against: str) -> Row:
    """One estimate minus another of different rows."""
    value = row.estimate - baseline.estimate
    limits = [(one.estimate, one.low, one.high) for one in (row, baseline)]
    low, high = square_and_add(limits[0], limits[1], 0.0)
    told = math.isfinite(value) and low < high and row.level == baseline.level
    p = _p(value, low, high, row.level) if told else None
    difference = Row(
        _called(row.system, name, outcome),
        row.slice,
        row.category,
        row.metric,
        value if math.isfinite(value) else math.nan,
        low if told else math.nan,
        high if told else math.nan,
        row.level,
        "square_and_add" if told else "none",
        row.n,
        NOT_PAIRED if told else f"{NOT_PAIRED}; no interval: one of the two has none",
    )
    return replace(difference, baseline=against, test=NOT_PAIRED if told else None, p=p)


def _p(value: float, low: float, high: float, level: float) -> float:
    """The level at which the interval would just reach 0."""
    reach = value - low if value > 0 else high - value
    return 2 * NormalDist().cdf(-abs(value) / reach * normal_quantile(level))


def _data(outcomes: Mapping[str, Outcome]) -> Data:
    parts = {name: outcome.data for name, outcome in outcomes.items()}
    return Data(
        source=", ".join(part.source for part in parts.values()),
        fingerprint=" ".join(part.fingerprint for part in parts.values()),
        rows=sum(part.rows for part in parts.values()),
        used=sum(part.used for part in parts.values()),
        left_out={f"{name}: {why}": n for name, part in parts.items() for why, n in part.left_out.items()},
        categories=list(dict.fromkeys(label for part in parts.values() for label in part.categories)),
        roles={f"{role} of {name}": column for name, part in parts.items() for role, column in part.roles.items()},
    )


def _side_by_side(outcomes: Mapping[str, Outcome]) -> TablePanel:
    """Every estimate of all units, an evaluation in each column."""
    told = {name: {p: r for p, r in _places(o).items() if p[1] == WHOLE_NAME} for name, o in outcomes.items()}
    places = dict.fromkeys(place for of_one in told.values() for place in of_one)
    several = len({place[0] for place in places}) > 1
    rows: list[list[str | int | float | None]] = [
        [
            *([place[0]] if several else []),
            place[3] + (f" of {place[2]}" if place[2] else ""),
            *(_known(of_one[place].estimate) if place in of_one else None for of_one in told.values()),
        ]
        for place in places
    ]
    note = "What each evaluation found of all its units; intervals are in the tables of each."
    return TablePanel(BESIDE, note, [*(["of"] if several else []), "metric", *told], rows)


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _panels(outcomes: Mapping[str, Outcome]) -> Panels:
    """The pictures of all, each saying whose it is."""
    found: dict[str, list[Any]] = {one.name: [] for one in fields(Panels)}
    for name, outcome in outcomes.items():
        for kind, panels in found.items():
            panels += [_panel(panel, name, outcome) for panel in getattr(outcome.panels, kind)]
    return Panels(**found)


def _panel(panel: Any, name: str, outcome: Outcome) -> Any:
    renamed: dict[str, Callable[[], str]] = {
        "title": lambda: f"{name}: {panel.title}",
        "system": lambda: _called(panel.system, name, outcome),
    }
    known = {one.name for one in fields(panel)}
    return replace(panel, **{word: made() for word, made in renamed.items() if word in known})
