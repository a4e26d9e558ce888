"""Evaluations side by side that cannot be paired: of different rows, or saved without their rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from adjudge.diagnosis.checks.check import checks_in_order
from adjudge.errors import SettingError, did_you_mean, listed, quoted
from adjudge.evaluation.comparison.apart import check_comparable, checks_apart
from adjudge.evaluation.comparison.not_paired import NOT_PAIRED, ByMethod, Place, Places, unpaired_rows, usual
from adjudge.evaluation.comparison.panels import Compared, with_comparison
from adjudge.evaluation.comparison.result_table import paid_together
from adjudge.evaluation.comparison.settings import Comparing
from adjudge.evaluation.comparison.standings_apart import standings_apart
from adjudge.evaluation.declaration import Task
from adjudge.evaluation.outcome import Data, Outcome
from adjudge.evaluation.panels import Cell, Panels, TablePanel, finite
from adjudge.evaluation.results import WHOLE_NAME, ResultTable, Row

BESIDE = "Evaluations side by side"
Pairing = Callable[[str, str, Row], Row | None]  # of the second name's row less the first's, on what both have


def side_by_side(
    outcomes: Mapping[str, Outcome], task: Task, why: str, comparing: Comparing, pairing: Pairing | None = None
) -> Outcome:
    """Several outcomes of one task as one, each estimate beside the others, and minus the baseline's without pairing.

    The limits of two estimates are squared and added (for shares this is Newcombe's hybrid interval): nothing is
    known of how they go together, and nothing is taken for granted. A difference that `pairing` gives stands first.
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
    check_comparable(ordered)
    apart = [] if pairing is not None else list(checks_apart(ordered))
    estimates = {
        name: [_renamed(row, name, outcome) for row in outcome.table.estimates] for name, outcome in ordered.items()
    }
    rows = [row for of_one in estimates.values() for row in of_one]
    places = {name: _places(outcome) for name, outcome in ordered.items()}
    table = paid_together(ResultTable((*rows, *_differences(ordered, places, comparing, pairing))), comparing)
    start = ordered[first]
    ranked = []
    if pairing is None and all(len(one.systems) == 1 for one in ordered.values()):
        ranked = list(standings_apart(places, task, comparing, start.settings.seed))
    compared = Compared(comparing, standings=ranked, paired=pairing is not None)
    panels = with_comparison(_panels(ordered), table, task, compared)
    return replace(
        start,
        data=_data(ordered),
        settings=replace(
            start.settings,
            choices={"Differences": why if pairing is not None else f"{NOT_PAIRED}: {why}", **start.settings.choices},
        ),
        systems=[_called(system, name, one) for name, one in ordered.items() for system in one.systems],
        slice_columns=list(dict.fromkeys(column for one in ordered.values() for column in one.slice_columns)),
        metrics=list(dict.fromkeys(metric for one in ordered.values() for metric in one.metrics)),
        table=table,
        panels=replace(panels, tables=[_side_by_side(places), *panels.tables]),
        checks=checks_in_order([*apart, *(check for one in ordered.values() for check in one.checks)], ()),
    )


def _called(system: str, name: str, outcome: Outcome) -> str:
    """What a system of one evaluation is called beside others."""
    return name if outcome.systems == [system] else f"{name}: {system}"


def _renamed(row: Row, name: str, outcome: Outcome) -> Row:
    return replace(row, system=_called(row.system, name, outcome))


def _differences(
    outcomes: Mapping[str, Outcome], places: Places, comparing: Comparing, pairing: Pairing | None
) -> Iterator[Row]:
    (first, start), *others = outcomes.items()
    for place, baselines in places[first].items():
        row = usual(baselines)
        if row.is_baseline:
            continue
        against = _called(row.system, first, start)
        differences = []
        for name, _ in others:
            if place in places[name]:
                paired = None if pairing is None else pairing(first, name, usual(places[name][place]))
                apart = unpaired_rows(places[name][place], baselines)
                differences.append([*([] if paired is None else [paired]), *apart])
        named = [name for name, _ in others if place in places[name]]
        paid = comparing.adjusted([math.nan if rows[0].p is None else rows[0].p for rows in differences])
        for name, rows, p in zip(named, differences, paid.tolist(), strict=True):
            for number, one in enumerate(rows):
                own = p if number == 0 else min(1.0, (one.p or 0.0) * len(differences))
                called = replace(one, system=_called(one.system, name, outcomes[name]), baseline=against)
                yield replace(called, p_adjusted=None if one.p is None else own, family=len(differences))


def _places(outcome: Outcome) -> dict[Place, ByMethod]:
    """Every estimate by what it is of, by each method, the first of which leads; a lone system needs no name."""
    alone = outcome.systems[0] if len(outcome.systems) == 1 else None
    rows_by_place: dict[Place, ByMethod] = {}
    for row in outcome.table.estimates:
        place = ("" if row.system == alone else row.system, row.slice, row.category, row.metric)
        rows_by_place.setdefault(place, {}).setdefault(row.method, row)
    return rows_by_place


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


def _side_by_side(places: Places) -> TablePanel:
    """Every estimate of all units, an evaluation in each column."""
    shown = dict.fromkeys(place for of_one in places.values() for place in of_one if place[1] == WHOLE_NAME)
    several = len({place[0] for place in shown}) > 1
    rows: list[list[Cell]] = [
        [
            *([place[0]] if several else []),
            place[3] + (f" of {place[2]}" if place[2] else ""),
            *(finite(usual(of_one[place]).estimate) if place in of_one else None for of_one in places.values()),
        ]
        for place in shown
    ]
    note = "What each evaluation found of all its units; intervals are in the tables of each."
    return TablePanel(BESIDE, note, [*(["of"] if several else []), "metric", *places], rows)


def _panels(outcomes: Mapping[str, Outcome]) -> Panels:
    """The pictures of all, each saying whose it is."""
    by_kind: dict[str, list[Any]] = {one.name: [] for one in fields(Panels)}  # panels of each field's kind
    for name, outcome in outcomes.items():
        for kind, panels in by_kind.items():
            panels += [_panel(panel, name, outcome) for panel in getattr(outcome.panels, kind)]
    return Panels(**by_kind)


# `Any`: a panel of any kind, which has a title, a system, or both.
def _panel(panel: Any, name: str, outcome: Outcome) -> object:
    renamed: dict[str, Callable[[], str]] = {
        "title": lambda: f"{name}: {panel.title}",
        "system": lambda: _called(panel.system, name, outcome),
    }
    known = {one.name for one in fields(panel)}
    return replace(panel, **{word: make() for word, make in renamed.items() if word in known})
