"""Checks of slices: levels with few rows, and levels of which more is left out than of the others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from adjudge.data.facts import LOST, USED, Facts
from adjudge.data.judgements.labels import MISSING_WORDS
from adjudge.data.spellings import Spellings
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.diagnosis.checks.labels import FEW_ROWS, FEWEST_VALUES
from adjudge.diagnosis.checks.misspelled import misspelled_names
from adjudge.diagnosis.checks.tables import MANY
from adjudge.diagnosis.checks.writing import dates_among_ranges
from adjudge.errors import listed, percent, quoted
from adjudge.statistics.confusion import Confusion

RARELY = 0.001
ENOUGH, ROWS_OF_A_LEVEL = 20, 10


def slice_checks(facts: Facts) -> Iterator[Check]:
    """C2, C7 and C10: levels that are written in two ways, hardly occur, or of which far more is left out."""
    for name, levels in facts.levels.items():
        if several := Spellings.of(levels).several:
            more = f" (and {len(several) - 1} more)" if len(several) > 1 else ""
            yield Check(
                "C2",
                SERIOUS,
                f"{' and '.join(map(quoted, several[0]))} count as {len(several[0])} levels of {quoted(name)}, but "
                f"differ only in case, blanks, dashes or number format{more}. Spell them the same way if they mean the "
                "same.",
            )
        yield from turned_to_dates(f"the levels of {quoted(name)}", sorted(levels))
        if words := [level for level in levels if level.strip().casefold() in MISSING_WORDS]:
            how = f"{listed(words)} counts as a level of {quoted(name)}, but probably stands for a missing value"
            yield Check("C22", REMARK, f"{how}. Leave these cells empty, or declare it with `missing`.")
    used = {key[1:]: n for key, n in facts.counted.items() if key[0] == USED}
    lost = {key[1:]: n for key, n in facts.counted.items() if key[0] == LOST}
    for name in facts.levels:
        counts = {level: n for (column, level), n in used.items() if column == name}
        yield from misspelled_names(f"the levels of {quoted(name)}", counts)
    few = [f"{level} ({name})" for (name, level), n in used.items() if n < FEW_ROWS]
    if few and facts.used >= FEWEST_VALUES:
        have = "1 slice has" if len(few) == 1 else f"{len(few):,} slices have"
        yield Check("C10", REMARK, f"{have} fewer than {FEW_ROWS} rows, too few to say much: {listed(few, 5)}.")
    # Where several rows make one unit, what stays is not counted in rows and cannot be held against what is left out.
    all_lost = sum(facts.left_out.values())
    if lost and facts.used == facts.read - all_lost:
        yield from _uneven(used, lost, facts.read, all_lost)


def turned_to_dates(where: str, names: Sequence[str]) -> Iterator[Check]:
    """C2: names that a spreadsheet turned into dates, beside others that it left as they were."""
    dates, ranges = dates_among_ranges(names)
    if dates:
        how = f"{quoted(dates[0])} stands beside {quoted(ranges[0])} in {where}"
        yield Check("C2", SERIOUS, f"{how}: did a spreadsheet turn it into a date? Write it as it was, as text.")


def _uneven(
    used: dict[tuple[str, ...], int], lost: dict[tuple[str, ...], int], rows: int, all_lost: int
) -> Iterator[Check]:
    """C7: the level of which most is left out, where that is no chance, after Holm's correction for all levels."""
    levels = dict.fromkeys([*used, *lost])
    uneven = []
    for key, n in lost.items():
        of_level = n + used.get(key, 0)
        share, rest = n / of_level, (all_lost - n) / max(rows - of_level, 1)
        by_chance = of_level == rows or share <= max(MANY, rest)
        if not by_chance and 2 * chance_of(n, of_level, all_lost, rows) * len(levels) < RARELY:
            uneven.append((share - rest, key, share, rest))
    if uneven:
        _, (name, level), share, rest = max(uneven)
        more = f" (and {len(uneven) - 1} more)" if len(uneven) > 1 else ""
        yield Check(
            "C7",
            SERIOUS,
            f"{percent(share)} of {quoted(level)} ({name}) is left out, {percent(rest)} of the rest{more}. "
            "What remains may not represent the whole.",
        )


def chance_of(lost: int, of_level: int, all_lost: int, rows: int) -> float:
    """The chance that so many or more of a level are among all that are left out (hypergeometric: Fisher's test).

    >>> round(chance_of(3, 4, 4, 8), 4)  # the lady tasting tea: 17 of 70
    0.2429
    """
    k = np.arange(lost, min(of_level, all_lost) + 1)
    terms = _log_choose(all_lost, k) + _log_choose(rows - all_lost, of_level - k) - _log_choose(rows, of_level)
    return min(1.0, float(np.exp(terms[np.isfinite(terms)]).sum()))


def _log_choose(n: int, k: np.ndarray | int) -> np.ndarray:
    """The logarithm of how many ways there are to choose k of n; minus infinity where there is none."""
    from scipy.special import gammaln

    chosen = np.asarray(k, dtype=np.float64)
    inside = (chosen >= 0) & (chosen <= n)
    safe = np.where(inside, chosen, 0.0)
    return np.where(inside, math.lgamma(n + 1) - gammaln(safe + 1) - gammaln(n - safe + 1), -np.inf)


def sliced_by_answer(who: str, column: str, levels: Sequence[Confusion]) -> Iterator[Check]:
    """C33: slices that were made from being right or wrong, or from the label itself, under another name."""
    tables = [table for table in levels if table.total > 0]
    if len(tables) < 2 or float(sum(table.total for table in tables)) < ROWS_OF_A_LEVEL * len(tables):
        return
    right = [float(table.agreed) for table in tables]
    wrong = [float(table.total - table.agreed) for table in tables]
    if all(a == 0 or b == 0 for a, b in zip(right, wrong, strict=True)) and min(sum(right), sum(wrong)) >= ENOUGH:
        yield Check(
            "C33",
            SERIOUS,
            f"{quoted(column)} gives away where {who} is right: every level is all right or all wrong. Slices "
            "made from the answers say nothing about them.",
        )
        return
    of_reference = [table.reference_total for table in tables]
    for each, what in (
        (of_reference, "the reference"),
        ([table.prediction_total for table in tables], f"what {who} answers"),
    ):
        labels, totals = [int((one > 0).sum()) for one in each], np.sum(each, 0)
        if max(labels) == 1 and float(totals.sum() - totals.max()) >= ENOUGH:
            yield Check(
                "C33",
                REMARK,
                f"{quoted(column)} gives away {what}: every level has a single label. Slices chosen by the answer "
                "cannot be compared with one another.",
            )
            return
