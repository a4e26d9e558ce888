"""Checks of raters: whether their labels can meet, whether they are raters at all, and who answers without looking."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from adjudge.data.cleaning import count_text
from adjudge.data.judgements.annotations import Annotations
from adjudge.data.judgements.labels import folded_case, number_in
from adjudge.data.label_values import cannot_meet
from adjudge.data.number_facts import LOOKED_AT
from adjudge.data.source import Batch, Text
from adjudge.data.table_facts import TableFacts, table_facts
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.diagnosis.checks.failed_answers import failed_answers
from adjudge.diagnosis.checks.labels import doubled, one_answer, spread, strangers
from adjudge.diagnosis.checks.misspelled import one_slip
from adjudge.diagnosis.checks.several_labels import joined_labels, reordered_labels
from adjudge.diagnosis.checks.watching import watched_of
from adjudge.diagnosis.checks.writing import same_labels
from adjudge.errors import percent, quoted, with_minus
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.statistics.base import Array
from adjudge.statistics.ratings.vectors import RatingVectors

FEW_ITEMS, SAME_ITEMS, ALIKE_ITEMS = 20, 50, 0.9
MANY_RATERS, MORE_RATERS = 20, 5
SHORTEST_NAME, OFTEN = 3, 5  # of a name whose letters changed places; times as many items as under the other
MOST_RATERS = 60  # every two of more raters are not looked at
ALWAYS, OTHERWISE, RARELY = 0.95, 0.7, 0.001
SAME, APART = 0.99, 0.95
FOLLOWS, OTHER_UNIT, ELSEWHERE = 0.5, 9.0, 3.0  # a rater at ten times the unit of another may vary a little less
CLOSELY, OTHER_MEASURE, ALIKE = 0.9, 1.5, 0.15  # of a rater who gives a multiple of what another does


def rater_checks(vectors: RatingVectors, *, measured: bool = False) -> Iterator[Check]:
    """Everything that labels with raters tell. Measurements, which have no labels, tell nothing.

    `measured` are numbers, if of few values: raters may round them otherwise, and need have none in common.
    """
    if vectors.numbers is not None or not len(vectors.counts):
        return
    uses = _uses(vectors)
    given = [tuple(c for c, use in zip(vectors.categories, of, strict=True) if use) for of in uses]
    for place, labels in enumerate(given):
        others = tuple(sorted({label for who, of in enumerate(given) if who != place for label in of}))
        counts = dict(zip(vectors.categories, uses[place].tolist(), strict=True))
        yield from failed_answers(quoted(vectors.raters[place]), counts, others)
        many = uses[place].sum() >= FEW_ITEMS and min(len(labels), len(others)) > 1
        if not measured and (many or cannot_meet(labels, others)):
            name = f"Ratings of {quoted(vectors.raters[place])}"
            if check := strangers(name, labels, "the other raters", others):
                yield check if len(given) == 2 or cannot_meet(labels, others) else replace(check, severity=SERIOUS)
    used = [c for c, use in zip(vectors.categories, uses.sum(0), strict=True) if use]
    sides = {name: of for name, of in zip(vectors.raters, given, strict=True) if of}
    yield from doubled(used, sides)
    yield from joined_labels(used, sides)
    yield from reordered_labels(used, sides)
    yield from _counted(vectors)
    yield from _careless(vectors, uses)
    yield from _copied(vectors, uses)
    yield from spread(used, uses.sum(0)[uses.sum(0) > 0], float(uses.sum()), "rating")


def reversed_raters(vectors: RatingVectors) -> Iterator[Check]:
    """C3: a rater whose ratings, which have an order, run against the mean of all others."""
    if not 2 <= len(vectors.raters) <= MOST_RATERS or not len(vectors.counts):
        return
    known = vectors.vectors >= 0
    ratings = np.where(known, vectors.vectors if vectors.numbers is None else vectors.values, 0.0)
    for place, name in enumerate(vectors.raters):
        others = known.sum(1) - known[:, place]
        shared = known[:, place] & (others > 0)
        weights = vectors.counts[shared]
        if weights.sum() < FEW_ITEMS:
            continue
        rest = (ratings.sum(1) - ratings[:, place])[shared] / others[shared]
        correlation = _correlation(ratings[shared, place], rest, weights)
        items = float(weights.sum() ** 2 / vectors.squares[shared].sum())
        reach = normal_quantile(1 - 2 * RARELY / len(vectors.raters)) / math.sqrt(max(items - 3, 1))
        if math.tanh(math.atanh(correlation) + reach) < 0 and (len(vectors.raters) > 2 or place == 1):
            yield Check(
                "C3",
                SERIOUS,
                f"{quoted(name)} contradicts the other raters: their correlation is "
                f"{with_minus(correlation, '.2f')}. Is its scale reversed?",
            )


def _multiple(both: Sequence[Array], times: float, level: float) -> bool:
    """Whether numbers above 0 lie as many times higher as they vary more: a pound for each kilogram."""
    above = min(float(of.min()) for of in both) > 0
    return above and abs(level / times - 1) < ALIKE and not 1 / OTHER_MEASURE < times < OTHER_MEASURE


def raters_elsewhere(vectors: RatingVectors) -> Iterator[Check]:
    """C12: of numbers, a rater who follows the first, but at another spread, or lies wholly elsewhere: another unit."""
    if not 2 <= len(vectors.raters) <= MOST_RATERS:
        return
    known, first, values = vectors.vectors >= 0, quoted(vectors.raters[0]), np.asarray(vectors.values)
    for place, name in enumerate(vectors.raters[1:], 1):
        shared = known[:, 0] & known[:, place]
        weights = vectors.counts[shared]
        if weights.sum() < FEW_ITEMS:
            continue
        both = [values[shared, 0], values[shared, place]]
        means = [float(np.average(of, weights=weights)) for of in both]
        spreads = [math.sqrt(np.average((of - at) ** 2, weights=weights)) for of, at in zip(both, means, strict=True)]
        follows = _correlation(both[0], both[1], weights)
        if follows <= FOLLOWS or not min(spreads) > 0:
            continue
        times = spreads[1] / spreads[0]
        if not 1 / OTHER_UNIT < times < OTHER_UNIT:
            how = f"follows {first}, but varies {times:.3g} times as much"
        elif abs(means[1] - means[0]) > ELSEWHERE * max(spreads):
            how = f"is far from {first}: {means[1]:.4g} on average, against {means[0]:.4g}"
        elif follows > CLOSELY and _multiple(both, times, means[1] / means[0] if means[0] else math.nan):
            how = f"is {times:.3g} times {first}, on average and in how much it varies"
        else:
            continue
        yield Check("C12", SERIOUS, f"{quoted(name)} {how}. Is it in another unit, or the wrong column?")


def has_direction(vectors: RatingVectors) -> bool:
    """Whether labels without an order can still run the wrong way round: two of them, or numbers."""
    return len(vectors.categories) == 2 or all(number_in(label) is not None for label in vectors.categories)


def apart_raters(vectors: RatingVectors) -> Iterator[Check]:
    """C7: a rater whose items nobody else rated; serious where the others rated nearly all of theirs together."""
    known = vectors.vectors >= 0
    items, together = (float(vectors.counts[known.sum(1) >= least].sum()) for least in (1, 2))
    if items >= FEW_ITEMS and not together and len(vectors.raters) > 1:
        yield Check(
            "C7",
            SERIOUS,
            f"None of {items:,.0f} items has two ratings, so nothing can be said about agreement. Are `item` and "
            "`rater` the right columns, and are items named the same way? Where each rater has a column, give "
            "`raters`.",
        )
    for place, name in enumerate(vectors.raters if 2 < len(vectors.raters) <= MOST_RATERS else ()):
        others = known.sum(1) - known[:, place]
        mine = float(vectors.counts[known[:, place]].sum())
        theirs, together = (float(vectors.counts[others >= least].sum()) for least in (1, 2))
        if (
            mine >= FEW_ITEMS
            and together >= FEW_ITEMS
            and not float(vectors.counts[known[:, place] & (others > 0)].sum())
        ):
            yield Check(
                "C7",
                SERIOUS if together >= ALIKE_ITEMS * theirs else REMARK,
                f"{quoted(name)} shares no item with any other rater, so its {mine:,.0f} ratings say nothing about "
                "agreement. Do all raters name items the same way?",
            )


def facts_of_vectors(vectors: RatingVectors) -> TableFacts:
    """What raters' ratings have in common where each rating has a row: as if each rater had a column, in no order."""
    times = np.minimum(np.rint(vectors.counts), LOOKED_AT).astype(np.int64)
    codes = np.repeat(vectors.vectors, times, axis=0)[:LOOKED_AT] if vectors.numbers is None else vectors.vectors[:0]
    columns = {name: Text(codes[:, place], vectors.categories) for place, name in enumerate(vectors.raters)}
    watched = watched_of({"raters": list(vectors.raters[:MOST_RATERS])})
    return table_facts(Batch(len(codes), columns), watched, 0).without_order()


