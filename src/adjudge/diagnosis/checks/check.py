"""The data check: what looks like a mistake in the table, said before the numbers.

A check is a fact about the sums, with a key by which it is silenced and a severity: a *stop* is refused, what is
*serious* stands above everything, a *remark* and a *note* stand with how it was computed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from adjudge.errors import BadValue

STOP, SERIOUS, REMARK, NOTE = SEVERITIES = ("stop", "serious", "remark", "note")
# Every check there is, by its key: what it looks for. `docs/checks.md` says more.
KEYS = {
    "C1": "no label in common",
    "C2": "labels that differ only in case, blanks, dashes or number format",
    "C3": "answers that are the wrong way round",
    "C4": "answers that equal the reference everywhere, or raters who always agree",
    "C5": "rows that occur more than once",
    "C6": "items that a rater rated twice",
    "C7": "many rows left out, or more in one slice than in others",
    "C8": "one answer everywhere",
    "C9": "labels that only the reference has, or only the predictions",
    "C10": "labels, levels of slices or score points with few rows",
    "C11": "one label nearly everywhere",
    "C12": "percentages instead of probabilities, and numbers in another unit",
    "C13": "scores far from how often the label occurs",
    "C14": "names, numbers or texts where labels must be",
    "C15": "errors that are alike within one person, page or other column",
    "C16": "errors that come in stretches",
    "C17": "raters who give the same labels",
    "C18": "a rater who gives one label nearly always",
    "C19": "scores beyond the scale",
    "C20": "numbers in another format, and weights that leave few rows",
    "C21": "a label without its score column",
    "C22": "words for a missing value among labels, and codes for one among numbers",
    "C23": "counts where ratings must be",
    "C24": "systems with the same answers",
    "C25": "weights that look like ids",
    "C26": "items that a rater may have read and left unmarked",
    "C27": "cells separated otherwise than the name of the file says, and files of other tools",
    "C28": "what a file of another tool does not say",
    "C29": "rows of a gold standard without an answer, and answers without a row",
    "C30": "the same rows in two parts of the data, and rows to train on",
    "C31": "labelled or treated rows that do not look like a random sample",
    "C32": "column names among the values, and a row of totals",
    "C33": "a column with two roles that do not go together, ids as slices, clusters of one",
    "C34": "columns in the wrong place: two swapped, interval ends that cannot be, row numbers",
    "C35": "pairs of the same text",
    "C36": "answers that are unrelated to the reference",
    "C37": "answers that belong to another row: moved by one, or sorted on their own",
    "C38": "a rater, or a system, that was computed from the raters' columns",
    "C39": "labels that were renamed on one side",
    "C40": "a level that is the chance to err, and metrics that do not follow a setting",
    "C41": "rows that are counts of others",
    "C42": "results, or cubes, that do not go together",
}


@dataclass(frozen=True, slots=True)
class Check:
    """One finding about the table.

    >>> Check("C8", SERIOUS, '"new" answers "ok" in all 600 rows. Is it the right column?').severity
    'serious'
    """

    key: str
    severity: str
    sentence: str


def refuse_stops(checks: Iterable[Check], ok: Iterable[str]) -> None:
    """Refuse a table that a check stops, unless the check is silenced."""
    for check in checks:
        if check.severity == STOP and check.key not in ok:
            raise BadValue(f'{check.sentence} If the data is right as it is, give ok="{check.key}".')


def checks_in_order(checks: Iterable[Check], ok: Iterable[str]) -> list[Check]:
    """What is not silenced, each once, the gravest first; a stop that was let pass is not said again."""
    kept = dict.fromkeys(check for check in checks if check.key not in ok)
    return sorted(kept, key=lambda check: (SEVERITIES.index(check.severity), int(check.key[1:])))


def serious_sentences(checks: Iterable[Check]) -> tuple[str, ...]:
    """What looks like a mistake in the table and is to be looked at before any verdict.

    >>> serious_sentences([Check("C1", SERIOUS, "No label in common."), Check("C9", REMARK, "Never predicted.")])
    ('No label in common. (C1)',)
    """
    return tuple(f"{check.sentence} ({check.key})" for check in checks if check.severity == SERIOUS)
