"""How rows become lists: the items of each query, which stand together; and TREC files a table."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from adjudge.data.cleaning import (
    LeftOut,
    Rows,
    case_weights,
    cell_text,
    check_same_within,
    facts_of,
    label_keys,
    levels_of_rows,
    number_column,
    text_column,
)
from adjudge.data.facts import Facts, check_clusters, check_rows, check_together, check_weight
from adjudge.data.formats.trec import read_qrels, read_run, trec_table
from adjudge.data.judgements.columns import Array, Codes
from adjudge.data.judgements.queries import MOST_RELEVANCE, Policy, QueryLists, rows_by_code
from adjudge.data.keys import Keys, digest_of, keys_of_fine_rows, keys_of_numbers, mixed
from adjudge.data.reading import Block, Views
from adjudge.data.row_reading import RoleColumn, RowReading
from adjudge.data.source import Batch, Source, open_source
from adjudge.data.tables.frames import Table
from adjudge.errors import BadValue, SettingError, quoted
from adjudge.evaluation.declaration import Given

LISTS, AS_USUAL = "lists", Policy()
NOT_JUDGED = "no item of the query is judged"
# What is counted of queries and items that stay.
LEVEL, LIKE_RANKS = "queries of one relevance", "queries whose relevance counts as ranks do"
WITHOUT_RELEVANT, UNJUDGED = "queries without a relevant item", "items that nobody judged"
NO_RELEVANT, LEFT_OUT = "Queries without a relevant item", "are left out: they have no value"
UNANSWERED, FRACTIONS = "queries that {} does not answer", "items of a relevance above 0 that do not count as relevant"


@dataclass(frozen=True, slots=True)
class Unsettled:
    """What to do where the table leaves something open."""

    unjudged: str = "irrelevant"  # or skip
    unscored: str = "skip"  # or missed
    negative: str = "refuse"  # or zero
    ties: str = "expected"  # or trec


@dataclass(frozen=True, kw_only=True)
class ListReading(RowReading):
    """Which columns hold queries, relevance and each system's scores."""

    query: str
    relevance: str
    scores: Mapping[str, str]  # by system, its column
    document: str | None = None
    policy: Policy = AS_USUAL
    open: Unsettled = Unsettled()

    as_labels: ClassVar[str] = "query, document, "
    as_numbers: ClassVar[str] = "relevance, score, "

    @property
    def together(self) -> str:
        """The items of a query belong together."""
        return self.query

    def answers(self) -> Iterator[RoleColumn]:
        """The query, the relevance and the scores of an item, and its name where that is told."""
        yield RoleColumn("query", self.query)
        yield RoleColumn("relevance", self.relevance, number=True, needed=False)
        for column in self.scores.values():
            yield RoleColumn("score", column, number=True, needed=self.open.unscored == "skip")
        if self.document is not None:
            yield RoleColumn("document", self.document)

    def views(self, batch: Batch, rows: Rows) -> tuple[Views, dict[str, frozenset[str]]]:
        """The lists of rows whose queries stand together."""
        starts, _ = rows_by_code(text_column(batch, self.query).codes[rows])
        return {LISTS: self._lists(batch, rows, starts)}, {}

    def read(self, batch: Batch, first_row: int) -> Block:
        """The queries of a batch, each with all its items."""
        left_out = self._usable(batch)
        codes = text_column(batch, self.query).codes
        starts, order = rows_by_code(codes[left_out.rows])
        rows = left_out.rows[order]
        first = rows[starts[:-1]]
        if not len(first):
            return Block(0, replace(facts_of(batch, left_out), used=0, weight=0.0))
        views, _ = self.views(batch, rows)
        named = [("slices", name) for names in self.slices for name in names]
        named += [(role, name) for role, name in (("cluster", self.cluster), ("weight", self.weight)) if name]
        of_query = np.repeat(rows[starts[:-1]], np.diff(starts))
        check_same_within(batch, named, (rows, of_query), "items of a query", self.query)
        levels = tuple(levels_of_rows(batch, columns, first) for columns in self.slices)
        weight = case_weights(batch, self.weight, first)
        queries = label_keys(batch, self.query, first)
        keys = queries if self.cluster is None else label_keys(batch, self.cluster, first)
        again = np.flatnonzero(np.diff(codes[left_out.rows], prepend=-1))
        facts = facts_of(
            batch,
            left_out,
            slices=tuple(zip(self.slices, levels, strict=True)),
            # A query that comes again is named twice.
            together=(np.sort(queries), *([queries[:1]] if len(again) > len(first) else [])),
            units=keys,
            unused=self._counted(views[LISTS]),
            weight=np.ones(len(first)) if weight is None else weight,
            twins=self._same_items(batch, rows),
            counted={(LEVEL,): _level(views[LISTS]), (LIKE_RANKS,): len(first) if views[LISTS].like_ranks else 0},
            digests=self._digests(batch, rows, views[LISTS]),
        )
        return Block(len(first), replace(facts, used=len(first)), views, weight, keys, levels)

    def _digests(self, batch: Batch, rows: Rows, lists: QueryLists) -> dict[str, int]:
        """Equal where two systems give every item of every query the same score, as far as items are told apart."""
        if len(lists.scores) < 2:
            return {}
        items = mixed(label_keys(batch, self.query, rows) ^ keys_of_numbers(lists.relevance))
        return {name: digest_of(items, keys_of_numbers(score)) for name, score in lists.scores.items()}

    def _same_items(self, batch: Batch, rows: Rows) -> Keys | None:
        """A key for each item, equal where two of a query have the same scores; None where that may be chance."""
        scores = [number_column(batch, column).values[rows] for column in self.scores.values()]
        if not all(np.isfinite(one).all() for one in scores):
            return None
        return keys_of_fine_rows(scores, [lambda some: label_keys(batch, self.query, rows[some])])

    def _usable(self, batch: Batch) -> LeftOut:
        """The items that stay; what can be no relevance or score at all is refused."""
        left_out = LeftOut.none_of(batch.rows)
        for answer in self._every():
            if answer.role in ("relevance", "score"):
                self._refuse(batch, answer)
            if answer.needed:
                self.drop_unusable(left_out, batch, answer)
        missing = number_column(batch, self.relevance).missing
        if self.open.unjudged == "skip":
            left_out.drop(missing, f"relevance {quoted(self.relevance)} is missing")
        codes = text_column(batch, self.query).codes
        judged = np.bincount(codes[~missing & left_out.keep], minlength=int(codes.max(initial=-1)) + 1)
        left_out.drop(np.append(judged, 0)[codes] == 0, NOT_JUDGED)
        return left_out

    def _refuse(self, batch: Batch, answer: RoleColumn) -> None:
        numbers = number_column(batch, answer.column)
        values, role = numbers.values, answer.role
        below = (values < 0) & (role == "relevance") & (self.open.negative == "refuse")
        for wrong, must, advice in (
            (numbers.unreadable, "be a number", "Correct it, or leave the item out"),
            (np.isinf(values), "be finite", "Correct it, or leave the item out"),
            (below, "not be negative", 'Set it to 0, or give negative="zero"'),
            (
                (values > MOST_RELEVANCE) & (role == "relevance"),
                f"be at most {MOST_RELEVANCE:g}",
                "Use a smaller scale",
            ),
        ):
            if wrong.any():
                row = int(np.flatnonzero(wrong)[0])
                value = "text" if numbers.unreadable[row] else f"{values[row]:g}"
                codes = text_column(batch, self.query).codes
                item = int((codes[: row + 1] == codes[row]).sum())
                raise BadValue(
                    f"`{role}` must {must}, but {quoted(answer.column)} is {value} for item {item:,} of query "
                    f"{cell_text(batch.columns[self.query], row)}. {advice}."
                )

    def _lists(self, batch: Batch, rows: Rows, starts: Codes) -> QueryLists:
        relevance = number_column(batch, self.relevance)
        judged = ~relevance.missing[rows]
        queries = text_column(batch, self.query)
        scores = {name: number_column(batch, column).values[rows] for name, column in self.scores.items()}
        if self.document is not None:
            scores = self._named(batch, rows, starts, scores)
        return QueryLists(
            starts,
            np.where(judged, np.maximum(relevance.values[rows], 0.0), 0.0),
            scores,
            self.policy,
            None if judged.all() else judged,
            np.array(queries.labels, dtype=object)[queries.codes[rows[starts[:-1]]]],
        )

    def _named(self, batch: Batch, rows: Rows, starts: Codes, scores: dict[str, Array]) -> dict[str, Array]:
        """Scores as they are, or as places in trec_eval's order; an item that stands twice in a query is refused."""
        text, query = text_column(batch, str(self.document)), np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        # Names in the order of their bytes, as trec_eval compares them.
        by_name = sorted(range(len(text.labels)), key=lambda code: text.labels[code].encode("utf-8", "surrogatepass"))
        code = np.argsort(by_name)[text.codes[rows]]
        order = np.lexsort((code, query))
        twice = np.flatnonzero((np.diff(code[order]) == 0) & (np.diff(query[order]) == 0))
        if len(twice):
            row = rows[order[twice[0]]]
            raise BadValue(
                f"`document` must name each item of a query once, but {cell_text(text, row)} stands twice in query "
                f"{cell_text(batch.columns[self.query], row)}. Leave one out."
            )
        if self.open.ties != "trec":
            return scores
        ordered = {}
        for name, score in scores.items():
            order = np.lexsort((code, score.astype(np.float32), query))
            place = np.empty(len(score))
            place[order] = np.arange(len(score))
            ordered[name] = np.where(np.isnan(score), np.nan, place)
        return ordered

    def _counted(self, lists: QueryLists) -> dict[str, int]:
        """What is worth knowing of queries and items that stay."""
        relevant = np.bincount(lists.query, lists.relevant, len(lists))
        counts = {
            WITHOUT_RELEVANT: int((relevant == 0).sum()),
            UNJUDGED: 0 if lists.judged is None else int((~lists.judged).sum()),
            FRACTIONS: int(((lists.relevance > 0) & ~lists.relevant).sum()),
        }
        for name, score in lists.scores.items():
            answered = np.bincount(lists.query, ~np.isnan(score), len(lists)) > 0
            counts[UNANSWERED.format(name)] = int((~answered & (relevant > 0)).sum())
        return {what: count for what, count in counts.items() if count}

    def judge(self, facts: Facts, source: str) -> None:
        """Refuse what only the whole table shows."""
        check_rows(facts, source, "Some rows must have a query, a relevance and a score")
        check_together(facts, "query", self.query)
        check_clusters(facts, "cluster", self.cluster)
        check_weight(facts, self.weight, "query")