def _correlation(a: Array, b: Array, weights: Array) -> float:
    """Pearson's correlation of weighted values, a little inside of −1 and 1; 0 where one does not vary."""
    a, b = a - np.average(a, weights=weights), b - np.average(b, weights=weights)
    spread = math.sqrt(float((weights * a * a).sum()) * float((weights * b * b).sum()))
    inside = 1 - 1e-9
    return max(-inside, min(inside, float((weights * a * b).sum()) / spread)) if spread > 0 else 0.0


def _uses(vectors: RatingVectors) -> Array:
    """How often each rater gave each label, (raters, K)."""
    size = len(vectors.categories)
    weights = np.repeat(vectors.counts, vectors.vectors.shape[1])
    cells = vectors.vectors + np.arange(vectors.vectors.shape[1]) * size
    known = (vectors.vectors >= 0).reshape(-1)
    counts = np.bincount(cells.reshape(-1)[known], weights[known], vectors.vectors.shape[1] * size)
    return np.asarray(counts.reshape(-1, size))


def _counted(vectors: RatingVectors) -> Iterator[Check]:
    """C23: a column for each label, which holds how many raters gave it."""
    values = [number_in(category) for category in vectors.categories]
    if vectors.rows < FEW_ITEMS or len(vectors.vectors) < 2 or (vectors.vectors < 0).any():
        return
    if any(value is None or value < 0 or value != int(value) for value in values):
        return
    sums = np.array(values, dtype=np.float64)[vectors.vectors].sum(1)
    if len(np.unique(sums)) == 1 and sums[0] >= 2:
        yield Check(
            "C23",
            SERIOUS,
            f"The columns look like counts of ratings, not like raters: they add up to {sums[0]:g} in every row. "
            "Give each rater's own labels, as a column or as rows.",
        )


