"""Checks of labels: whether they can meet, whether they are labels at all, and how they are spread."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from adjudge.data.cleaning import count_text
from adjudge.data.judgements.labels import MISSING_WORDS, folded_case, number_in, ordered_labels
from adjudge.data.label_values import NUMBER, cannot_meet, kind_of
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, STOP, Check
from adjudge.errors import listed, percent, quoted
from adjudge.statistics.base import Array

EXAMPLES = 3
# More than half as many labels as values are names or texts; of more labels than this, it must be seen that they are
# labels: most stand more than once, few have decimals, and most predictions are ones of the reference.
MOST_LABELS, FEWEST_VALUES = 100, 50
FEW_ROWS, SEEN, COMMON, RARELY = 10, 5, 0.95, 0.001


_UNSEEN = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")
_AROUND = " \t.,;:!\"'`*()[]{}“”‘’«»"
_BETWEEN = re.compile(r"(?<=[^\W\d_])[-_\s]+(?=[^\W\d_])")  # signs between two letters: not_spam, not-spam, not spam
_COMMA = re.compile(r"([-+]?\d+),(\d{1,2}|\d{4,})")  # decimals after a comma; three digits may be thousands


def same_labels(labels: Sequence[str]) -> list[list[str]]:
    """Labels that differ in case, blanks, the form of a number or signs alone, group by group.

    >>> same_labels(["Spam", "ham", "spam", "ham.", "A", "A-", "no_mail", "no mail", "1", "1,0", "1,000"])
    [['Spam', 'spam'], ['ham', 'ham.'], ['no_mail', 'no mail'], ['1', '1,0']]
    """
    groups: dict[str, list[str]] = {}
    for label in labels:
        groups.setdefault(_bare(label), []).append(label)
    return [group for group in groups.values() if len(group) > 1]


def _bare(label: str) -> str:
    """A label without what cannot be seen, signs between its words, and stops, marks and brackets around it."""
    seen = _UNSEEN.sub("", label).strip()
    folded = folded_case(_COMMA.sub(r"\1.\2", seen) if _COMMA.fullmatch(seen) else seen)
    return folded if number_in(folded) is not None else _BETWEEN.sub("", folded.strip(_AROUND)) or folded


def strangers(what: str, labels: Sequence[str], other: str, others: Sequence[str]) -> Check | None:
    """C1: no label in common. `what` has the labels, `other` the others; of one label alone that may be true."""
    if not labels or not others or set(labels) & set(others):
        return None
    pairs = same_labels([*labels, *others])
    near = f"; {_pair(pairs[0])} differ only in case, blanks, number format or punctuation" if pairs else ""
    surely = min(len(labels), len(others)) > 1 or cannot_meet(labels, others)
    return Check(
        "C1",
        STOP if surely else SERIOUS,
        f"{what} must use the labels of {other}, but have none in common: {_examples(labels)} against "
        f"{_examples(others)}{near}. {_to_meet(labels, others, bool(pairs))}",
    )


def _to_meet(labels: Sequence[str], others: Sequence[str], nearly: bool) -> str:
    """What to do about labels that do not meet."""
    words = [label for label in ordered_labels({*labels, *others}) if label.strip().casefold() in MISSING_WORDS]
    if words and all(kind_of(label) == NUMBER for label in (*labels, *others) if label not in words):
        return f"Numbers meet by value once {listed(words)} is declared missing: missing={_python(words)}."
    if nearly:
        return "Spell them the same way."
    if any((number_in(label) or 0.0) % 1 for label in labels):
        return "If these are scores, give the column as `score`."
    return "Is it the right column? If so, use the same labels in both."


def doubled(labels: Sequence[str], sides: Mapping[str, Sequence[str]]) -> Iterator[Check]:
    """C2: labels that are hardly meant to be two; serious where one side has the one and another the other."""
    for group in same_labels(labels):
        across = any(len(set(group) & set(side)) < len(group) for side in sides.values())
        yield Check(
            "C2",
            SERIOUS if across else REMARK,
            f"{_pair(group)} count as {len(group)} labels, but differ only in case, blanks, number format or "
            "punctuation. Spell them the same way if they mean the same.",
        )


def joined_labels(labels: Sequence[str]) -> Iterator[Check]:
    """C2: a label of a set that is two others with a sign between them."""
    known = {label.strip() for label in labels}
    for label in labels:
        for sign in (sign for sign in ",;|/" if sign in label):
            if {part.strip() for part in label.split(sign)} <= known:
                yield Check(
                    "C2",
                    SERIOUS,
                    f"{quoted(label)} counts as one label, though its parts are labels, too: some cells have "
                    f"{quoted(sign)} between labels. Write one sign everywhere.",
                )
                return


def names(
    what: str, labels: Sequence[str], times: Array, scores: bool = False, others: Sequence[str] | None = None
) -> Check | None:
    """C14: more labels than labels can be, each standing so many `times`.

    With `scores`, a column of numbers may be meant as scores; `others` are the labels that it should have.
    """
    values = round(float(times.sum()))
    mostly = values >= FEWEST_VALUES and len(labels) > values / 2
    if not mostly and (len(labels) <= MOST_LABELS or _are_labels(labels, times, others)):
        return None
    numbers = all(kind_of(label) == NUMBER for label in labels)
    advice = "Give it as `score` if these are scores." if numbers and scores else "Is it the right column?"
    seen = f"{len(labels):,} different values in {count_text(values, 'row')}"
    return Check(
        "C14",
        STOP,
        f"{what} must hold labels, but it has {seen}, such as {_examples(labels)}. {advice}",
    )


def _are_labels(labels: Sequence[str], times: Array, others: Sequence[str] | None) -> bool:
    """Whether many labels are labels all the same: they come again, are no fractions, and are the reference's."""
    again = float((times > 1.5).sum()) > len(labels) / 2
    fractions = sum(bool((number_in(label) or 0.0) % 1) for label in labels)
    shared = len(labels) if others is None else len({*labels} & {*others})
    return again and fractions < len(labels) / 2 and shared > len(labels) / 2


