"""Evaluations side by side that cannot be paired: of different rows, or saved without their rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from fnmatch import fnmatchcase
from itertools import combinations
from typing import Any

import numpy as np

from adjudge.diagnosis.checks.check import checks_in_order
from adjudge.errors import SettingError, did_you_mean, listed, quoted
from adjudge.evaluation.comparison.apart import check_comparable, checks_apart
from adjudge.evaluation.comparison.not_paired import NOT_PAIRED, added_limits
from adjudge.evaluation.comparison.panels import Compared, with_comparison
from adjudge.evaluation.comparison.result_table import paid_together
from adjudge.evaluation.comparison.settings import Comparing
from adjudge.evaluation.comparison.standings import MOST_STANDINGS, standing_lines
from adjudge.evaluation.declaration import Task
from adjudge.evaluation.outcome import Data, Outcome
from adjudge.evaluation.panels import Cell, PairLine, Panels, StandingsPanel, TablePanel, finite
from adjudge.evaluation.results import WHOLE_NAME, ResultTable, Row
from adjudge.inference.differences.paired_shares import miettinen_nurminen, score_p
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.catalogue import parse

BESIDE = "Evaluations side by side"
Place = tuple[str, str, str, str]  # what is compared: a view, a slice, a category, a metric


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
    table = paid_together(ResultTable((*rows, *_differences(ordered, comparing, pairing))), comparing)
    start = ordered[first]
    ranked = [] if pairing is not None else list(side_by_side_standings(ordered, task, comparing, _less(ordered)))
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
        panels=replace(panels, tables=[_side_by_side(ordered), *panels.tables]),
        checks=checks_in_order([*apart, *(check for one in ordered.values() for check in one.checks)], ()),
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


def _differences(
    outcomes: Mapping[str, Outcome], comparing: Comparing, pairing: Pairing | None = None
) -> Iterator[Row]:
    (first, start), *others = outcomes.items()
    places = {name: _places(one) for name, one in outcomes.items()}
    methods = {name: _methods(one) for name, one in outcomes.items()}
    for place, row in places[first].items():
        if row.method == "baseline":
            continue
        against = _called(row.system, first, start)
        differences = []
        for name, _ in others:
            if place in places[name]:
                paired = None if pairing is None else pairing(first, name, places[name][place])
                apart = _by_methods(places[name][place], row, methods[name][place], methods[first][place])
                differences.append([*([] if paired is None else [paired]), *apart])
        named = [name for name, _ in others if place in places[name]]
        paid = comparing.adjusted([math.nan if rows[0].p is None else rows[0].p for rows in differences])
        for name, rows, p in zip(named, differences, paid.tolist(), strict=True):
            for number, one in enumerate(rows):
                own = p if number == 0 else min(1.0, (one.p or 0.0) * len(differences))
                called = replace(one, system=_called(one.system, name, outcomes[name]), baseline=against)
                yield replace(called, p_adjusted=None if one.p is None else own, family=len(differences))


def _less(outcomes: Mapping[str, Outcome]) -> Callable[[str, str, Row, Row], Row]:
    """How one estimate less another is worked out first, by the names of the evaluations."""
    methods = {name: _methods(one) for name, one in outcomes.items()}

    def less(name: str, other: str, row: Row, baseline: Row) -> Row:
        place = ("", row.slice, row.category, row.metric)
        return next(_by_methods(row, baseline, methods[name][place], methods[other][place]))

    return less


def _methods(outcome: Outcome) -> dict[Place, dict[str, Row]]:
    """Every estimate by each method that gave it an interval."""
    alone = outcome.systems[0] if len(outcome.systems) == 1 else None
    rows_by_place: dict[Place, dict[str, Row]] = {}
    for row in outcome.table.estimates:
        place = ("" if row.system == alone else row.system, row.slice, row.category, row.metric)
        rows_by_place.setdefault(place, {}).setdefault(row.method, row)
    return rows_by_place


def _by_methods(row: Row, other: Row, own: Mapping[str, Row], others: Mapping[str, Row]) -> Iterator[Row]:
    """One estimate minus another of different rows: of means by Welch first, of shares by the score test too."""
    usual = added_limits(row, other)
    if usual.method == "none":
        yield usual
        return
    if "student" in own and "student" in others and (by_welch := _welch(usual, own["student"], others["student"])):
        yield by_welch
    yield usual
    counts = [_counted(rows) for rows in (own, others)]
    if counts[0] is not None and counts[1] is not None:
        low, high = miettinen_nurminen(counts[0], counts[1], row.level)
        p = score_p(counts[0], counts[1])
        yield replace(usual, low=low, high=high, method="miettinen_nurminen", test=f"score test, {NOT_PAIRED}", p=p)


def _welch(usual: Row, row: Row, other: Row) -> Row | None:
    """The usual row with Welch's interval (1947) of two means, from Student's of each."""
    from scipy.special import stdtr, stdtrit

    if min(row.n, other.n) < 2 or not all(map(math.isfinite, (row.low, row.high, other.low, other.high))):
        return None
    errors = [(one.high - one.low) / 2 / float(stdtrit(one.n - 1, 0.5 + one.level / 2)) for one in (row, other)]
    squares = [error**2 for error in errors]
    if not sum(squares) > 0:
        return None
    freedom = sum(squares) ** 2 / sum(
        square**2 / (one.n - 1) for square, one in zip(squares, (row, other), strict=True)
    )
    error, value = math.sqrt(sum(squares)), row.estimate - other.estimate
    reach = float(stdtrit(freedom, 0.5 + row.level / 2)) * error
    p = 2 * float(stdtr(freedom, -abs(value) / error))
    test = f"Welch's t, {NOT_PAIRED}"
    return replace(usual, low=value - reach, high=value + reach, method="welch", test=test, p=p)


def _counted(methods: Mapping[str, Row]) -> tuple[float, float] | None:
    """How many of how many, where a number is a share of rows that are alike."""
    row = methods.get("clopper_pearson")
    if row is None or row.n < 1 or abs(row.estimate * row.n - round(row.estimate * row.n)) > 1e-6:
        return None
    return float(round(row.estimate * row.n)), float(row.n)


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
    rows_by_place = {name: {p: r for p, r in _places(o).items() if p[1] == WHOLE_NAME} for name, o in outcomes.items()}
    places = dict.fromkeys(place for of_one in rows_by_place.values() for place in of_one)
    several = len({place[0] for place in places}) > 1
    rows: list[list[Cell]] = [
        [
            *([place[0]] if several else []),
            place[3] + (f" of {place[2]}" if place[2] else ""),
            *(finite(of_one[place].estimate) if place in of_one else None for of_one in rows_by_place.values()),
        ]
        for place in places
    ]
    note = "What each evaluation found of all its units; intervals are in the tables of each."
    return TablePanel(BESIDE, note, [*(["of"] if several else []), "metric", *rows_by_place], rows)


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


DRAWS = 9_999
Less = Callable[[str, str, Row, Row], Row]  # of the first name's row less the second's


def side_by_side_standings(
    outcomes: Mapping[str, Outcome], task: Task, comparing: Comparing, less: Less
) -> Iterator[StandingsPanel]:
    """One panel for each metric of the headline that three evaluations of one system each have with an interval."""
    if any(len(one.systems) != 1 for one in outcomes.values()):
        return
    rows_by_place: dict[tuple[str, str], dict[str, Row]] = {}
    for name, outcome in outcomes.items():
        for row in outcome.table.estimates.first_methods():
            if row.slice == WHOLE_NAME and row.method != "baseline" and row.low < row.high:
                rows_by_place.setdefault((row.metric, row.category), {})[name] = row
    led = [place for pattern in task.headline for place in rows_by_place if fnmatchcase(place[0], pattern)]
    seed = next(iter(outcomes.values())).settings.seed
    count = 0
    for place in dict.fromkeys(led):
        metric = parse(place[0], task.metrics)
        if len(rows_by_place[place]) > 2 and metric.direction is not Direction.NEAREST and count < MOST_STANDINGS:
            count += 1
            yield _standings_panel(rows_by_place[place], metric, comparing, less, seed)


def _standings_panel(
    rows: Mapping[str, Row], metric: Metric, comparing: Comparing, less: Less, seed: int
) -> StandingsPanel:
    """Best first. Draws are normal, as wide as the intervals, and independent, for nothing is known of pairs."""
    sign = -1 if metric.direction is Direction.LOWER else 1
    names = sorted(rows, key=lambda name: -sign * rows[name].estimate)
    level = rows[names[0]].level
    family = [less(names[j], names[i], rows[names[j]], rows[names[i]]) for i, j in combinations(range(len(names)), 2)]
    named = [(names[j], names[i]) for i, j in combinations(range(len(names)), 2)]
    paid = comparing.adjusted([math.nan if one.p is None else one.p for one in family]).tolist()
    pairs = [_pair(*arguments) for arguments in zip(named, family, paid, [len(family)] * len(family), strict=True)]
    ranked = [(name, rows[name].estimate, rows[name].low, rows[name].high) for name in names]
    draws = np.random.default_rng(seed).standard_normal((DRAWS, len(names)))
    errors = [(rows[name].high - rows[name].low) / 2 / normal_quantile(level) for name in names]
    draws = sign * (draws * errors + [rows[name].estimate for name in names])
    lines = standing_lines(ranked, pairs, draws, sign, level)
    side = "higher" if sign > 0 else "lower"
    category = rows[names[0]].category
    return StandingsPanel(repr(metric), metric.full_label, category, side, comparing.adjust_by_p, DRAWS, lines, pairs)


def _pair(named: Sequence[str], row: Row, paid: float, pairs: int) -> PairLine:
    """Two evaluations, with limits for all pairs at once: each side as much longer as Bonferroni's level asks."""
    longer = normal_quantile(1 - (1 - row.level) / pairs) / normal_quantile(row.level)
    low, high = (row.estimate - (row.estimate - end) * longer for end in (row.low, row.high))
    known = [finite(value) for value in (row.estimate, low, high, paid)]
    return PairLine(named[0], named[1], known[0], known[1], known[2], row.p, known[3])
