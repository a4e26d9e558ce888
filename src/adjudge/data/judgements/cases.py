"""Cases of a test suite, each met or failed by every system: what a row of the suite becomes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.arrays import checked_arrays
from adjudge.data.judgements.labels import labels_of
from adjudge.data.keys import Keys, keys_of_labels
from adjudge.data.label_values import meet
from adjudge.errors import BadValue, SettingError

MFT, INV, DIR = "mft", "inv", "dir"
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CaseText:
    """What a case is, in words: for lists of cases to read."""

    name: str
    phenomenon: str
    kind: str
    expect: str
    answers: tuple[str, ...]  # of each system


@dataclass(frozen=True, slots=True)
class Cases:
    """One row for each case, one column for each system. Cases with the same key stand or fall together."""

    failed: NDArray[np.bool_]  # (cases, systems)
    answers: NDArray[np.int64]  # (cases, systems), equal where the same was said
    keys: Keys | None = None  # of templates or originals; None: every case stands for itself
    texts: NDArray[np.object_] = field(default_factory=lambda: np.zeros(0, dtype=object))  # of `CaseText`

    def __len__(self) -> int:
        return len(self.failed)

    def of_rows(self, rows: Rows) -> Cases:
        """Some of the cases."""
        return replace(
            self,
            failed=self.failed[rows],
            answers=self.answers[rows],
            keys=None if self.keys is None else self.keys[rows],
            texts=self.texts[rows] if len(self.texts) else self.texts,
        )


def cases_of(expect: object, prediction: object, template: object = None) -> Cases:
    """Cases from arrays: what is expected, what was said, and the template of each where several are of one.

    >>> cases_of(["yes", "no"], ["yes", "yes"], None).failed[:, 0].tolist()
    [False, True]
    """
    expect, prediction = checked_arrays(expect, prediction)
    if prediction is None:
        raise SettingError("This metric needs two arrays: what is expected, and what was said.")
    (expected, said), _ = meet([labels_of(expect, "expect"), labels_of(prediction, "prediction")])
    if len(expected) != len(said):
        raise BadValue(f"`expect` and `prediction` must be of one length, but have {len(expected)} and {len(said)}.")
    texts = [np.array(one.categories, dtype=object)[one.codes] for one in (expected, said)]
    keys = None
    if template is not None:
        of_cases = labels_of(template, "template")
        if len(of_cases) != len(expected):
            raise BadValue(f"`template` must have one for each of {len(expected)} cases, but has {len(of_cases)}.")
        keys = keys_of_labels(of_cases.categories)[of_cases.codes]
    failed = np.asarray(texts[0] != texts[1], dtype=np.bool_)
    return Cases(failed[:, None], said.codes.astype(np.int64)[:, None], keys)