def _level(lists: QueryLists) -> int:
    """How many queries have items of one relevance alone, above 0."""
    least, most = (reduce.reduceat(lists.relevance, lists.starts[:-1]) for reduce in (np.minimum, np.maximum))
    return int(((least == most) & (most > 0)).sum())


FOLLOW = ("query", "relevance", "score", "document", "systems")


def opened_runs(table: object, given: Given) -> tuple[Source, Mapping[str, object]]:
    """The table and what was given, or the table that TREC files make, with the roles that follow."""
    runs = given.get("runs")
    if runs is None:
        return open_source(table), given
    if also := [role for role in FOLLOW if given.get(role) is not None]:
        raise SettingError(f"`{also[0]}` must be left out where `runs` are given: TREC files have fields, not columns.")
    if not isinstance(table, (str, os.PathLike)):
        raise SettingError("The table must be a TREC file of judgements where `runs` are given.")
    paths = [runs] if isinstance(runs, (str, os.PathLike)) else list(runs)
    qrels = read_qrels(table)
    read = [read_run(path) for path in paths]
    columns, systems = trec_table(qrels, read)
    roles = {"query": "query", "relevance": "relevance", "document": "document", "systems": systems}
    usual = {"unscored": "missed", "negative": "zero"}
    rest = {name: value for name, value in given.items() if name != "runs" and value is not None}
    doubts = tuple(doubt for run in read for doubt in run.doubts())
    return replace(Table.of(qrels.name, columns), doubts=doubts), {**usual, **roles, **rest}
