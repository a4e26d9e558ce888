"""Which rows of a suite are cases, of which kind, and which of them each system fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.cases import DIR, INV, MFT
from adjudge.data.label_values import called
from adjudge.data.source import Text
from adjudge.errors import BadValue, quoted

Flags = NDArray[np.bool_]
Codes = NDArray[np.int64]
KINDS = (MFT, INV, DIR)
UP, DOWN = "up", "down"
# What a flag says where it is set, and where it is not; nothing is no.
YES, NO = ("1", "true", "yes", "y", "t", "x", "original"), ("0", "false", "no", "n", "f", "perturbed", "")


def kinds_of_rows(text: Text | None, rows: int) -> Codes:
    """The kind of each row as a place in `KINDS`, -1 where it says none."""
    if text is None:
        return np.full(rows, -1, dtype=np.int64)
    known = {name: place for place, name in enumerate(KINDS)}
    kinds = [known.get(label.strip().casefold(), -2) for label in text.labels]
    codes = np.asarray(np.array([*kinds, -1], dtype=np.int64)[text.codes])
    if (codes == -2).any():
        wrong = text.labels[int(text.codes[int(np.flatnonzero(codes == -2)[0])])]
        raise BadValue(
            "`kind` must be mft (an answer is expected), inv (the answer must stay) or dir (the score must move), "
            f"but a row has {quoted(wrong)}. Correct it."
        )
    return codes


def flags_of_rows(text: Text, role: str) -> Flags:
    """Where a column says yes."""
    yes = []
    for label in text.labels:
        word = label.strip().casefold().removesuffix(".0")
        if word not in YES and word not in NO:
            raise BadValue(f"`{role}` must say yes or no, as 1 and 0, but a row has {quoted(label)}. Correct it.")
        yes.append(word in YES)
    return np.asarray(np.array([*yes, False], dtype=np.bool_)[text.codes])


def directions_of(text: Text | None, rows: Flags) -> NDArray[np.int64]:
    """Whether scores of these rows must go up (1) or down (-1); 0 where that is not said, and of other rows."""
    if text is None:
        return np.zeros(len(rows), dtype=np.int64)
    words = {UP: 1, DOWN: -1}
    codes = np.array([*(words.get(label.strip().casefold(), 2) for label in text.labels), 0], dtype=np.int64)
    signs = np.where(rows, codes[text.codes], 0)
    if (signs == 2).any():
        wrong = text.labels[int(text.codes[int(np.flatnonzero(signs == 2)[0])])]
        raise BadValue(
            f"`expect` must be up or down, the way the score may go, where `kind` is {DIR}, but a row has "
            f"{quoted(wrong)}. Correct it."
        )
    return signs


def originals_of(group: Text, original: Flags) -> Codes:
    """The row that each row's original is, -1 where its group has none; two originals of a group are refused."""
    codes = group.codes
    usable = original & (codes >= 0)
    first = np.full(len(group.labels) + 1, -1, dtype=np.int64)
    places = np.flatnonzero(usable)
    if len(np.unique(codes[places])) < len(places):
        seen, counts = np.unique(codes[places], return_counts=True)
        twice = group.labels[int(seen[counts > 1][0])]
        raise BadValue(
            f"`group` must have one original each, but {quoted(twice)} has {counts.max()}. Mark one in `original`."
        )
    first[codes[places]] = places
    first[-1] = -1
    return np.where(codes >= 0, first[codes], -1)


@dataclass(frozen=True)
class SystemAnswers:
    """What one system said: labels that meet labels, scores, or both."""

    label: Codes | None  # -1 where missing
    score: NDArray[np.float64] | None


def meeting_codes(columns: Sequence[Text], meeting: str) -> list[Codes]:
    """Several columns in codes that are equal where labels meet, -1 where missing."""
    places: dict[str, int] = {}
    codes = []
    for text in columns:
        own = [places.setdefault(called(label, meeting), len(places)) for label in text.labels]
        codes.append(np.array([*own, -1], dtype=np.int64)[text.codes])
    return codes


def failed_rows(
    said: SystemAnswers, kinds: Codes, expect: Codes, original: Codes, tolerance: float
) -> tuple[Flags, Flags]:
    """Which rows a system fails, and of which that cannot be said because it, or its original, says nothing there.

    `expect` holds the code of the label that is expected, or 1 and -1 for a score that must go up or down. What falls
    short by the tolerance is met, to the last bits of a difference of numbers.
    """
    rows = len(kinds)
    failed, unknown = np.zeros(rows, dtype=np.bool_), np.zeros(rows, dtype=np.bool_)
    here, before = np.arange(rows), np.maximum(original, 0)
    mft, inv, way = (kinds == place for place in range(3))
    if said.label is not None:
        failed = np.where(mft, said.label != expect, failed)
        failed = np.where(inv, said.label[here] != said.label[before], failed)
        unknown = (mft & (said.label < 0)) | (inv & ((said.label < 0) | (said.label[before] < 0)))
    if said.score is not None:
        moved = said.score - said.score[before]
        most = tolerance + 1e-9 * max(tolerance, 1.0)
        if said.label is None:
            failed = np.where(inv, ~(np.abs(moved) <= most), failed)
            unknown = inv & ~np.isfinite(moved)
        failed = np.where(way, ~(moved * expect >= -most), failed)
        unknown |= way & ~np.isfinite(moved)
    return failed & ~unknown, unknown
