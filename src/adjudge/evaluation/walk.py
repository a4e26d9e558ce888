"""The walk of every task, from a checked request to its outcome.

`collect` reads the table once and returns sums and facts; the study of the task refuses what these show to be wrong.
`measure` turns the sums into rows (view by view, slice by slice), differences between systems, panels and verdicts.
What differs between tasks is asked of `request.study` (the protocol is in `declaration.py`); nothing here knows a task.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from adjudge.data.facts import CROSS, Facts
from adjudge.data.reading import Block
from adjudge.data.source import expected_rows
from adjudge.diagnosis.checks.check import refuse_stops
from adjudge.diagnosis.checks.watching import watched_of
from adjudge.engines.base import WHOLE, Collected, SliceKey, SumPlan, no_progress
from adjudge.errors import MOST_DRAWN, BadValue, check_size, within_memory
from adjudge.evaluation.asking.settings import Progress, versions
from adjudge.evaluation.comparison.asked import check_asked, contests, untested
from adjudge.evaluation.comparison.contender import Contender
from adjudge.evaluation.comparison.difference import How
from adjudge.evaluation.comparison.panels import Compared, with_comparison
from adjudge.evaluation.comparison.result_table import paid_together, with_letters
from adjudge.evaluation.comparison.side_effects import changes, floor_table
from adjudge.evaluation.comparison.standings import masses, standings, units
from adjudge.evaluation.comparison.systems import difference_rows, rivalries
from adjudge.evaluation.comparison.unit_tests import unit_tables
from adjudge.evaluation.data_check import checks_of, written_checks
from adjudge.evaluation.declaration import Page, View
from adjudge.evaluation.gates.column_requirements import column_rows
from adjudge.evaluation.gates.judging import with_verdicts
from adjudge.evaluation.gates.requirement_rows import RequirementRows
from adjudge.evaluation.measuring.rows import Measured, rows_of
from adjudge.evaluation.measuring.statistics import ViewStatistics, draws_of, row_draws
from adjudge.evaluation.outcome import Data, Outcome, Settings
from adjudge.evaluation.request import Request
from adjudge.evaluation.results import ResultTable, Row, plural_of
from adjudge.evaluation.slice_search.search import searched, with_search
from adjudge.statistics.confusion import Confusion


# Rows say in their notes what is undefined or infinite; NumPy need not warn of it on the way.
@within_memory("this evaluation")
@np.errstate(all="ignore")
def walk(request: Request, progress: Progress = no_progress) -> Outcome:
    """Carry a request from its table to its outcome."""
    return measure(request, collect(request, progress), progress)


def collect(request: Request, progress: Progress = no_progress) -> Collected:
    """All sums and facts of the table, scaled so that a row weighs one on average; refused where they cannot serve."""
    collected = _sums(request, progress)
    if (again := settled(request, collected.facts)) is not request:
        request, collected = again, _sums(again, progress)
    study = request.study
    if not collected.facts.used:
        for sentence in (*request.source.doubts, *(check.sentence for check in written_checks(request, collected))):
            raise BadValue(sentence)
    study.judge(request, collected)
    refuse_stops(study.checks(request, collected), request.ok)
    unit = study.unit_weight(collected.facts)
    return collected if unit == 1.0 else collected.scaled(unit)


def settled(request: Request, facts: Facts) -> Request:
    """The same request, its reading chosen by all rows: some columns can be read in two ways."""
    study: Any = request.study  # a dataclass, which the protocol of a study does not say
    reading = study.reading.settled(facts)
    return request if reading is study.reading else replace(request, study=replace(study, reading=reading))


def settled_by_facts(request: Request) -> tuple[Request, Facts]:
    """The same, where nothing was collected yet: one pass over the table for its facts alone, returned too."""
    facts = request.engine.collect(request.source, request.study.reading, lambda first: SumPlan(()), no_progress).facts
    return settled(request, facts), facts


def _sums(request: Request, progress: Progress) -> Collected:
    """One pass over the table."""

    def planner(first: Block) -> SumPlan:
        watched = watched_of(request.given)
        tallies = request.study.tallies(request, first)
        # Units that were counted are in bags.
        draws = draws_of(tallies, request.bootstrap, in_bags=request.source.counted and request.study.clustered)
        return SumPlan(tallies, _slice_names(request), draws, watched)

    source = request.source
    collected = request.engine.collect(source, request.study.reading, planner, _sharing(request, progress))
    # How errors follow one another says nothing where rows do not stand as they came.
    return collected if source.ordered else replace(collected, facts=collected.facts.without_order())


def _sharing(request: Request, progress: Progress) -> Progress:
    """The same progress, with about how many rows there are as what it counts towards."""
    if progress is no_progress:
        return progress
    rows = expected_rows(request.source)
    return lambda what, more, of: progress(what, more, rows * max(of, 1))


def measure(request: Request, collected: Collected, progress: Progress = no_progress) -> Outcome:
    """Every estimate and every picture that the sums give."""
    request = settled(request, collected.facts)
    study = request.study
    views = study.views(request, collected)
    check_asked(request, views)
    _check_draws(request, collected)
    _check_estimates(request, collected, views)
    measuring = _Measuring(request, ViewStatistics(request, collected, views))
    measuring.compared.floor += floor_table(request, collect)
    table = measuring.table(progress)
    page = Page(request, collected, table, measuring.whole, measuring.statistics.find, _slice_names(request))
    complete, panels = study.finished(page)
    outcome = Outcome(
        task=request.task.name,
        settings=_settings(request, collected, views, table),
        systems=[view.name for view in views if view.leads],
        slice_columns=list(_slice_names(request)),
        metrics=list(dict.fromkeys(row.metric for row in complete if not (row.is_baseline or row.is_limit))),
        table=complete,
        panels=with_search(
            with_comparison(panels, table, request.task, measuring.compared), searched(request, views, progress)
        ),
        checks=checks_of(request, collected),
        data=_data(
            request, collected
        ),  # last: its fingerprint is of files that have not changed since they were opened
    )
    return with_verdicts(request.requirements, outcome)


@np.errstate(all="ignore")
def estimates(request: Request) -> ResultTable:
    """The rows of a request alone, without pictures."""
    collected = collect(request)
    request = settled(request, collected.facts)
    views = request.study.views(request, collected)
    check_asked(request, views)
    return _Measuring(request, ViewStatistics(request, collected, views)).table(no_progress)


# What a replicate of a table of many labels costs at least, in numbers: its totals by label, few replicates at a time.
OF_MANY = 2**15


def _check_draws(request: Request, collected: Collected) -> None:
    """Refuse, before the first is drawn, more replicates of tables than anybody waits for."""
    tables = [value for value in collected.sums.values() if isinstance(value, Confusion)]
    labels = max((len(table.categories) for table in tables), default=0)
    replicates = request.bootstrap.replicates
    check_size(
        sum(table.counts.size if table.cells is None else max(table.counts.size, OF_MANY) for table in tables)
        * replicates,
        f"{replicates:,} replicates of {len(tables):,} tables of up to {labels:,} × {labels:,} labels",
        MOST_DRAWN,
    )


# Of one evaluation, a row each: some take half a thousandth of a second and a kilobyte, ten minutes of these and 1 GB.
MOST_ESTIMATES = 1_000_000


def _check_estimates(request: Request, collected: Collected, views: Sequence[View]) -> None:
    """Refuse, before the first is worked out, more estimates than anybody waits for: of every system in every slice."""
    labels, slices = max(len(request.study.categories(collected)), 1), len(collected.slices()) - 1
    metrics = [metric for view in views for metric in view.metrics_of(whole=False)]
    each = sum(labels if metric.by_category else 1 for metric in metrics)
    what = f"{len(metrics):,} metrics in {slices:,} slices (of each of {labels:,} labels, where they have a value each)"
    check_size(each * slices, what, MOST_ESTIMATES)


def _slice_names(request: Request) -> tuple[str, ...]:
    return tuple(CROSS.join(columns) for columns in request.study.slices)


@dataclass
class _Measuring:
    """Every estimate, slice by slice, and view by view in each; on the way, what pictures are made of is kept."""

    request: Request
    statistics: ViewStatistics
    whole: dict[str, Measured] = field(default_factory=dict)  # of all rows, by view
    compared: Compared = field(init=False)  # what a comparison of systems shows

    def __post_init__(self) -> None:
        self.compared = Compared(self.request.comparing)

    def table(self, progress: Progress) -> ResultTable:
        """All rows, once what pays for several and what ranks them is known."""
        rows = ResultTable(tuple(self._rows(progress)))
        return with_letters(paid_together(rows, self.request.comparing), self.compared.standings)

    def _rows(self, progress: Progress) -> Iterator[Row]:
        request, views, keys = self.request, self.statistics.views, self.statistics.collected.slices()
        required = RequirementRows(request.requirements, self.statistics, views)
        compared = contests(views)
        steps = sum(bool(view.metrics_of(whole=key == WHOLE)) for key in keys for view in views)
        for key in keys:
            contenders: list[Contender] = []
            here: dict[str, Measured] = {}
            for view in views:
                if not (metrics := view.metrics_of(whole=key == WHOLE)):
                    continue
                here[view.name] = measured = self.statistics.of(view, key)
                if not self.statistics.collected.replicates:  # otherwise they were drawn with the rows
                    progress("drawing", 1, steps)
                rows = rows_of(measured, metrics, request.level, request.bootstrap)
                rows = rows if view.amend is None else list(view.amend(measured, rows))
                yield from rows
                progress("measuring", 1, steps)
                if view.contest in compared:
                    contenders.append(Contender.of(view, measured, rows, metrics))
            self.whole |= here if key == WHOLE else {}
            yield from self._differences(contenders, key)
            yield from required.of_slice(key, here)
            self.statistics.forget()
        yield from required.of_all()
        yield from column_rows(request, [view.name for view in views if view.leads])

    def _differences(self, contenders: Sequence[Contender], key: SliceKey) -> Iterator[Row]:
        """The systems of one slice, each less its baseline."""
        request, shown, collected = self.request, self.compared, self.statistics.collected
        units_of = unit_tables(request, contenders) if key == WHOLE else {}
        how = How(key, request.level, request.bootstrap, request.comparing, units_of)
        yield from difference_rows(contenders, how)
        for rivals in rivalries(contenders, request.comparing.baseline):
            shown.changes += changes(rivals, collected, how, request.study.unit)
        if key == WHOLE:
            shown.standings += standings(contenders, request.task, how)
            shown.masses += masses(contenders, how)
            shown.units += units(contenders, collected, how)


def _data(request: Request, collected: Collected) -> Data:
    study, facts = request.study, collected.facts
    # What is not in the table that a file of another tool became, but is in the file.
    before = request.source.absent
    left_out = Counter(before) + Counter(facts.left_out)
    return Data(
        source=request.source.name,
        fingerprint=request.source.fingerprint(),
        rows=facts.read + sum(before.values()),
        used=study.used_rows(facts),
        # In an order that does not depend on where the table was cut into blocks.
        left_out=dict(sorted(left_out.items(), key=lambda item: (-item[1], item[0]))),
        categories=list(study.categories(collected)),
        roles=request.columns_by_role,
        counted=request.source.counted,
    )


def _settings(request: Request, collected: Collected, views: Sequence[View], table: ResultTable) -> Settings:
    bootstrap, unit = request.bootstrap, request.study.unit
    explicit = f"{row_draws(bootstrap)} weights by {unit}{getattr(request.engine, 'summed', '')}"
    units = plural_of(unit)
    decided = next((view for view in views if view.positive is not None), None)
    return Settings(
        level=request.level,
        replicates=bootstrap.replicates,
        seed=bootstrap.seed,
        bootstrap=bootstrap.kind,
        draws=explicit if collected.replicates else f"{bootstrap.weights} counts of {units}",
        engine=request.engine.name,
        versions=versions(),
        positive=None if decided is None else decided.positive,
        threshold=None if decided is None else decided.threshold,
        choices=dict(request.study.choices(request, collected)) | _of_names(collected.facts) | untested(request, table),
    )


def _of_names(facts: Facts) -> dict[str, str]:
    """A note that repeated names were looked for in a part of all names, where there are too many to keep."""
    return {"Names that repeat": f"looked for among one in {2**facts.halved} of all names"} if facts.halved else {}