def unknown(what: str, labels: Sequence[str]) -> Iterator[Check]:
    """C22: words for what is missing."""
    if words := [label for label in ordered_labels(labels) if label.strip().casefold() in MISSING_WORDS]:
        one = len(words) == 1
        yield Check(
            "C22",
            SERIOUS,
            f"{listed(words)} in {what} {'counts as a label' if one else 'count as labels'}, but probably "
            f"{'stands' if one else 'stand'} for a missing value. Declare {'it' if one else 'them'} missing: "
            f"missing={_python(words)}.",
        )


def only_in_reference(labels: Sequence[str], reference: Array, prediction: Array) -> Iterator[Check]:
    """C22: -1 in the reference alone, below labels that count from 0 or 1 on: rows that nobody labelled."""
    numbers = [number_in(label) for label in labels]
    if "-1" not in labels or any(number is None for number in numbers):
        return
    place = labels.index("-1")
    others = [number for number in numbers if number is not None and number != -1]
    if reference[place] >= SEEN and not prediction[place] and min(others) >= 0 and max(others) > 1:
        yield Check(
            "C22",
            SERIOUS,
            f"−1 stands in the reference alone, in {count_text(round(float(reference[place])), 'row')}, and probably "
            'for a missing value. Declare it missing: missing=["-1"].',
        )


def stray_rows(column: str, counts: Mapping[str, int]) -> Iterator[Check]:
    """C32: a lone word among numbers, or a number that all others add up to: a heading, a comment, a line of totals."""
    numbers = {label: number for label in counts if (number := number_in(label)) is not None}
    words = [label for label in counts if label not in numbers and label.strip().casefold() not in MISSING_WORDS]
    if sum(counts.values()) < FEWEST_VALUES or len(numbers) < 2:
        return
    if words and all(counts[word] == 1 for word in words) and len(words) <= EXAMPLES:
        stand = "stands in a single row" if len(words) == 1 else "stand in a single row each"
        yield Check(
            "C32",
            SERIOUS,
            f"{listed(words)} in {quoted(column)} {stand}, and all other labels are numbers. Is that a heading, a "
            "comment or a line of totals? Remove it.",
        )
    total = sum(numbers[label] * counts[label] for label in numbers)
    for label, number in numbers.items():
        others = max(abs(one) for name, one in numbers.items() if name != label)
        summed = sum(counts[name] for name, one in numbers.items() if name != label and one)
        alone = counts[label] == 1 and abs(number) > 2 * others and summed >= FEWEST_VALUES
        if alone and number == total - number and not words:
            yield Check(
                "C32",
                SERIOUS,
                f"{quoted(label)} in {quoted(column)} is the sum of all other rows. Is it a line of totals? Remove it.",
            )


def _python(words: Sequence[str]) -> str:
    return "[" + ", ".join(quoted(word) for word in words) + "]"


def spread(labels: Sequence[str], totals: Array, rows: float, unit: str = "row") -> Iterator[Check]:
    """C10 and C11: labels that hardly occur, and one that nearly always does."""
    if rows < FEWEST_VALUES:
        return
    few = [label for label, total in zip(labels, totals.tolist(), strict=True) if 0 < total < FEW_ROWS]
    if few:
        have = "has" if len(few) == 1 else "have"
        yield Check("C10", REMARK, f"{listed(few, 5)} {have} fewer than {FEW_ROWS} {unit}s: too few to say much.")
    share = float(totals.max(initial=0.0)) / float(totals.sum() or 1)
    if len(labels) > 1 and share >= COMMON:
        yield Check(
            "C11",
            REMARK,
            f"{quoted(labels[int(totals.argmax())])} is {percent(share, 1)} of all, so always answering it is right as "
            "often. Look at each label.",
        )


def one_answer(
    who: str, labels: Sequence[str], totals: Array, others: Array, unit: str = "row", *, severity: str = SERIOUS
) -> Check | None:
    """C8: the same answer everywhere, though others give it so seldom that this is no chance."""
    used, rows = np.flatnonzero(totals), round(float(totals.sum()))
    if len(used) != 1 or rows < FEW_ROWS:
        return None
    label, share = labels[int(used[0])], float(others[used[0]] / (others.sum() or 1))
    if share**rows > RARELY:
        return None
    return Check(
        "C8", severity, f"{who} gives {quoted(label)} in all {count_text(rows, unit)}. Is it the right column?"
    )


def one_sided(who: str, labels: Sequence[str], reference: Array, prediction: Array) -> Iterator[Check]:
    """C9: labels that one side has and the other never."""
    for mine, other, how in (
        (reference, prediction, f"never predicted by {who}"),
        (prediction, reference, f"predicted by {who}, but not in the reference"),
    ):
        alone = [
            label for label, a, b in zip(labels, mine.tolist(), other.tolist(), strict=True) if a >= SEEN and not b
        ]
        if alone and mine.sum() >= FEWEST_VALUES:
            yield Check("C9", REMARK, f"{listed(alone, 5)} {'is' if len(alone) == 1 else 'are'} {how}.")


def _examples(labels: Sequence[str]) -> str:
    return listed(ordered_labels(labels)[:EXAMPLES]) + (" …" if len(labels) > EXAMPLES else "")


def _pair(group: Sequence[str]) -> str:
    return " and ".join(quoted(label) for label in group[:EXAMPLES])
