"""Votes of a JSON file, each way of writing one parsed once: a file has millions of votes, and few ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.votes import BOTH, INVALID, KINDS, MISSING, NEITHER, NOT_APPLICABLE, TIE, A, B

Votes = NDArray[np.int8]
# What the format writes, exactly: a letter of another case is no vote of it.
WORDS = {"text_a": A, "text_b": B, "tie": TIE, "both": BOTH, "neither": NEITHER, "invalid": INVALID}
WORDS |= dict.fromkeys(("irrelevant", "not_applicable", "non_preference_annotation"), NOT_APPLICABLE)
LETTERS = {"a": A, "b": B}
BLANKS = b" \t\r\n"
PAIRS, MOST_WAYS = 256, 50_000


class _Unusual(Exception):
    """Votes that cannot be told apart by their closing braces."""


def _parts(annotations: bytes) -> list[bytes]:
    """One part for each vote, and what follows the last one."""
    if annotations[:1] != b"{":
        raise _Unusual
    return annotations[1:-1].split(b"}")


def votes_type() -> object:
    """The votes for a pair, by who voted."""
    import msgspec

    # Any: a type made here, which no checker can read.
    vote: Any = msgspec.defstruct("vote", [("pref", object, None), ("no_pref_reason", object, None)], gc=False)
    return dict[str, vote]


class WrittenVotes(dict[bytes, int]):
    """What a vote says, by how it is written with its annotator: the place of that annotator and the code, in one.

    >>> written = WrittenVotes(["x"], letters=True)
    >>> written.matrix([b'{"x": {"pref": "b"}, "y": {"pref": "a"}}', b'{"x": {"pref": null}}', b"{}"]).tolist()
    [[1], [5], [7]]
    """

    def __init__(self, annotators: Sequence[str], *, letters: bool) -> None:
        super().__init__()
        import msgspec

        self.decode = msgspec.json.Decoder(votes_type()).decode
        self.place = {annotator: place for place, annotator in enumerate(annotators)}
        self.words = {**WORDS, **(LETTERS if letters else {})}
        self.nobody = len(annotators)  # the place of votes by somebody who is not among the annotators

    def matrix(self, pairs: Sequence[object]) -> Votes:
        """The votes of each pair's annotations, JSON in bytes: (pairs, annotators)."""
        blocks = [self._block(pairs[start : start + PAIRS]) for start in range(0, len(pairs), PAIRS)]
        return np.concatenate(blocks)[:, :-1] if blocks else np.zeros((0, self.nobody), dtype=np.int8)

    def _block(self, pairs: Sequence[Any]) -> Votes:  # of bytes, or of what msgspec left as it is
        if len(self) > MOST_WAYS:
            self.clear()
        try:
            parts = [_parts(bytes(pair)) for pair in pairs]
            cells = list(map(self.__getitem__, chain.from_iterable(parts)))
            counts = list(map(len, parts))
        except _Unusual:
            records = [self.cells(self.decode(pair)) for pair in pairs]
            cells, counts = list(chain.from_iterable(records)), list(map(len, records))
        places, codes = np.divmod(np.array(cells, dtype=np.int64), len(KINDS))
        votes = np.full((len(pairs), self.nobody + 1), MISSING, dtype=np.int8)
        votes[np.repeat(np.arange(len(pairs)), counts), places] = codes
        return votes

    def __missing__(self, part: bytes) -> int:
        """A part that is met for the first time; what follows the last vote says nothing."""
        import msgspec

        if not part.strip(BLANKS):
            return self.nobody * len(KINDS) + MISSING
        try:
            [cell] = self.cells(self.decode(b"{" + part.lstrip(BLANKS + b",") + b"}}"))
        except (msgspec.DecodeError, ValueError, TypeError):
            raise _Unusual from None
        self[part] = cell
        return cell

    def cells(self, annotations: Mapping[str, object]) -> list[int]:
        """The place and the code of each vote for a pair."""
        return [
            self.place.get(annotator, self.nobody) * len(KINDS) + self._code(vote)
            for annotator, vote in annotations.items()
        ]

    def _code(self, vote: Any) -> int:  # of `votes_type`
        """The choice, or why there is none; where nothing is said, because the question does not apply."""
        if vote.pref is not None:
            return self.words.get(vote.pref, INVALID)
        return NOT_APPLICABLE if vote.no_pref_reason is None else WORDS.get(vote.no_pref_reason, INVALID)
