"""Checks of labels: whether they can meet, whether they are labels at all, and how they are spread."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from adjudge.data.cleaning import count_text
from adjudge.data.judgements.labels import MISSING_WORDS, number_in, ordered_labels
from adjudge.data.label_values import NUMBER, cannot_meet, kind_of
from adjudge.data.number_facts import CODES
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, STOP, Check
from adjudge.diagnosis.checks.failed_answers import failure_messages
from adjudge.diagnosis.checks.misspelled import misspelled_names, numbered_labels
from adjudge.diagnosis.checks.writing import garbled_labels, same_labels
from adjudge.errors import listed, percent, quoted, with_minus
from adjudge.statistics.base import Array
from adjudge.statistics.confusion import Confusion

EXAMPLES = 3
# More than half as many labels as values are names or texts; of more labels than this, it must be seen that they are
# labels: most stand more than once, few have decimals, and most predictions are ones of the reference.
MOST_LABELS, FEWEST_VALUES = 100, 50
FEW_ROWS, SEEN, COMMON, RARELY, APART = 10, 5, 0.95, 0.001, 3.0
RARE = 0.05
A_LABEL_TOO = ("none",)  # None of Python and null of JSON are spelled otherwise
TOTALS = {
    *("total", "totals", "subtotal", "sub-total", "sub total", "grand total", "sum", "average", "mean"),
    *("summe", "gesamt", "gesamtsumme", "gesamtergebnis", "zwischensumme", "mittelwert", "durchschnitt"),
    *("total général", "sous-total", "somme", "moyenne", "total general", "suma", "promedio", "totale", "somma"),
}
# A unit, a line of signs, or what a second heading says of a column of words.
_NO_LABEL = re.compile(
    r"\[.*\]|\(.*\)|[^\w\s]+|str|string|text|(?:var)?char|categor(?:y|ical)|factor|nominal|enum", re.I
)
AROUND = " []'\""  # of a label in a list that was written as text
FAR_CODES = {code for code in CODES if abs(code) > 1}


def strangers(what: str, labels: Sequence[str], other: str, others: Sequence[str]) -> Check | None:
    """C1: no label in common. `what` has the labels, `other` the others; of one label alone that may be true."""
    if not labels or not others or set(labels) & set(others):
        return None
    pairs = same_labels([*labels, *others])
    near = f"; {_pair(pairs[0])} differ only in {_differ_in(pairs[0])}" if pairs else ""
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
    yield from numbered_labels(labels)
    same = same_labels(labels)
    alike: dict[tuple[str, str], list[list[str]]] = {}  # groups that one sentence can name
    for group in same:
        across = any(len(set(group) & set(side)) < len(group) for side in sides.values())
        alike.setdefault((SERIOUS if across else REMARK, _differ_in(group)), []).append(group)
    for (severity, differ_in), groups in alike.items():
        shown, more = groups[:EXAMPLES], len(groups) - EXAMPLES
        yield Check(
            "C2",
            severity,
            f"{', '.join(map(_pair, shown))}{f' and {more} more' if more > 0 else ''} count as "
            f"{sum(map(len, groups))} labels, but differ only in {differ_in}. Spell them the same way if they mean the "
            "same.",
        )
    for group in garbled_labels(labels):
        if group not in same and all(len(set(group) & set(side)) < 2 for side in sides.values()):
            yield Check(
                "C2",
                SERIOUS,
                f"{_pair(group)} count as {len(group)} labels, and no column has both: they differ only in accents, or "
                "in how their letters were decoded. Spell them the same way if they mean the same.",
            )


def _differ_in(group: Sequence[str]) -> str:
    """What tells labels apart that are nearly one; letters of two alphabets are not to be seen."""
    alphabets = {unicodedata.name(sign, "").partition(" ")[0] for label in group for sign in label if sign.isalpha()}
    if alphabets & {"CYRILLIC", "GREEK"} and "LATIN" in alphabets:
        return "letters of two alphabets that look the same"
    if len({unicodedata.normalize("NFC", label) for label in group}) == 1:
        return "whether accents are signs of their own"
    if len({label.casefold() for label in group}) == 1:
        return "case"
    if len({"".join(label.split()) for label in group}) == 1:
        return "blanks"
    return "case, blanks, number format or punctuation"


def within_answers(who: str, table: Confusion) -> Iterator[Check]:
    """C2: answers that the reference never has, in several ways, each with one of its labels as a word in it."""
    labels, expected, answered = table.categories, table.reference_total, table.prediction_total
    words = [label for label, n in zip(labels, expected, strict=True) if n and len(label) >= EXAMPLES]
    inside = {}
    for place in np.flatnonzero((expected == 0) & (answered > 0)).tolist():
        held = [word for word in words if word in labels[place] and _is_word_in(word, labels[place])]
        if len(held) == 1:
            inside[labels[place]] = (held[0], float(answered[place]))
    rows, several = sum(n for _, n in inside.values()), len({word for word, _ in inside.values()}) > 1
    if several and len(inside) >= EXAMPLES and rows >= max(SEEN, RARE / 2 * float(table.total)):
        shown = next(iter(inside))
        yield Check(
            "C2",
            SERIOUS,
            f"{round(rows):,} answers of {who} are not labels of the reference but contain one, such as "
            f"{quoted(shown)}, so they count as wrong. Extract the label.",
        )


def _is_word_in(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


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


def unknown(what: str, labels: Sequence[str], more: Collection[str] = ()) -> Iterator[Check]:
    """C22: words for what is missing, and `more` of them; "none" is what people call a label, too."""
    said = [label for label in ordered_labels(labels) if label.strip().casefold() in {*MISSING_WORDS, *more}]
    for severity, doubt, words in (
        (SERIOUS, "probably stand", [label for label in said if label not in A_LABEL_TOO]),
        (REMARK, "may stand", [label for label in said if label in A_LABEL_TOO]),
    ):
        if not words:
            continue
        one = len(words) == 1
        verb = doubt if not one or severity == REMARK else f"{doubt}s"
        yield Check(
            "C22",
            severity,
            f"{listed(words)} in {what} {'counts as a label' if one else 'count as labels'}, but {verb} for a missing "
            f"value. Declare {'it' if one else 'them'} missing: missing={_python(words)}.",
        )


def only_in_reference(table: Confusion) -> Iterator[Check]:
    """C22: a code in the reference alone, beyond all other labels: rows that nobody labelled.

    -1 below 0 and 1 may be a label: it is none where answers are between those to 0 and those to 1.
    """
    labels = table.categories
    numbers = [number_in(label) for label in labels]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers):
        return
    reference, prediction = table.reference_total, table.prediction_total
    alone = {one for one, n, said in zip(known, reference, prediction, strict=True) if n >= SEEN and not said}
    codes = {one for one in alone if any(one + step in FAR_CODES & alone for step in (0, 1, 2))}  # 7, 8 and 9
    for place, code in enumerate(known):
        others = [one for one, n in zip(known, reference, strict=True) if n and one != code and one not in codes]
        if not others or reference[place] < SEEN or prediction[place]:
            continue
        width = max(others) - min(others)
        far = code in codes and min(abs(code - one) for one in others) > max(width, 1)
        below = code == -1 and min(others) >= 0 and (max(others) > 1 or _between(table, known, place))
        if far or below:
            yield Check(
                "C22",
                SERIOUS,
                f"{with_minus(code)} stands in the reference alone, in "
                f"{count_text(round(float(reference[place])), 'row')}, and probably for a missing value. Declare it "
                f'missing: missing=["{labels[place]}"].',
            )


def _between(table: Confusion, numbers: Sequence[float], place: int) -> bool:
    """Whether rows of a label are answered with 1 more often than those of 0, and more seldom than those of 1."""
    rows = table.reference_total
    if not {0.0, 1.0} <= {number for number, n in zip(numbers, rows, strict=True) if n}:
        return False
    ones = table.answered(numbers.index(1))
    shares = {at: ones[at] / max(rows[at], 1.0) for at in (place, *map(numbers.index, (0, 1)))}
    low, high = (shares[numbers.index(end)] for end in (0, 1))
    error = math.sqrt(max(shares[place] * (1 - shares[place]), 0.01) / rows[place])
    return bool(low + APART * error < shares[place] < high - APART * error)


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
    last, second = sorted(numbers, key=lambda label: abs(numbers[label]), reverse=True)[:2]
    number = numbers[last]
    others = sum(one * counts[label] for label, one in numbers.items() if label != last)
    summed = sum(counts[label] for label, one in numbers.items() if label != last and one)
    alone = counts[last] == 1 and abs(number) > 2 * abs(numbers[second]) and summed >= FEWEST_VALUES
    if alone and number == others and not words:
        yield Check(
            "C32",
            SERIOUS,
            f"{quoted(last)} in {quoted(column)} is the sum of all other rows. Is it a line of totals? Remove it.",
        )


def lone_rows(table: Confusion) -> Iterator[Check]:
    """C32: one row whose two labels stand nowhere else: a second heading, a line of units or of totals."""
    labels, expected, answered = table.categories, table.reference_total, table.prediction_total
    if table.total < FEWEST_VALUES:
        return
    words = [place for place, label in enumerate(labels) if number_in(label) is None]
    once = [place for place in words if expected[place] + answered[place] <= 2]
    few = once if len(once) <= 2 else []
    for one, other in ((one, other) for one in few for other in few if table.answered(other)[one] == 1):
        apart = one != other and not answered[one] and not expected[other]
        if apart or (one == other and _NO_LABEL.fullmatch(labels[one])):
            which = quoted(labels[one]) if one == other else f"{quoted(labels[one])} beside {quoted(labels[other])}"
            yield Check(
                "C32",
                SERIOUS,
                f"{which} stands in a single row, and nowhere else. Is that a second heading, or a line of units? "
                "Remove it.",
            )
    totals = [label for label in labels if label.strip(" :").casefold() in TOTALS]
    rows = sum(float(expected[labels.index(label)]) for label in totals)
    if totals and rows <= RARE * float(table.total):
        yield Check("C32", SERIOUS, f"{listed(totals)} counts as a label: lines of totals? Remove them.")


def _python(words: Sequence[str]) -> str:
    return "[" + ", ".join(quoted(word) for word in words) + "]"


def spread(labels: Sequence[str], totals: Array, rows: float, unit: str = "row") -> Iterator[Check]:
    """C2, C10 and C11: labels that are misspelled, that hardly occur, and one that nearly always does."""
    if rows < FEWEST_VALUES:
        return
    yield from misspelled_names("the labels", dict(zip(labels, totals.tolist(), strict=True)))
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
    """C9: labels that one side has and the other never; but for messages of errors, which C22 tells."""
    known, given = (
        [label for label, n in zip(labels, of.tolist(), strict=True) if n] for of in (reference, prediction)
    )
    messages = failure_messages(given, known)
    for mine, other, how in (
        (reference, prediction, f"never predicted by {who}"),
        (prediction, reference, f"predicted by {who}, but not in the reference"),
    ):
        alone = [
            label
            for label, a, b in zip(labels, mine.tolist(), other.tolist(), strict=True)
            if a >= SEEN and not b and label not in messages
        ]
        if alone and mine.sum() >= FEWEST_VALUES:
            yield Check("C9", REMARK, f"{listed(alone, 5)} {'is' if len(alone) == 1 else 'are'} {how}.")


def _examples(labels: Sequence[str]) -> str:
    return listed(ordered_labels(labels)[:EXAMPLES]) + (" …" if len(labels) > EXAMPLES else "")


def _pair(group: Sequence[str]) -> str:
    return " and ".join(quoted(label) for label in group[:EXAMPLES])
