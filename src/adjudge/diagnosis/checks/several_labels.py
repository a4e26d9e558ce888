"""Labels that are several in one cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.diagnosis.checks.labels import AROUND
from adjudge.errors import quoted

BETWEEN = ",;|+&"
LISTING, MANY_JOINED = (
    ";|",
    3,
)  # signs that stand in lists, hardly in a name; labels that no set of names joins by chance


def joined_labels(labels: Sequence[str], sides: Mapping[str, Sequence[str]] | None = None) -> Iterator[Check]:
    """C2: a label that is two others with a sign between them: of sets, or of single labels in some of the `sides`.

    One that all sides have may be a name, such as "salt & pepper".
    Of sets, its parts may all be parts of other labels: then nothing may be parted as it should.
    """
    known = {label.strip(AROUND) for label in labels}
    joined = Counter(sign for label in labels for sign in BETWEEN if sign in label and _parts(label, sign) <= known)
    counted = cache(lambda sign: Counter(part for label in labels for part in _parts(label, sign)))
    for label in labels:
        for sign in (sign for sign in (BETWEEN + "/" if sides is None else BETWEEN) if sign in label):
            parts = _parts(label, sign)
            if parts <= known or (sides is None and all(counted(sign)[part] > 1 for part in parts)):
                everywhere = sides is not None and all(label in side for side in sides.values())
                named = everywhere and sign not in LISTING and joined[sign] < MANY_JOINED
                advice = (
                    f"some cells have {quoted(sign)} between labels. Use the same separator everywhere."
                    if sides is None
                    else 'are there several labels in one cell? Agreement takes them with measurement="sets".'
                )
                yield Check(
                    "C2",
                    REMARK if named else SERIOUS,
                    f"{quoted(label)} counts as one label, though its parts are labels too: {advice}",
                )
                return


def _parts(label: str, sign: str) -> set[str]:
    """What stands before, between and after a sign."""
    return set(_listed(label, sign))


def _listed(label: str, sign: str) -> list[str]:
    return [part.strip(AROUND) for part in label.split(sign)]


def reordered_labels(labels: Sequence[str], sides: Mapping[str, Sequence[str]]) -> Iterator[Check]:
    """C2: two labels that have the same parts in another order; where all columns have both, these may be meant."""
    known: dict[tuple[str, ...], str] = {}
    for label in labels:
        for sign in (sign for sign in BETWEEN if sign in label):
            parts = _listed(label, sign)
            first = known.setdefault((sign, *sorted(parts)), label)
            numbers = all(part.isdecimal() for part in parts)  # 1,2 and 2,1 may be numbers
            if first != label and all(parts) and not numbers:
                everywhere = all({first, label} <= {*side} for side in sides.values())
                ordered, way = (
                    ("", "them one way") if _listed(first, sign) == parts else (" in another order", "one order")
                )
                yield Check(
                    "C2",
                    REMARK if everywhere else SERIOUS,
                    f"{quoted(first)} and {quoted(label)} count as 2 labels, but have the same parts{ordered}. "
                    f'If they mean the same, write {way}; agreement on several labels is measurement="sets".',
                )
                return
