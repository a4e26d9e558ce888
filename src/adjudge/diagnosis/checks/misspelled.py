"""Labels that are written in one way nearly always, and a few times a little otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.errors import quoted

SELDOM, RARER, MOST_NAMES, SHOWN, LONG, FEWEST_NUMBERED = 10, 20, 200, 3, 5, 2
_WORDS = re.compile(r"([^\W\d_]+)")
_NUMBERED = re.compile(r"([0-9]+)\s*[-–—:.)=]\s*[^\W\d_].*")


def misspelled_names(what: str, counts: Mapping[str, float]) -> Iterator[Check]:
    """C2: names that hardly occur and are one slip of the keys from one that is common."""
    used = {name: n for name, n in counts.items() if n > 0}
    seldom = [name for name, n in used.items() if n < SELDOM]
    meant_by = {}
    for name in seldom if len(used) <= MOST_NAMES else ():
        meant = [other for other, n in used.items() if n >= RARER * used[name] and one_slip(name, other)]
        if meant:
            meant_by[name] = max(meant, key=used.__getitem__)
    if meant_by:
        pairs = [f"{quoted(name)} beside {quoted(meant)}" for name, meant in meant_by.items()]
        more = f" and {len(pairs) - SHOWN} more" if len(pairs) > SHOWN else ""
        yield Check(
            "C2",
            REMARK,
            f"{', '.join(pairs[:SHOWN])}{more} in {what}: misspelled? Spell them the same way if they mean the same.",
        )


def one_slip(one: str, other: str, exchanged: int = LONG - 1) -> bool:
    """Whether one long word of two names differs by a letter that is missing, added, another or in another place.

    From `exchanged` letters on, two that changed places are a slip; of so few, another letter may be another word.

    >>> one_slip("nuetral", "neutral"), one_slip("very negatve", "very negative"), one_slip("group a", "group b")
    (True, True, False)
    >>> one_slip("Olso", "Oslo"), one_slip("cats", "cars")
    (True, False)
    """
    words, others = _WORDS.split(one.casefold()), _WORDS.split(other.casefold())
    apart = [(a, b) for a, b in zip(words, others, strict=False) if a != b]
    if len(words) != len(others) or len(apart) != 1:
        return False
    short, long = sorted(apart[0], key=len)
    if len(long) < exchanged or not long.isalpha() or not short.isalpha() or len(long) - len(short) > 1:
        return False
    at = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return len(long) >= LONG and short[at:] == long[at + 1 :]
    other_order = short[at + 1 : at + 2] + short[at] + short[at + 2 :]
    return other_order == long[at:] or (len(long) >= LONG and short[at + 1 :] == long[at + 1 :])


def numbered_labels(labels: Sequence[str]) -> Iterator[Check]:
    """C2: points of a scale, some with their words and some without: "4" and "4 - agree"."""
    spelled: dict[str, list[str]] = {}
    for label in labels:
        if (match := _NUMBERED.fullmatch(label)) and match[1] in labels:
            spelled.setdefault(match[1], []).append(label)
    pairs = [(number, long[0]) for number, long in spelled.items() if len(long) == 1]
    if len(pairs) >= FEWEST_NUMBERED and len(pairs) == len(spelled):
        shown = ", ".join(f"{quoted(number)} and {quoted(long)}" for number, long in pairs[:SHOWN])
        yield Check(
            "C2",
            SERIOUS,
            f"{shown} count as {2 * min(len(pairs), SHOWN)} labels, but are numbers with their words and without. "
            "Spell them the same way if they mean the same.",
        )
