"""Parts of the data that must not meet: rows of a test that were trained on, by their names or by what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.errors import quoted

_BLANKS = re.compile(r"\s+")
SHOWN = 3
MANY = 0.05


@dataclass(frozen=True, slots=True)
class PartOfData:
    """What is known of each row of a part: its name, and what it says; either may be missing."""

    ids: Sequence[str] | None = None
    contents: Sequence[str] | None = None


def plain_content(text: str) -> str:
    """A text as it is compared: blanks and capitals do not make another one.

    >>> plain_content("  Where IS\\nmy order?") == plain_content("where is my order?")
    True
    """
    return _BLANKS.sub(" ", text).strip().casefold()


def leak_checks(parts: Mapping[str, PartOfData]) -> Iterator[Check]:
    """C30: the same name, or the same content, in two parts.

    >>> [check] = leak_checks({"train": PartOfData(["a", "b"]), "test": PartOfData(["b", "c"])})
    >>> check.sentence
    '"train" and "test" must not share rows, but 1 id is in both, for example "b". Remove them from one part.'
    """
    for (one, first), (other, second) in combinations(parts.items(), 2):
        for what, left, right in (("id", first.ids, second.ids), ("content", first.contents, second.contents)):
            if left is None or right is None:
                continue
            known = {plain_content(text) if what == "content" else text for text in left}
            known.discard("")
            values = [plain_content(text) if what == "content" else text for text in right]
            shared = list(dict.fromkeys(text for text in values if text in known))
            if shared:
                yield Check("C30", SERIOUS, _sentence(one, other, what, shared))


def _sentence(one: str, other: str, what: str, shared: Sequence[str]) -> str:
    many = f"{len(shared):,} {what}{'s' if len(shared) > 1 else ''} {'are' if len(shared) > 1 else 'is'} in both"
    examples = ", ".join(quoted(text) for text in shared[:SHOWN])
    return (
        f"{quoted(one)} and {quoted(other)} must not share rows, but {many}, for example {examples}. "
        "Remove them from one part."
    )


def unanswered(name: str, missing: int, beyond: int, gold: int) -> Iterator[Check]:
    """C29: rows of the gold standard that a submission has no answer to, and answers to rows that it does not have."""
    if missing:
        severity = SERIOUS if missing > MANY * gold else REMARK
        yield Check(
            "C29",
            severity,
            f"{quoted(name)} must answer every row of the gold standard, but {missing:,} of {gold:,} have no answer. "
            "They are left out for every system, which flatters one that skips the hard ones.",
        )
    if beyond:
        many = f"{beyond:,} row{'s' if beyond > 1 else ''} that the gold standard does not have"
        yield Check("C29", REMARK, f"{quoted(name)} answers {many}: left out.")
