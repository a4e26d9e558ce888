"""Judges of traits: their strengths put right by people's votes, here or in another table; and votes that turn
when answers change places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import text_column
from adjudge.data.formats.pair_tables import PairTable, open_pairs
from adjudge.data.judgements.pair_votes import PairVotes
from adjudge.data.judgements.votes import MISSING, A, B, VotePairs, votes_in
from adjudge.diagnosis.preferences.judge_errors import Corrected, corrected_elsewhere, corrected_strength, judge_table
from adjudge.errors import ColumnNotFound
from adjudge.evaluation.panels import Cell, TablePanel, finite
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.metrics import preference_accuracy, preference_kappa
from adjudge.statistics.base import Array
from adjudge.statistics.preferences.votes import VoteTable
from adjudge.statistics.weights import Weights
from adjudge.tasks.preference.explanations import signs
from adjudge.tasks.preference.shown_votes import ShownVotes


@dataclass(frozen=True)
class Elsewhere:
    """How often people said each vote and the judge each, in a table of its own, turned to the reference's choice."""

    table: Array  # (people, judge): with the reference, neither, against it
    people: str
    source: str
    kappa: float  # of both, where both chose


def errors_elsewhere(table: object, labels: Mapping[str, str], reference: str | None) -> dict[str, Elsewhere]:
    """The errors of every judge. Without the reference in that table, both ways of turning a pair count half."""
    source = open_pairs(table, [], None)
    known = source.annotators if isinstance(source, PairTable) else {}
    aliases = {alias: name for name, one in known.items() for alias in (one.id, one.label, name)}
    named = {name: aliases.get(name, name) for name in {*labels, *labels.values()}}
    for name, column in named.items():
        if column not in source.column_names:
            raise ColumnNotFound("labels_from", name, source.column_names)
    turned = reference if reference in source.column_names else None
    columns = list(dict.fromkeys([*named.values(), *([] if turned is None else [turned])]))
    parts = [{name: votes_in(text_column(batch, name)) for name in columns} for batch in source.batches(columns, [])]
    votes = {name: np.concatenate([np.zeros(0, dtype=np.int64), *(part[name] for part in parts)]) for name in columns}
    return {judge: _errors(votes, named[judge], named[person], turned, source.name) for judge, person in labels.items()}


def _errors(
    votes: Mapping[str, NDArray[np.int64]], judge: str, person: str, reference: str | None, source: str
) -> Elsewhere:
    both = (votes[judge] != MISSING) & (votes[person] != MISSING)
    if reference is not None:
        both &= votes[reference] <= B
    sign = {name: np.where(codes == A, 1.0, np.where(codes == B, -1.0, 0.0))[both] for name, codes in votes.items()}
    if reference is not None:
        table = judge_table(sign[person] * sign[reference], sign[judge] * sign[reference])
    else:
        table = (judge_table(sign[person], sign[judge]) + judge_table(-sign[person], -sign[judge])) / 2
    words = {1.0: "a", -1.0: "b", 0.0: "tie"}
    said = [[words[one] for one in sign[name].tolist()] for name in (person, judge)]
    kappa = preference_kappa(*said) if len(said[0]) else float("nan")
    return Elsewhere(table, person, source, kappa)


FEWEST_LABELS = 5
HERE, ELSEWHERE = "judge_assisted", "judge_table"


@dataclass(frozen=True)
class JudgedTrait:
    """A judge's strength put right, and how well the judge and people agree."""

    judge: str
    people: str
    method: str
    corrected: Corrected | None  # None: too few votes
    kappa: float
    labels: int
    n: int
    corrected_at: Callable[[float], Corrected]

    def at(self, level: float) -> tuple[float, float, float]:
        """The strength with its limits at a level; NaN of too few votes."""
        if self.corrected is None:
            return np.nan, np.nan, np.nan
        one = self.corrected_at(level)
        return one.strength, one.low, one.high


@dataclass(frozen=True)
class Turned:
    """The share of an annotator's votes that choose the other answer when the order changes."""

    annotator: str
    table: VoteTable  # of both orders
    level: float

    @property
    def n(self) -> int:
        """Pairs in which both votes choose."""
        return round(float(self.table.agreed + self.table.disagreed))

    def at(self, level: float) -> tuple[float, float, float]:
        """The share with its limits at a level."""
        bounds = closed_form("wilson", preference_accuracy, self.table, level)
        ends = (np.nan, np.nan) if bounds is None else (1 - float(bounds.high), 1 - float(bounds.low))
        return 1 - float(preference_accuracy.values(self.table)), *ends


