"""Checks of rows that no longer belong together: moved by some rows, from some row on, or sorted on their own."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from adjudge.data.cleaning import count_text
from adjudge.data.label_values import called, kinds_of, meeting_of
from adjudge.data.number_facts import NumberColumn, ValueCounts
from adjudge.data.pair_facts import PairFacts
from adjudge.data.row_moves import error_of_change
from adjudge.data.table_facts import Pair
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.diagnosis.checks.doubt import error_of_share
from adjudge.errors import percent, quoted

FEWEST_ROWS, SURE, VARIED = 50, 4.5, 20
CLOSER, APART = 0.2, 0.1  # how much better another row must fit than the own one, and than any other
FORECAST, FOLLOWS_TOO, LIKE_LABELS = 0.999, 0.5, 0.7
FEWEST_OTHERS, MIXED, UNSEEN = (
    10,
    0.5,
    1_000,
)  # rows outside the commonest label, the changes of label in a random order, and rows for one unseen
UNRELATED, NO_RELATION, BY_CHANCE, ALIKE, PERSISTS = 0.2, 3.3, 2.0, 2.0, 0.15


def moved_checks(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C37: answers that belong to another row."""
    moved = [*_moved(pair, facts), *_moved_further(pair, facts)][:1]
    yield from moved or _moved_from_some_row(pair, facts)
    yield from _sorted_apart(pair, facts, columns)
    yield from _sorted_alone(pair, facts, columns)
    yield from _score_sorted(pair, facts, columns)


def _moved(pair: Pair, facts: PairFacts) -> Iterator[Check]:
    """C37: answers that belong to the row before, or after."""
    n = min(facts.rows)
    if n < FEWEST_ROWS:
        return
    own, before, after = (facts.at(lag) if facts.labels else abs(facts.at(lag)) for lag in (0, 1, -1))
    best, other = max(before, after), min(before, after)
    if best < own + CLOSER or best < other + APART:
        return
    if best - own > SURE * error_of_change(own, best, n, facts.labels):
        where = "before" if before > after else "after"
        # A forecast follows the row before, and its own row too; what was shifted fits its own row by chance alone.
        follows = own > (LIKE_LABELS if facts.labels else FOLLOWS_TOO)
        ranked = facts.labels or facts.moves.at(1 if before > after else -1) > own + CLOSER
        if not (follows or ranked):  # a few large numbers that stand beside one another by chance
            return
        yield Check(
            "C37",
            REMARK if follows or best > FORECAST else SERIOUS,
            f"The answers in {quoted(pair.other)} match {quoted(pair.one)} of the row {where}: "
            f"{_how_well(facts, own, best)}. Was one of the two shifted by a row?",
        )


def _moved_further(pair: Pair, facts: PairFacts) -> Iterator[Check]:
    """C37: answers that belong to a row some rows away. No other row but the next fits nearly as well."""
    moves, (lag, best) = facts.moves, facts.moves.best()
    n, own = moves.rows.get(lag, 0.0), abs(facts.at(0))
    others = [moves.at(other) for other in moves.rows if abs(other - lag) > 1]
    if n < FEWEST_ROWS or best < own + CLOSER or best < max(others, default=0.0) + APART:
        return
    if best - own > SURE * error_of_change(own, best, n, facts.labels):
        where = f"{abs(lag)} rows {'before' if lag > 0 else 'after'}"
        # What is known some days before tells something where numbers follow their own past: a forecast does so.
        persists = max(moves.persists(1), moves.persists(lag)) > PERSISTS
        forecast = lag > 0 and not facts.labels and (persists or best > FORECAST)
        yield Check(
            "C37",
            REMARK if forecast else SERIOUS,
            f"The answers in {quoted(pair.other)} match {quoted(pair.one)} {where}: {_how_well(facts, own, best)}. "
            "Were rows lost, or added, in one of the two?",
        )


def _how_well(facts: PairFacts, own: float, best: float) -> str:
    if facts.labels:
        return f"they agree in {percent(best)} of the rows, but with their own row in {percent(own)}"
    return f"the correlation is {min(best, 1 - 1e-9):.2f}, but {own:.2f} with their own row"


def _moved_from_some_row(pair: Pair, facts: PairFacts) -> Iterator[Check]:
    """C37: some parts of the rows that fit as they stand, and others that fit some rows further on."""
    parts = facts.moves.parts
    lag = max((lag for lag in parts if lag), key=lambda lag: parts[lag], default=0)
    if lag and parts.get(0):
        others = f"{count_text(abs(lag), 'row')} {'before' if lag > 0 else 'after'}"
        moved = sum(n for at, n in parts.items() if at)
        yield Check(
            "C37",
            SERIOUS,
            f"In {moved:,} of {moved + parts[0]:,} parts of the rows, the answers in {quoted(pair.other)} match "
            f"{quoted(pair.one)} {others}, and in the others in their own row. Was a row lost, or added, somewhere?",
        )