def _careless(vectors: RatingVectors, uses: Array) -> Iterator[Check]:
    """C8 and C18: raters who always, or nearly always, give one label where others do not."""
    from scipy.special import betainc

    totals = uses.sum(1)
    for name, mine, total in zip(vectors.raters, uses, totals, strict=True):
        others = uses.sum(0) - mine
        if total < FEW_ITEMS or not others.sum():
            continue
        label, rest = int(mine.argmax()), others / others.sum()
        check = one_answer(quoted(name), vectors.categories, mine, others, "item")
        if check is not None:
            yield check
        # The binomial chance of as many or more; of weights of any size.
        chance = betainc(mine[label], total - mine[label] + 1, OTHERWISE)
        nearly = check is None and mine[label] >= ALWAYS * total and rest[label] <= OTHERWISE
        if nearly and chance < RARELY / len(vectors.raters):
            yield Check(
                "C18",
                REMARK,
                f"{quoted(name)} gives {quoted(vectors.categories[label])} to {percent(mine[label] / total)} of "
                f"{round(float(total)):,} items, the other raters to {percent(rest[label])}.",
            )


def _copied(vectors: RatingVectors, uses: Array) -> Iterator[Check]:
    """C4 and C17: nobody ever differs, or two alone never do."""
    raters = len(vectors.raters)
    if not 2 <= raters <= MOST_RATERS:
        return
    same, both = np.zeros((raters, raters)), np.zeros((raters, raters))
    for one in range(raters):
        for two in range(one):
            a, b = vectors.vectors[:, one], vectors.vectors[:, two]
            met = (a >= 0) & (b >= 0)
            both[one, two] = vectors.counts[met].sum()
            same[one, two] = vectors.counts[met & (a == b)].sum()
    seen = both >= SAME_ITEMS
    if not seen.any():
        return
    if (same == both).all() and uses.sum() - uses.sum(0).max() >= SAME_ITEMS:
        yield Check(
            "C4", SERIOUS, f"All raters agree on all {vectors.rows:,} items. Are these columns copies of one another?"
        )
        return
    alike = seen & (same > SAME * both)
    if raters > 2 and alike.sum() == 1 and not (seen & ~alike & (same >= APART * both)).any() and (seen & ~alike).any():
        one, two = (int(place) for place in np.argwhere(alike)[0])
        copied = same[one, two] == both[one, two] and uses[one].sum() - uses[one].max() >= SAME_ITEMS
        yield Check(
            "C17",
            SERIOUS if copied else REMARK,
            f"{quoted(vectors.raters[two])} and {quoted(vectors.raters[one])} give the same label to "
            f"{percent(same[one, two] / both[one, two], 1)} of {both[one, two]:,.0f} items; no other two do. "
            "Is one a copy?",
        )


