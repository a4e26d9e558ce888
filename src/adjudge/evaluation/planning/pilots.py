"""Plans by simulation: tables of any size drawn from a pilot, each evaluated as the real one will be."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from adjudge.data.remarks import MadeOfAnother
from adjudge.data.source import ROWS, Batch, Numbers, Source, Text, joined_batches
from adjudge.diagnosis.checks.check import KEYS
from adjudge.engines.base import no_progress
from adjudge.errors import AdjudgeError, InputError, SettingError, quoted
from adjudge.evaluation.asking.settings import Progress
from adjudge.evaluation.declaration import Task
from adjudge.evaluation.planning.size_questions import Question, is_share
from adjudge.evaluation.request import Request, request
from adjudge.evaluation.results import ResultTable, Row
from adjudge.evaluation.walk import estimates
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.planning.power import Outlook, ShareOutlook
from adjudge.inference.planning.units_needed import LimitsOutlook, UnseenOutlook
from adjudge.inference.reach import UNSEEN_ERRORS

REPLICATES = 500
ROUNDS = 4  # tries to come to the number of units
MOST_DRAWN = 200_000  # rows of one table
MOST = "more rows than a simulation draws"


Held = dict[Hashable, Batch]  # by the columns that were read


@dataclass(frozen=True)
class Redrawn(MadeOfAnother):
    """A table with other rows of the same: units drawn with replacement, each a new one."""

    source: Source
    rows: NDArray[np.int64]
    units: NDArray[np.int64]  # which draw each row belongs to
    renamed: frozenset[str]  # columns that name what is drawn
    held: Held  # what was read before, shared by all tables that are drawn

    def origin(self) -> Source:
        """What rows are drawn of."""
        return self.source

    @property
    def rereads(self) -> bool:
        """Not for the checks of a table, which are of the one that is drawn of."""
        return False

    def fingerprint(self) -> str:
        """None: it is not the table itself."""
        return ""

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = ROWS) -> Iterator[Batch]:
        """The drawn rows, block by block."""
        whole = read_whole(self.source, texts, numbers, self.held)
        columns = {name: self._redrawn(name, column) for name, column in whole.columns.items()}
        sample = Batch(len(self.rows), columns)
        for start in range(0, max(sample.rows, 1), rows):
            yield sample[start : start + rows]

    def _redrawn(self, name: str, column: Text | Numbers) -> Text | Numbers:
        sample = column.of_rows(self.rows)
        if name not in self.renamed or not isinstance(sample, Text):
            return sample
        pairs, codes = np.unique(np.stack([self.units, sample.codes]), axis=1, return_inverse=True)
        labels = tuple(f"{unit}/{code}" for unit, code in pairs.T.tolist())
        return Text(np.where(sample.codes < 0, -1, codes.reshape(-1)), labels)


def read_whole(source: Source, texts: Sequence[str], numbers: Sequence[str], held: Held) -> Batch:
    """All rows of the wanted columns at once; read the first time only."""
    names = (*((type(name), name) for name in texts), "", *numbers)
    if names not in held:
        parts = list(source.batches(texts, numbers))
        if not parts:
            raise InputError("A pilot must have rows, but the table has none.")
        held[names] = joined_batches(parts)
    return held[names]


@dataclass(frozen=True)
class Pilot:
    """A table that stands for the one to come, and the request that will be made of it."""

    checked: Request
    question: Question
    level: float  # of the interval that is judged or shown
    seed: int = 7
    progress: Progress = no_progress
    held: Held = field(default_factory=dict)

    @classmethod
    def of(
        cls, task: Task, table: object, given: dict[str, object], question: Question, level: float, *, seed: int
    ) -> Pilot:
        """The pilot, its request checked as any other; names of rows do not matter, nor do checks of the data."""
        kept = {name: value for name, value in given.items() if name not in ("id", "metrics", "level", "slices")}
        settings = {"metrics": [question.metric], "level": level, "engine": "memory", "ok": [*KEYS], "seed": seed}
        if question.compares and question.requirement is not None:
            settings["baseline"] = question.requirement.versus
        if question.requirement is None:
            return cls(request(task, table, **{"replicates": REPLICATES, **kept, **settings}), question, level, seed)
        # The limit that a gate will judge by; of every slice, that of a table that is one.
        required = replace(question.requirement, every=())
        checked = request(task, table, **{"replicates": REPLICATES, **kept, **settings, "require": [required.text]})
        return cls(replace(checked, requirements=(required,)), question, level, seed)

    @property
    def unit(self) -> str:
        """What is drawn: row, cluster, query, item …"""
        return self.checked.study.unit

    @cached_property
    def drawn_by(self) -> frozenset[str]:
        """The columns that say which rows are drawn together; none where each row is drawn by itself."""
        reading = self.checked.study.reading
        names = (getattr(reading, "cluster", None), getattr(reading, "candidate", None), reading.together)
        return frozenset(str(name) for name in names if name is not None)

    @cached_property
    def members(self) -> list[NDArray[np.int64]]:
        """The rows of each unit."""
        reading = self.checked.study.reading
        batch = read_whole(self.checked.source, reading.texts(), reading.numbers(), self.held)
        by = getattr(reading, "cluster", None) or getattr(reading, "candidate", None) or reading.together
        if by is None:
            return list(np.arange(batch.rows)[:, None])
        column = batch.columns[str(by)]
        assert isinstance(column, Text)
        order = np.argsort(column.codes, kind="stable")
        cuts = np.flatnonzero(np.diff(column.codes[order])) + 1
        return [rows for rows in np.split(order, cuts) if column.codes[rows[0]] >= 0]

    def measured(self) -> Row:
        """What the pilot itself shows."""
        table = estimates(self.checked)
        # Limits of clusters count clusters; a plan counts rows.
        plain = row_asked(table.where(lambda row: not row.is_limit), self.question)
        row = replace(row_asked(table, self.question), n=plain.n)
        if math.isnan(row.estimate) or math.isnan(row.low):
            raise SettingError(
                f"The pilot must have an interval for {row.metric}, but it has none: {row.note or 'too few units'}."
            )
        return row

    def sample(self, units: int, number: int) -> Row | None:
        """What a table of so many units shows; None where it cannot be evaluated."""
        random = np.random.default_rng([self.seed, units, number])
        chosen = random.integers(0, len(self.members), units)
        rows = np.concatenate([self.members[unit] for unit in chosen])
        if len(rows) > MOST_DRAWN:
            raise SettingError(f"A plan of {units:,} units would take {len(rows):,} rows, {MOST}. {_SAVED}")
        places = np.repeat(np.arange(units), [len(self.members[unit]) for unit in chosen])
        source = Redrawn(self.checked.source, rows, places, self.drawn_by, self.held)
        try:
            return row_asked(estimates(replace(self.checked, source=source)), self.question)
        except AdjudgeError:
            return None  # a table without a positive row, or another that nothing can be said of

    def outcomes(self, units: int, samples: int) -> Simulated:
        """How often tables of so many units pass, fail, and how wide their intervals are."""
        rows = []
        for number in range(samples):
            rows.append(self.sample(units, number))
            self.progress("simulating", 1, 0)
        passed = failed = 0
        widths = []
        for row in rows:
            if row is None or math.isnan(row.low):
                continue
            widths.append((row.high - row.low) / 2)
            if row.n < self.question.least:
                continue
            passed += all(row.low >= aim.bound if aim.at_least else row.high <= aim.bound for aim in self.question.aims)
            failed += any(row.high < aim.bound if aim.at_least else row.low > aim.bound for aim in self.question.aims)
        method = next((row.method for row in rows if row is not None and row.method != "none"), "none")
        half = float(np.mean(widths)) if widths else math.nan
        return Simulated(units, samples, passed / samples, failed / samples, half, method)


_SAVED = "Save the pilot's evaluation and plan from that: it needs no simulation."


@dataclass(frozen=True, slots=True)
class Simulated:
    """What tables of one size showed."""

    units: int
    samples: int
    passed: float
    failed: float
    half_width: float
    method: str


def row_asked(table: ResultTable, question: Question) -> Row:
    """The row that a question is about: a difference where two systems are compared."""
    requirement, chosen = question.requirement, dict[str, str]()
    bounds = {bound.text for bound in requirement.holds} if requirement is not None else set[str]()
    limits = table.limits.where(lambda row: row.test in bounds)
    # What a gate judges by; of an evaluation without that, what it shows.
    table = limits if len(limits) else table.where(lambda row: not row.is_limit)
    if question.category:
        chosen["category"] = question.category
    if requirement is not None and requirement.slice is not None:
        chosen["slice"] = requirement.slice
    if question.system is not None:
        chosen["system"] = question.system
    if question.compares:
        known = list(dict.fromkeys(row.baseline for row in table if row.baseline is not None))
        if not known:
            raise SettingError("The pilot must hold two systems to be compared, but it holds one.")
        chosen["baseline"] = (
            requirement.versus if requirement is not None and requirement.versus is not None else known[0]
        )
    return table.find(repr(question.metric), **chosen)


def outlook_of_row(question: Question, row: Row, expect: float | None = None) -> Outlook:
    """What an estimate promises of more units; a share that is judged exactly is planned so."""
    if math.isnan(row.low) or not row.high > row.low:
        raise SettingError(
            f"The pilot must have an interval for {quoted(row.metric)}, but it has none: {row.note or 'too few units'}."
        )
    truth, z = row.estimate if expect is None else expect, normal_quantile(row.level)
    reaches = row.estimate - row.low, row.high - row.estimate
    if is_share(question.metric) and not question.compares and row.method in ("clopper_pearson", "wilson"):
        return ShareOutlook(truth, row.method)
    if UNSEEN_ERRORS in row.note:
        return UnseenOutlook(truth, reaches[1], reaches[0] / z, row.n, row.method)
    return LimitsOutlook(truth, reaches, row.n, z, row.method)


def simulated_units(pilot: Pilot, guess: int, power: float, samples: int) -> tuple[int, list[Simulated]]:
    """Units with which so many of the drawn tables pass, and what was simulated on the way.

    Each round moves by the law that the normal quantile of the power grows with the root of the number of units.
    """
    aim, tried = NormalDist().inv_cdf(power), list[Simulated]()
    units = max(guess, 2, pilot.question.least)
    for _ in range(ROUNDS):
        tried.append(pilot.outcomes(units, samples))
        following = max(_fitted(tried, aim, pilot.question), pilot.question.least)
        if abs(following - units) <= 0.02 * units + 1:
            return following, tried
        units = following
    return units, tried


def _fitted(tried: Sequence[Simulated], aim: float, question: Question) -> int:
    """Where the line through all that was tried reaches the power."""
    alpha = max(aim.alpha for aim in question.aims)
    reached = [NormalDist().inv_cdf(min(max(one.passed, 0.5 / one.samples), 1 - 0.5 / one.samples)) for one in tried]
    roots = np.sqrt([one.units for one in tried])
    # With no units at all the chance is that of an error.
    start = NormalDist().inv_cdf(alpha)
    slope = float(np.sum(roots * (np.array(reached) - start)) / np.sum(roots**2))
    latest = tried[-1].units
    if slope <= 0:
        return 4 * latest
    return int(np.clip(math.ceil(((aim - start) / slope) ** 2), math.ceil(latest / 4), 4 * latest))
