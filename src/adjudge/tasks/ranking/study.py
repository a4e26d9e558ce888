"""What ranking sums and measures: what each system's lists are worth, query by query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from adjudge.data.facts import Facts
from adjudge.data.judgements.queries import Policy, QueryLists
from adjudge.data.judgements.unit_losses import UnitLosses
from adjudge.data.reading import Block
from adjudge.data.systems import score_columns, slices_of
from adjudge.diagnosis.checks.answers import (
    called_ranks,
    copied_grades,
    level_lists,
    one_list,
    order_checks,
    unmet_lists,
)
from adjudge.diagnosis.checks.check import SERIOUS, Check
from adjudge.diagnosis.checks.grades import grade_checks, none_relevant, shares_of_relevance
from adjudge.diagnosis.checks.numbers import same_answers
from adjudge.engines.base import WHOLE_ONLY, Collected, Tally
from adjudge.errors import SettingError, listed, literal, noted, quoted
from adjudge.evaluation.comparison.paired_answers import UnitSource
from adjudge.evaluation.declaration import Basis, Given, Page, Task, UsualStudy, View, tallies_of
from adjudge.evaluation.measuring.rows import Measured
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.request import Request
from adjudge.evaluation.results import BASELINE, Row
from adjudge.inference.resampling import Together
from adjudge.metrics import expected_reciprocal_rank, ndcg
from adjudge.metrics.base import Metric
from adjudge.metrics.ranking import query_values
from adjudge.statistics.queries.hardest import HardestPilot, HardestQueries
from adjudge.statistics.queries.means import QueryMeans
from adjudge.statistics.queries.values import QueryValue, defined_of, values_of
from adjudge.tasks.ranking.panels import CURVE, ranking_panels
from adjudge.tasks.ranking.reading import (
    FRACTIONS,
    LEFT_OUT,
    LEVEL,
    LIKE_RANKS,
    LISTS,
    NO_RELEVANT,
    UNANSWERED,
    UNJUDGED,
    WITHOUT_RELEVANT,
    ListReading,
    Unsettled,
)

OFTEN_AT, HARDEST = (5, 10), 20
KNOWN = {
    "unjudged": ("irrelevant", "skip"),
    "unscored": ("skip", "missed"),
    "negative": ("refuse", "zero"),
    "ties": ("expected", "trec"),
}
ONE_QUERY = "one query says nothing of others: no interval"


@dataclass(frozen=True)
class RankingStudy(UsualStudy):
    """One request: where the lists are, how deep they are looked at, and how many hard queries are told."""

    units = ("query", "cluster")
    reading: ListReading
    at: tuple[int, ...]
    top_grade: float
    hardest: int

    @classmethod
    def of(cls, columns: Sequence[str], given: Given) -> RankingStudy:
        """The roles and settings, checked."""
        for role, what in (("query", "which query an item belongs to"), ("relevance", "how relevant each item is")):
            if given.get(role) is None:
                raise SettingError(f"`{role}` must be given: the column that says {what}.")
        for name, known in KNOWN.items():
            if (value := given.get(name)) is not None and value not in known:
                raise SettingError(f"`{name}` must be one of {listed(known)}, not {quoted(value)}.")
        settings = {name: value for name in KNOWN if (value := given.get(name)) is not None}
        policy = {
            name: value
            for name in ("relevant_from", "no_relevant", "unanswered")
            if (value := given.get(name)) is not None
        }
        if settings.get("ties") == "trec" and given.get("document") is None:
            raise SettingError('`document` must be given with ties="trec", which orders tied items by their names.')
        reading = ListReading(
            query=str(given["query"]),
            relevance=str(given["relevance"]),
            scores=score_columns(given),
            document=given.get("document"),
            weight=given.get("weight"),
            cluster=given.get("cluster"),
            slices=slices_of(given.get("slices"), columns),
            policy=Policy(**policy),
            open=Unsettled(**settings),
        )
        at = given.get("at")
        cutoffs = tuple(dict.fromkeys([at] if isinstance(at, int) else at or OFTEN_AT))
        top, hardest = given.get("top_grade"), given.get("queries")
        top = 4 if top is None else top
        if hardest is not None and hardest < 0:
            raise SettingError(f"`queries`, how many hard ones are listed, must be 0 or more, not {literal(hardest)}.")
        return cls(reading.checked(columns), cutoffs, top, HARDEST if hardest is None else hardest)

    def allows(self, metric: Metric) -> str:
        """Why a metric cannot be measured."""
        return "" if metric.over is QueryMeans else "it is not about ranked lists"

    def offered(self, task: Task) -> list[Metric]:
        """What needs a cut-off at each of them."""
        offered = []
        for metric in task.metrics:
            if metric.settings.get("at") is not None or metric == ndcg:
                offered += [metric.using(at=at) for at in self.at]
            elif metric == expected_reciprocal_rank:
                offered.append(metric.using(at=max(self.at), **({} if self.top_grade == 4 else self._grade)))
            else:
                offered.append(metric)
        return offered

    @property
    def _grade(self) -> dict[str, float]:
        return {"top_grade": self.top_grade}

    def tallies(self, request: Request, first: Block) -> tuple[Tally, ...]:
        """The values of all metrics, of NDCG at many cut-offs in the whole, and the hardest queries."""
        metrics, lists = request.candidates, first.views[LISTS]
        values = tuple(dict.fromkeys(value for metric in metrics for value in query_values(metric)))
        deepest = int(lists.sizes.max())
        curve = tuple(QueryValue("ndcg", at, "exponential") for at in CURVE if at <= deepest)
        judged = tuple(QueryValue("judged", at) for at in self.at)
        whole = tuple(dict.fromkeys((*values, *curve, *judged)))
        leading = metrics[0]
        hardest = HardestPilot(query_values(leading)[0], leading.range, self.hardest)
        return (
            Tally(LISTS, QueryMeans, by_rows=self.clustered, pilot=whole, slice_pilot=values),
            Tally(LISTS, HardestQueries, where=WHOLE_ONLY, pilot=hardest),
            *(self._unit_source(leading).tallies(request.comparing.baseline) if len(self.reading.scores) > 1 else ()),
        )

    def _unit_source(self, leading: Metric) -> UnitSource:
        """What several systems' lists are worth, query by query, by the first metric."""
        names = tuple(self.reading.scores)
        losses = partial(_losses, query_values(leading)[0], leading.range[1], names)
        about = (LISTS, losses, names, {leading: 1.0}, repr(leading), "query")
        return UnitSource(*about, countable=self.countable, by_draws=self.clustered)

    def checks(self, request: Request, collected: Collected) -> Iterator[Check]:
        """Orders that run the wrong way round, or are no orders."""
        like_ranks = collected.facts.counted.get((LIKE_RANKS,), 0) == collected.facts.used
        for name in self.reading.scores:
            means = collected.sums_of(LISTS, QueryMeans).of_system(name)
            unmet = [*self._unmet(name, means, collected.facts)]
            yield from unmet
            ranks = self.reading.relevance if like_ranks else None
            turned = order_checks(quoted(name), request.candidates[0], means, ranks=ranks)
            # Lists that meet nothing are below a random order, whichever way round they are.
            yield from (check for check in turned if check.key != "C3" or all(one.severity != SERIOUS for one in unmet))
        table, alike = collected.facts.table, collected.facts.counted.get((LEVEL,), 0)
        yield from copied_grades(table, self.reading.relevance, self.reading.scores.values())
        yield from level_lists(alike, collected.facts.used)
        yield from one_list(self.reading.query, collected.facts.used, collected.facts.read)
        for column in self.reading.scores.values():
            yield from called_ranks(column, table.numbers.get(column))
        grades = table.numbers.get(self.reading.relevance)
        powers = any(value.option == "exponential" for one in request.candidates for value in query_values(one))
        yield from none_relevant(self.reading.relevance, grades, self.reading.policy.relevant_from)
        below = collected.facts.unused.get(FRACTIONS, 0)
        yield from shares_of_relevance(self.reading.relevance, grades, below, self.reading.policy.relevant_from)
        yield from grade_checks(self.reading.relevance, grades, exponential=powers)
        yield from same_answers(collected.facts.digests, grades.rows if grades else 0, "item")

    def _unmet(self, name: str, means: QueryMeans, facts: Facts) -> Iterator[Check]:
        """Queries that a system does not answer, and items that nobody judged."""
        relevant = facts.used - facts.unused.get(WITHOUT_RELEVANT, 0)
        unanswered = facts.unused.get(UNANSWERED.format(name), 0) if self.reading.policy.unanswered == "zero" else 0
        shares = [float(means.mean(QueryValue("judged", at))) for at in self.at] if UNJUDGED in facts.unused else [1.0]
        columns = self.reading.relevance, self.reading.scores[name]
        both = [of.sums[0] for pair, of in facts.table.pairs.items() if (pair.one, pair.other) == columns]
        yield from unmet_lists(quoted(name), unanswered, relevant, min(shares), met=any(both) or not both)

    def views(self, request: Request, collected: Collected) -> list[View]:
        """Each system; all are drawn together."""
        tally = next(tally for tally in tallies_of(collected).values() if tally.statistic is QueryMeans)
        metrics = request.candidates
        values = {repr(metric): query_values(metric) for metric in metrics}
        return [
            View(
                name,
                (Basis(tally, partial(_of_system, name)),),
                metrics,
                amend=partial(_with_queries_noted, values),
                contest="systems",
                unit_source=self._unit_source(metrics[0]),
            )
            for name in self.reading.scores
        ]

    def used_rows(self, facts: Facts) -> int:
        """All items that stay."""
        return facts.read - sum(facts.left_out.values())

    def choices(self, request: Request, collected: Collected) -> dict[str, str]:
        """How many queries there are, and what was done where the table leaves something open."""
        facts, reading = collected.facts, self.reading
        choices = {"Queries": f"{facts.used:,}", "Relevant": f"relevance of {reading.policy.relevant_from:g} or more"}
        if WITHOUT_RELEVANT in facts.unused:
            zero = reading.policy.no_relevant == "zero"
            choices[NO_RELEVANT] = "count 0" if zero else LEFT_OUT
        if UNJUDGED in facts.unused:
            choices["Items that nobody judged"] = "keep their place and count as irrelevant"
        if reading.open.ties == "trec":
            choices["Tied scores"] = "single precision, then documents by falling name, as trec_eval does"
        return choices

    def panels(self, page: Page) -> Panels:
        """NDCG by cut-off, how values are spread, the hardest queries, and what was counted."""
        return ranking_panels(page, tuple(self.reading.scores), clustered=self.clustered, at=self.at)