def judged_of(shown: ShownVotes) -> list[JudgedTrait]:
    """Every judge that people's votes are known for, here or elsewhere."""
    if shown.units is None:
        return []
    pairs = shown.units.pairs
    here = [_put_right(shown, pairs, judge, person) for judge, person in shown.study.labels.items()]
    return [*here, *(_by_errors(shown, pairs, judge) for judge in shown.study.elsewhere)]


def _table(shown: ShownVotes, pairs: PairVotes, first: str, second: str) -> VoteTable:
    """What two said of the same pairs, prompts taken together where they are what is drawn."""
    one, other = (pairs.votes[:, pairs.names.index(name)].astype(np.int64) for name in (first, second))
    prompts = np.unique(pairs.prompts, return_inverse=True)[1].reshape(-1)
    assert shown.units is not None
    return VoteTable.collect(
        VotePairs(one, other, prompts if shown.study.reading.cluster is not None else None),
        Weights(len(pairs), case=shown.units.weight if shown.study.reading.weight is not None else None),
    )


def _put_right(shown: ShownVotes, pairs: PairVotes, judge: str, person: str) -> JudgedTrait:
    """By people on a random part of the pairs."""
    reference = pairs.votes[:, 0]
    said, right = (pairs.votes[:, pairs.names.index(name)] for name in (judge, person))
    both_asked = (reference <= B) & (said != MISSING)
    x, h = signs(said) * signs(reference), signs(right) * signs(reference)
    labelled, others = both_asked & (right != MISSING), both_asked & (right == MISSING)
    kappa = float(preference_kappa.values(_table(shown, pairs, person, judge)))
    labels = int(labelled.sum())
    at = partial(corrected_strength, h[labelled], x[labelled], x[others])
    corrected = at(shown.level) if labels >= FEWEST_LABELS and others.sum() > 1 else None
    return JudgedTrait(judge, person, HERE, corrected, kappa, labels, int(both_asked.sum()), at)


def _by_errors(shown: ShownVotes, pairs: PairVotes, judge: str) -> JudgedTrait:
    """By how the judge erred on other pairs."""
    elsewhere = shown.study.elsewhere[judge]
    reference, said = pairs.votes[:, 0], pairs.votes[:, pairs.names.index(judge)]
    x = (signs(said) * signs(reference))[(reference <= B) & (said != MISSING)]
    observed = np.array([float((x == sign).sum()) for sign in (1, 0, -1)])
    labels = int(elsewhere.table.sum())

    def at(level: float) -> Corrected:
        return corrected_elsewhere(elsewhere.table, observed, level, shown.seed, f"judge errors/{judge}")

    corrected = at(shown.level) if labels >= FEWEST_LABELS and len(x) > 1 else None
    people = f"{elsewhere.people}, {elsewhere.source}"
    return JudgedTrait(judge, people, ELSEWHERE, corrected, elsewhere.kappa, labels, len(x), at)


def judge_tables(judged: Sequence[JudgedTrait], turned: Sequence[Turned]) -> Iterator[TablePanel]:
    """What people say of judges, and the order of answers."""
    rows: list[list[Cell]] = []
    for one in judged:
        said: list[Cell] = [*[None] * 7, "too few pairs with both, or without a person"]
        if (corrected := one.corrected) is not None:
            numbers = (corrected.strength, corrected.low, corrected.high, corrected.judge_only, corrected.people_only)
            said = [*map(finite, (*numbers, corrected.share, corrected.worth)), corrected.note]
        rows.append([one.judge, one.people, one.labels, *said[:5], finite(one.kappa), *said[5:]])
    if rows:
        note = (
            "What people would say of all pairs. With votes of theirs on some of these pairs, the judge on all of "
            "them is put right by its errors there: the labels must be a random part, and the judge must not have been "
            "tuned on them. With votes of theirs elsewhere, the judge must err here as it does there; mostly a warning."
        )
        head = ["judge", "people", "labels", "corrected", "low", "high", "judge alone", "people alone"]
        head += ["kappa of both", "trust in the judge", "as good as labels", "note"]
        yield TablePanel("Strength put right by people", note, head, rows)
    if turned:
        note = "Of pairs judged in both orders: how often the other answer is chosen when they change places."
        lines: list[list[Cell]] = [[one.annotator, *map(finite, one.at(one.level)), one.n] for one in turned]
        yield TablePanel("Do votes turn with the order?", note, ["annotator", "share", "low", "high", "n"], lines)


def turned_of(shown: ShownVotes) -> list[Turned]:
    """Every annotator whose votes in the other order are known."""
    if shown.units is None:
        return []
    pairs = shown.units.pairs
    return [Turned(name, _table(shown, pairs, name, again), shown.level) for name, again in shown.study.swapped.items()]
