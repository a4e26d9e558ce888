"""Checks of orders, votes, judges and scores of who to treat: which run the wrong way round, or are copies."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

import numpy as np

from adjudge.data.judgements.votes import is_no_vote
from adjudge.data.number_facts import NumberColumn, ValueCounts
from adjudge.data.pair_facts import PairFacts
from adjudge.data.table_facts import TableFacts
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.diagnosis.checks.doubt import correlation_of_sums
from adjudge.diagnosis.checks.scores import COPIED_ROWS, LEVEL, SURE, unrelated
from adjudge.errors import listed, percent, quoted, with_minus
from adjudge.inference.intervals.closed_form import wilson
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.metrics.base import Metric
from adjudge.metrics.intervals import Share
from adjudge.metrics.ranking import query_values
from adjudge.statistics.base import ratio
from adjudge.statistics.judges.sums import JudgedSums
from adjudge.statistics.preferences.votes import CHOICE, VoteTable
from adjudge.statistics.queries.means import QueryMeans
from adjudge.statistics.uplift_cells import UpliftCells

OTHER_UNIT, RANKS = 10.0, ("rank", "ranks", "position")
FEW_JUDGED = 0.8  # of the first places
BALANCED = 0.7  # of the votes of somebody who chooses either answer
FEW_QUERIES, COPIED_QUERIES, FEW_VOTES, EXACT, MANY, BY_CHANCE = 20, 50, 20, 1e-12, 0.05, 1e-6


def order_checks(who: str, metric: Metric, means: QueryMeans, ranks: str | None = None) -> Iterator[Check]:
    """C3, C4 and C8 of lists, by the first metric and what a random order gets; `ranks` is a relevance like ranks."""
    if metric.baseline is None or means.rows < FEW_QUERIES or metric.best is None:
        return
    value, chance = float(metric.values(means)), float(metric.baseline(means, **metric.settings))
    if not math.isfinite(value - chance):
        return
    if abs(chance - metric.best) < EXACT:
        yield Check(
            "C8",
            SERIOUS,
            f"The order makes no difference in any of {means.rows:,} queries. Is `query` the right column?",
        )
        return
    if abs(value - chance) < EXACT:
        yield Check("C8", SERIOUS, f"{who} gives all items of a query the same score. Is it the right column?")
    if means.rows >= COPIED_QUERIES and abs(value - metric.best) < EXACT:
        yield Check("C4", REMARK, f"{who} ranks all {means.rows:,} queries perfectly. Is it a copy of `relevance`?")
    values = query_values(metric)
    spread = float(means.spread(values[0])) / float(means.effective_queries(values[0])) if values else math.nan
    if value + normal_quantile(LEVEL) * math.sqrt(max(spread, 0.0)) < chance:
        why = "Are these ranks or distances? Give their negatives."
        if ranks is not None:
            why = f"Does {quoted(ranks)} count from 1 as the best? Give its largest less each, or {who} negated."
        how = f"{metric.label} {value:.2f}, where a random order gets {chance:.2f}"
        yield Check("C3", SERIOUS, f"{who} is the wrong way round: {how}. {why}")


def unmet_lists(who: str, unanswered: int, queries: int, judged: float, *, met: bool) -> Iterator[Check]:
    """C29: queries without an answer, which count 0. C1 and C7: items that nobody judged; any is, where lists `met`."""
    if unanswered:
        yield Check(
            "C29",
            SERIOUS if unanswered >= MANY * queries else REMARK,
            f"{who} answers {queries - unanswered:,} of {queries:,} queries with a relevant item; the others count 0. "
            'Are queries named the same way, and is the file complete? To leave them out, give unanswered="skip".',
        )
    if not met and unanswered < queries:
        how = f"None of the documents that {who} ranks is judged, so they all count as irrelevant"
        yield Check("C1", SERIOUS, f"{how}. Do both name documents the same way?")
    elif judged < FEW_JUDGED and unanswered < queries:
        how = f"{percent(judged)} of what {who} puts first is judged, and the rest counts as irrelevant"
        yield Check("C7", REMARK, f"{how}: the values may say more about the judging than about the ranking.")


def copied_grades(table: TableFacts, relevance: str, scores: Iterable[str]) -> Iterator[Check]:
    """C4: scores that are the relevance itself."""
    for pair, facts in table.pairs.items():
        n, x, y, xx, xy, yy = facts.sums
        if pair.one == relevance and pair.other in {*scores} and n >= COPIED_ROWS and x == y and xx == xy == yy:
            yield Check("C4", SERIOUS, f"{quoted(pair.other)} equals {quoted(relevance)} in all rows. Is it a copy?")


def one_list(column: str, queries: int, rows: int) -> Iterator[Check]:
    """C33: a query that is the same in all rows."""
    if queries == 1 and rows >= COPIED_QUERIES:
        yield Check(
            "C33",
            SERIOUS,
            f"{quoted(column)} is the same in all {rows:,} rows, so that they are one list. Is it the right column for "
            "`query`?",
        )


def called_ranks(score: str, column: NumberColumn | None) -> Iterator[Check]:
    """C34: a score that is called a rank and counts from 1 on, where the highest score comes first."""
    last = re.split(r"[^a-z]+", score.lower())[-1]
    if last in RANKS and column is not None and column.ends[0] == 1 < column.ends[1] and not column.fractions:
        yield Check(
            "C34",
            SERIOUS,
            f"{quoted(score)} counts up from 1 and is named like a rank, but the highest `score` comes first. Give "
            "its negative if 1 is the best.",
        )


def level_lists(alike: int, queries: int) -> Iterator[Check]:
    """C8: queries in which every order is as good, and right."""
    if queries >= FEW_QUERIES and MANY * queries < alike < queries:
        yield Check(
            "C8",
            REMARK,
            f"In {alike:,} of {queries:,} queries every order is right, because they have only one item, or all items "
            "are equally relevant. They count as perfect: leave them out, or add the items that are not relevant.",
        )


def judge_checks(who: str, sums: JudgedSums) -> Iterator[Check]:
    """C3, C4, C8 and C12 of a judge, on rows that people labelled."""
    n, of = float(sums.of("n")), {name: float(sums.of(name)) for name in ("h", "j", "k", "hh", "hj", "jj", "kk")}
    labels = sums.effective("n")
    if not n > 0 or labels <= 10:
        return
    h, j, both = of["hh"] - of["h"] ** 2 / n, of["jj"] - of["j"] ** 2 / n, of["hj"] - of["h"] * of["j"] / n
    varies = h > EXACT * of["hh"]
    if n >= float(sums.total) * (1 - EXACT) and labels >= COPIED_ROWS:
        yield Check(
            "C31",
            REMARK,
            f"People labelled all rows of {who}: the judge adds nothing. Are rows without a label filled in with a "
            "value? Leave their cells empty.",
        )
    everywhere, squares = of["j"] + of["k"], of["jj"] + of["kk"]
    if varies and labels >= FEW_VOTES and squares - everywhere**2 / float(sums.total) <= EXACT * squares:
        yield Check("C8", SERIOUS, f"The judge of {who} says the same of all rows. Is it the right column?")
    if not varies or j <= EXACT * of["jj"]:
        return
    if labels >= COPIED_ROWS and abs(of["hh"] + of["jj"] - 2 * of["hj"]) <= EXACT * (of["hh"] + of["jj"]):
        yield Check("C4", SERIOUS, f"The judge of {who} agrees with people in every row they labelled. Is it a copy?")
    correlation = float(np.clip(correlation_of_sums(both, h, j), -1 + EXACT, 1 - EXACT))
    reach = normal_quantile(LEVEL) / math.sqrt(labels - 3)
    low, high = (math.tanh(math.atanh(correlation) + sign * reach) for sign in (-1, 1))
    yield from unrelated(f"The judge of {who}", "people", correlation, (low, high))
    if not 1 / OTHER_UNIT < (times := math.sqrt(j / h)) < OTHER_UNIT:
        yield Check(
            "C12",
            SERIOUS,
            f"The judge of {who} varies {times:.3g} times as much as people do. Is it in percent, or on another scale? "
            "Convert both to one.",
        )
    if high < 0:
        yield Check(
            "C3",
            SERIOUS,
            f"The judge of {who} contradicts people: their correlation is {with_minus(correlation, '.2f')}. "
            "Is its scale reversed?",
        )


def arm_checks(who: str, cells: UpliftCells) -> Iterator[Check]:
    """C8: a score, or an outcome, that never varies. C31: scores that differ between the arms, which chance made."""
    for what, values in ((f"The score of {who}", cells.score), ("The outcome", cells.outcome)):
        if cells.rows >= FEW_QUERIES and float(np.ptp(values)) == 0:
            yield Check("C8", SERIOUS, f"{what} is {float(values[0]):g} in all rows. Is it the right column?")
    values = np.unique(cells.outcome)
    if cells.rows >= FEW_QUERIES and len(values) == 2:
        same = (cells.outcome == values[1]) == cells.treated
        if same.all() or not same.any():
            how = "The outcome is the treatment" if same.all() else "The outcome is the other arm"
            yield Check("C33", SERIOUS, f"{how} in all rows. Is `outcome` the right column?")
    yield from _made_of_outcome(who, cells)
    yield from _one_arm(cells)
    yield from _helps_others(who, cells)
    means, errors = [], []
    for arm in (cells.treated, ~cells.treated):
        counts, score = cells.counts[..., arm], cells.score[arm]
        total = float(counts.sum())
        effective = float(ratio(total**2, cells.squares[arm].sum()))
        if not effective > FEW_QUERIES:
            return
        mean = float((counts * score).sum() / total)
        means.append(mean)
        errors.append(float((counts * (score - mean) ** 2).sum() / total) / effective)
    error = math.sqrt(sum(errors))
    if abs(means[0] - means[1]) > SURE * max(error, EXACT * max(map(abs, means))):
        yield Check(
            "C31",
            SERIOUS,
            f"Treatment does not look random: the scores of {who} are {means[0]:.3g} on average where people were "
            f"treated and {means[1]:.3g} elsewhere. Scores must be made before the treatment, and the treatment "
            "assigned at random; otherwise give `weight`, 1 / the chance of the arm.",
        )


def _one_arm(cells: UpliftCells) -> Iterator[Check]:
    """C8: an outcome that never varies in one arm, and does in the other."""
    for arm, name, other in ((cells.treated, "treated", "others"), (~cells.treated, "not treated", "treated")):
        rows, outcome, of_others = cells.counts[..., arm].sum(), cells.outcome[arm], cells.outcome[~arm]
        if rows < FEW_QUERIES or np.ptp(outcome) or not len(of_others) or not np.ptp(of_others):
            continue
        differ = (cells.counts[..., ~arm] * (of_others != outcome[0])).sum() / cells.counts[..., ~arm].sum()
        if (1 - differ) ** float(rows) < BY_CHANCE:
            yield Check(
                "C8",
                SERIOUS,
                f"The outcome is {float(outcome[0]):g} for all {rows:,.0f} who were {name}, but not for "
                f"{percent(float(differ))} of the {other}. Was it recorded in both arms?",
            )


def _helps_others(who: str, cells: UpliftCells) -> Iterator[Check]:
    """C3: a treatment that does more for those with the lower scores than for those with the higher."""
    order = np.argsort(cells.score, kind="stable")
    below = np.cumsum(cells.counts[order]) <= cells.counts.sum() / 2
    lower = np.zeros(len(order), dtype=np.bool_)
    lower[order] = below
    effects, error = [], 0.0
    for half in (lower, ~lower):
        means = []
        for arm in (cells.treated, ~cells.treated):
            counts, outcome = cells.counts[half & arm], cells.outcome[half & arm]
            effective = float(ratio(counts.sum() ** 2, cells.squares[half & arm].sum()))
            if not effective > FEW_QUERIES:
                return
            means.append(float((counts * outcome).sum() / counts.sum()))
            error += float((counts * (outcome - means[-1]) ** 2).sum() / counts.sum()) / effective
        effects.append(means[0] - means[1])
    if effects[1] - effects[0] < -normal_quantile(LEVEL) * max(math.sqrt(error), EXACT * max(map(abs, effects))):
        yield Check(
            "C3",
            SERIOUS,
            f"{who} is the wrong way round: the treatment changes the outcome by {with_minus(effects[1], '.3g')} where "
            f"scores are high and by {with_minus(effects[0], '.3g')} where they are low. Are the arms swapped, or is a "
            "high outcome or score a bad one?",
        )


def _made_of_outcome(who: str, cells: UpliftCells) -> Iterator[Check]:
    """C4: a score that parts the outcomes without fault."""
    values = np.unique(cells.outcome)
    if cells.rows < COPIED_ROWS or len(values) != 2 or len(np.unique(cells.score)) < 3:
        return
    low, high = (cells.score[cells.outcome == value] for value in values)
    if high.min() > low.max() or high.max() < low.min():
        yield Check(
            "C4",
            SERIOUS,
            f"The score of {who} separates the outcomes perfectly. Was it made from the outcome? Scores must be made "
            "before the treatment.",
        )


def no_votes(column: str, words: ValueCounts[str] | None) -> Iterator[Check]:
    """C7: words that are no votes, and count as none."""
    counts = {} if words is None else words.counts or {}
    odd = {word: n for word, n in counts.items() if is_no_vote(word)}
    if sum(odd.values()) > MANY * sum(counts.values()):
        yield Check(
            "C7",
            SERIOUS,
            f"{quoted(column)} says {listed([*odd][:3])} in {sum(odd.values()):,} of {sum(counts.values()):,} pairs, "
            "which are no votes and count as none. Write a and b, or tie.",
        )


def swapped_votes(who: str, facts: PairFacts, votes: ValueCounts[str] | None) -> Iterator[Check]:
    """C3 and C4 of votes on the same pairs in the other order: nearly all turned by who prefers no place, or none."""
    pairs, same = facts.rows[0], facts.at(0)
    counts = [*((votes and votes.counts) or {}).values()]
    if pairs >= COPIED_ROWS and same == 1:
        how = f"Votes of {who} in the other order are the same in all {pairs:,.0f} pairs"
        yield Check("C4", SERIOUS, f"{how}. Is one column a copy of the other?")
    met = Share(np.asarray(same * pairs), np.asarray(pairs), np.asarray(pairs))
    if pairs >= FEW_VOTES and counts and max(counts) < BALANCED * sum(counts) and float(wilson(met, LEVEL)[1]) < 0.5:
        how = f"Votes of {who} in the other order contradict it in {percent(1 - same)} of {pairs:,.0f} pairs"
        yield Check(
            "C3",
            SERIOUS,
            f"{how}, though it prefers no position. Does a still mean the first answer of the pair there?",
        )


def one_place(other: str, votes: VoteTable) -> Iterator[Check]:
    """C8: choices that are always the first answer, or always the second, as of pairs of chosen and rejected ones."""
    chosen = votes.counts[CHOICE, CHOICE]
    pairs, minority = float(chosen.sum()), float(chosen.sum(1).min())
    if votes.rows >= FEW_VOTES and pairs >= FEW_VOTES and not minority:
        first = "first" if chosen.sum(1)[0] else "second"
        yield Check(
            "C8",
            REMARK,
            f"{other} chooses the {first} answer in all {pairs:,.0f} pairs: nothing can be said about position.",
        )


def vote_checks(who: str, other: str, votes: VoteTable, *, alone: bool) -> Iterator[Check]:
    """C4 and C8 of votes: always as another, or always the same. C3 of who votes `alone`: among several are traits."""
    yield from one_place(other, votes)
    chosen = votes.counts[CHOICE, CHOICE]
    pairs, minority = float(chosen.sum()), float(chosen.sum(1).min())
    if votes.rows >= COPIED_ROWS and minority >= pairs / 4 and pairs > 0 and np.trace(chosen) == pairs:
        yield Check("C4", SERIOUS, f"{who} makes the same choice as {other} in all {pairs:,.0f} pairs. Is it a copy?")
    if alone and votes.rows >= FEW_VOTES and pairs >= FEW_VOTES:
        met = Share(np.trace(chosen), chosen.sum(), votes.squares[CHOICE, CHOICE].sum())
        low, high = (2 * float(limit) - 1 for limit in wilson(met, LEVEL))
        yield from unrelated(who, other, 2 * float(np.trace(chosen) / pairs) - 1, (low, high))
        if high < 0:
            yield Check(
                "C3",
                REMARK,
                f"{who} chooses against {other} in {percent(1 - np.trace(chosen) / pairs)} of {pairs:,.0f} pairs. Are "
                "its votes, or the two answers, swapped?",
            )
    if votes.rows >= FEW_VOTES and minority >= pairs / 4 and pairs >= FEW_VOTES and float(chosen.sum(0).min()) == 0:
        first = "first" if chosen.sum(0)[0] else "second"
        yield Check(
            "C8", SERIOUS, f"{who} chooses the {first} answer in all {pairs:,.0f} pairs. Is it the right column?"
        )
