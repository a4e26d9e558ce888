"""Votes for the first or the second of two answers, and the ways of not choosing, kept apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data.decode import text_of
from adjudge.data.source import Text
from adjudge.errors import BadValue, SettingError, listed

# What an annotator can say of a pair. Only the first two choose; the last was not asked, or left no trace.
KINDS = ("a", "b", "tie", "both", "neither", "not applicable", "invalid", "missing")
A, B, TIE, BOTH, NEITHER, NOT_APPLICABLE, INVALID, MISSING = range(len(KINDS))
# How votes are written, in any case; anything else is invalid, and counted.
WORDS = {
    **dict.fromkeys(("a", "text_a", "model_a", "response_a", "response a", "answer_a", "answer a", "[[a]]"), A),
    **dict.fromkeys(("b", "text_b", "model_b", "response_b", "response b", "answer_b", "answer b", "[[b]]"), B),
    **dict.fromkeys(("tie", "draw", "equal", "same", "[[c]]"), TIE),
    **dict.fromkeys(("both", "both good", "bothgood", "tie (bothgood)"), BOTH),
    **dict.fromkeys(("neither", "bothbad", "both bad", "both_bad", "tie (bothbad)"), NEITHER),
    **dict.fromkeys(
        ("not applicable", "not_applicable", "n/a", "irrelevant", "none", "non_preference_annotation"), NOT_APPLICABLE
    ),
    **dict.fromkeys(("", "missing", "nan", "null"), MISSING),
    "invalid": INVALID,
    # MultiPref's five grades: how clearly is not counted.
    **{f"a-is-{how}-better": A for how in ("clearly", "slightly")},
    **{f"b-is-{how}-better": B for how in ("clearly", "slightly")},
}
Codes = NDArray[np.int64]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class VotePairs:
    """What two annotators said of the same pairs, in codes of `KINDS`; `prompts` says which belong together."""

    reference: Codes
    votes: Codes
    prompts: Codes | None = None

    def __len__(self) -> int:
        return len(self.reference)

    def of_rows(self, rows: Rows) -> VotePairs:
        """Some of the pairs."""
        prompts = None if self.prompts is None else self.prompts[rows]
        return VotePairs(self.reference[rows], self.votes[rows], prompts)


def vote_in(word: str) -> int:
    """What a word says.

    >>> [KINDS[vote_in(word)] for word in ("A", "model_b", "tie (bothbad)", "left")]
    ['a', 'b', 'neither', 'invalid']
    """
    return WORDS.get(word.strip().lower(), INVALID)


def is_no_vote(word: str) -> bool:
    """Whether a word says nothing that is known, not even that a vote is invalid.

    >>> is_no_vote("left"), is_no_vote("Invalid"), is_no_vote("tie")
    (True, False, False)
    """
    return vote_in(word) == INVALID and word.strip().lower() != KINDS[INVALID]


def votes_in(text: Text) -> Codes:
    """A column of words as votes; an empty cell is a missing vote."""
    return np.asarray(np.array([*map(vote_in, text.labels), MISSING], dtype=np.int64)[text.codes])


def votes_of(reference: object, votes: object) -> VotePairs:
    """Two lists of votes for the same pairs.

    >>> votes_of(["a", "b", None], ["a", "tie", "b"]).votes.tolist()
    [0, 2, 1]
    """
    if votes is None:
        raise SettingError("This metric needs two lists of votes: those of the reference, and of an annotator.")
    first, second = (
        _said(text_of(values, role), role) for values, role in ((reference, "reference"), (votes, "votes"))
    )
    if len(first) != len(second):
        raise BadValue(f"`votes` must be as long as `reference` ({len(first)} pairs), but there are {len(second)}.")
    return VotePairs(first, second)


def _said(text: Text, role: str) -> Codes:
    """A list of votes; refused where no word of it is one, for then nothing would count."""
    if text.labels and all(map(is_no_vote, text.labels)):
        words = listed(text.labels, 4)
        raise BadValue(f"`{role}` must hold votes, {', '.join(KINDS[:7])}, but says {words}. Write a and b, or tie.")
    return votes_in(text)
