"""Every pair with what the reference and each annotator chose."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from adjudge.data.formats.written_votes import Votes
from adjudge.data.judgements.pair_votes import PairVotes
from adjudge.data.judgements.votes import KINDS, MISSING, B
from adjudge.evaluation.request import Request
from adjudge.evaluation.take_away.row_items import blocks_with_rows, named_rows
from adjudge.evaluation.take_away.tables import Column, Part
from adjudge.tasks.preference.reading import PAIRS, VoteReading


def preference_items(request: Request) -> Iterator[Part]:
    """Each pair and annotator: the vote beside that of the reference, and whether both chose, and chose the same."""
    reading = request.reading_as(VoteReading)
    for first_row, batch, block in blocks_with_rows(request):
        pairs: PairVotes = block.views[PAIRS]
        votes = dict(zip(pairs.names, pairs.votes.T, strict=True))
        for column in reading.columns:
            for name in (one for one in pairs.names if one not in reading.columns):
                both = (votes[column] <= B) & (votes[name] <= B)
                columns: dict[str, Column] = dict(named_rows(request, batch, block, first_row))
                columns |= {
                    "annotator": [name] * block.rows,
                    "against": [column] * block.rows,
                    "reference": _words(votes[column]),
                    "vote": _words(votes[name]),
                    "agrees": np.where(both, votes[column] == votes[name], np.nan),
                }
                yield columns


def _words(codes: Votes) -> list[str | None]:
    return [None if code == MISSING else KINDS[code] for code in codes.tolist()]