def crowded(raters: int, items: int, *, in_columns: bool) -> Iterator[Check]:
    """C34: far more raters than items: the two are easily swapped, as others write a row for each rater."""
    if raters >= MANY_RATERS and raters > MORE_RATERS * items:
        swapped = (
            "is there a row for each rater, and not for each item" if in_columns else "are `item` and `rater` swapped"
        )
        yield Check("C34", SERIOUS, f"{count_text(items, 'item')} and {raters:,} raters: {swapped}?")


def doubled_raters(raters: Sequence[str]) -> Iterator[Check]:
    """C2: raters whose names are hardly meant to be two: written in two ways, or one with an address of mail."""
    groups = [(group, "case, blanks, number format or punctuation") for group in same_labels(raters)]
    groups += [(group, "the address behind the name") for group in _with_addresses(raters)]
    for group, differ_in in groups:
        yield Check(
            "C2",
            SERIOUS,
            f"{' and '.join(map(quoted, group[:3]))} count as {len(group)} raters, but differ only in {differ_in}. "
            "Spell them the same way if they are one rater.",
        )


def _with_addresses(raters: Sequence[str]) -> list[list[str]]:
    """Names that are also the name before one address; of several addresses they may be several people.

    >>> _with_addresses(["ann@x.org", "ann@y.org", "ann", "ben", "ben@x.org"])
    [['ben', 'ben@x.org']]
    """
    addressed: dict[str, list[str]] = {}
    for name in raters:
        before, at, _ = name.partition("@")
        if at:
            addressed.setdefault(folded_case(before), []).append(name)
    of_one = ([name, *addressed.get(folded_case(name), ())] for name in raters if "@" not in name)
    return [group for group in of_one if len(group) == 2]


def split_raters(vectors: RatingVectors) -> Iterator[Check]:
    """C2: a rater who never rates with another of nearly the same name, where by chance they would have met."""
    if not 2 < len(vectors.raters) <= MOST_RATERS:
        return
    known = vectors.vectors >= 0
    items = vectors.counts @ known
    for few, name in enumerate(vectors.raters):
        for many, other in enumerate(vectors.raters):
            if items[many] < OFTEN * items[few] or not one_slip(name, other, exchanged=SHORTEST_NAME):
                continue
            elsewhere = float(vectors.counts[~known[:, many]].sum() / vectors.counts.sum())
            if not vectors.counts[known[:, few] & known[:, many]].sum() and elsewhere ** items[few] < RARELY:
                yield Check(
                    "C2",
                    REMARK,
                    f"{quoted(name)} rated {items[few]:,.0f} items and never one that {quoted(other)} rated, who rated "
                    f"{percent(1 - elsewhere)} of all: misspelled? Spell them the same way if they are one rater.",
                )


def repeated(count: int, ratings: int) -> Iterator[Check]:
    """C6: a rater who rated an item again."""
    if count:
        yield Check(
            "C6",
            SERIOUS if count >= 0.05 * ratings else REMARK,
            f"{count:,} of {ratings:,} ratings {'repeats' if count == 1 else 'repeat'} an item that the same rater had "
            "already rated: the first rating is kept.",
        )


def unmarked(marked: Annotations) -> Iterator[Check]:
    """C26: items of which a rater has no row, though the rater may have read them and marked nothing."""
    lacking = {name: int((~one.annotated).sum()) for name, one in zip(marked.raters, marked.annotators, strict=True)}
    empty = any(len(np.unique(one.document)) < int(one.annotated.sum()) for one in marked.annotators)
    who = {name: count for name, count in lacking.items() if count}
    if who:
        shown = ", ".join(f"{quoted(name)} for {count:,}" for name, count in list(who.items())[:3])
        yield Check(
            "C26",
            REMARK if empty else SERIOUS,
            f"Some raters have no row for some of {len(marked):,} items ({shown}) and count as not having read them. "
            'If all raters read all items, give seen_by="all", or say who read what with `seen_items`.',
        )