def _losses(value: QueryValue, best: float, systems: tuple[str, ...], lists: QueryLists) -> UnitLosses:
    """How far each system's list of each query is from the best; NaN where a query has no value."""
    columns = [
        np.where(defined_of(lists, name, value.defined), values_of(lists, name, [value])[:, 0], np.nan)
        for name in systems
    ]
    worth = np.stack(columns, axis=1)
    return UnitLosses(best - worth, worth)


def _of_system(name: str, means: QueryMeans) -> Together:
    return {QueryMeans: means.of_system(name)}


def _with_queries_noted(
    values: Mapping[str, tuple[QueryValue, ...]], measured: Measured, rows: Sequence[Row]
) -> Iterator[Row]:
    """How many queries each value rests on, and what else is to be said of it, such as why one has no interval."""
    means: QueryMeans = measured.statistics[QueryMeans]
    for row in rows:
        of_metric = values[row.metric.removeprefix(f"{BASELINE}_")]
        n = means.queries_with(of_metric[0])
        notes = [ONE_QUERY if n == 1 and row.method == "none" else row.note]
        if 0 < n < means.rows:
            notes.append(f"{means.rows - n:,} of {means.rows:,} queries have no value")
        if len(of_metric) > 1 and of_metric[1].kind == "residual" and n:
            notes.append(
                f"what is not judged, or lies beyond the lists, could add up to {float(means.mean(of_metric[1])):.3g}"
            )
        yield replace(row, n=n, note=noted(*notes))