def _sorted_apart(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C37: two columns that both rise from row to row, as if each had been sorted by itself."""
    known = [one for one in columns if one is not None and one.rises and one.rows >= FEWEST_ROWS]
    varied = all(one.values.counts is None or len(one.values.counts) > VARIED for one in known)
    if len(known) == 2 and varied and facts.same < facts.rows[0] and not any(one.steps for one in known):
        yield Check(
            "C37",
            REMARK,  # running totals do so as well
            f"{quoted(pair.one)} and {quoted(pair.other)} both rise from the first row to the last. Was each sorted on "
            "its own? Then their rows no longer belong together.",
        )


def _sorted_alone(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C37: a column that rises from row to row, beside one that is spread alike and unrelated."""
    one, other = columns
    n, x, y, xx, _, yy = facts.sums
    if one is None or other is None or n < FEWEST_ROWS or one.rises == other.rises or one.steps or other.steps:
        return
    spreads = [math.sqrt(max(squares / n - (total / n) ** 2, 0.0)) for total, squares in ((x, xx), (y, yy))]
    varied = (one if one.rises else other).values.counts is None
    alike = min(spreads) > 0 and max(spreads) < ALIKE * min(spreads) and abs(x - y) / n < min(spreads)
    unrelated = abs(facts.at(0)) < min(UNRELATED, NO_RELATION / math.sqrt(n))
    if varied and alike and unrelated:
        name = pair.one if one.rises else pair.other
        yield Check(
            "C37",
            SERIOUS,
            f"{quoted(name)} rises from the first row to the last, and has nothing to do with "
            f"{quoted(pair.other if one.rises else pair.one)}, which lies in the same range. Was it sorted on its own? "
            "Then its rows no longer belong to the others.",
        )


def _score_sorted(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C37: a score that rises from row to row beside labels that it does not tell: a system that guesses may be so."""
    (one, score), n = columns, facts.rows[0]
    if one is not None or score is None or n < FEWEST_ROWS or not score.rises or score.steps:
        return
    if score.values.counts is None and abs(facts.at(0)) < min(UNRELATED, BY_CHANCE / math.sqrt(n)):
        yield Check(
            "C37",
            REMARK,
            f"{quoted(pair.other)} rises from the first row to the last, and has nothing to do with "
            f"{quoted(pair.one)}. Was it sorted on its own? Then its rows no longer belong to the others.",
        )


def labels_sorted_alone(pair: Pair, facts: PairFacts, columns: Sequence[ValueCounts[str] | None]) -> Iterator[Check]:
    """C37: answers that stand label by label, beside a reference that is mixed, which they meet as often as by chance.

    A table may well be sorted by its reference, and hold a system that guesses: that is only a remark.
    """
    counts = [None if one is None else one.counts for one in columns]
    if not facts.labels or counts[0] is None or counts[1] is None or facts.rows[0] < FEWEST_ROWS:
        return
    meeting = meeting_of(kinds_of(label for of in counts if of for label in of))
    shares = [_shares(of, meeting) for of in counts if of]
    if len(shares) < 2 or min((1 - max(of.values())) * facts.rows[0] for of in shares) < FEWEST_OTHERS:
        return
    *changes, blocks = facts.turns
    if blocks - 1 > facts.rows[0] / UNSEEN:
        return  # the first row of a block may be another label than the last one before, which nobody saw
    expected = [facts.rows[0] * (1 - sum(share**2 for share in of.values())) for of in shares]
    # Where nearly every row has a label of its own, labels stand in one stretch in any order.
    in_blocks = [turns < min(len(of), MIXED * n) for turns, of, n in zip(changes, shares, expected, strict=True)]
    mixed = [turns > MIXED * n for turns, n in zip(changes, expected, strict=True)]
    chance = sum(share * shares[1].get(label, 0.0) for label, share in shares[0].items())
    error = error_of_share(chance, facts.rows[0])
    unrelated = abs(facts.at(0) - chance) < NO_RELATION * error
    if {*in_blocks} == {False, True} and mixed[in_blocks.index(False)] and unrelated:
        name, beside = (pair.one, pair.other) if in_blocks[0] else (pair.other, pair.one)
        yield Check(
            "C37",
            REMARK if in_blocks[0] else SERIOUS,
            f"{quoted(name)} stands label by label, from the first row to the last, and meets {quoted(beside)}, which "
            "does not, no more often than by chance. Was it sorted on its own? Then its rows no longer belong to the "
            "others.",
        )


def _shares(counts: Mapping[str, int], meeting: str) -> dict[str, float]:
    """How often each label is given, as it is called."""
    named: Counter[str] = Counter()
    for label, n in counts.items():
        named[called(label, meeting)] += n
    return {label: n / named.total() for label, n in named.items()}
