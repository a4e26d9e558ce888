"""What pairs are counted by: every vote, and who wrote the answers; prompts are kept in bags, texts are not kept."""

from __future__ import annotations

from dataclasses import replace

from adjudge.errors import SettingError
from adjudge.evaluation.cubes.keys import CellKeys, row_keys
from adjudge.evaluation.request import Request
from adjudge.tasks.preference.reading import LONGER
from adjudge.tasks.preference.study import RATINGS

ELO = RATINGS[1]
# Files of the same pairs are one table already; texts would tell pairs apart, and their lengths with them.
NOT_COUNTED = ("merge", "split", "text_a", "text_b", "examples", "prompt")


def vote_keys(request: Request) -> CellKeys:
    """A column `vote:<annotator>` for everybody who votes, the reference first."""
    if request.given.get("rating") == ELO:
        raise SettingError(
            "A cube of votes must be of what does not depend on the order of pairs, which cells do not keep, but "
            f"`rating` is {ELO}. Leave it out, or evaluate the table."
        )
    if LONGER in (request.given.get("annotators") or ()):
        raise SettingError(
            "A cube of votes must be of columns of votes, but nobody votes besides the reference: only the lengths of "
            "texts are measured, which a cube does not keep. Evaluate the table, or give `annotators`."
        )
    votes = {"reference": "vote", "annotators": "vote"}
    keys = row_keys(request, called=votes, without=NOT_COUNTED)
    prompt = {} if keys.unit is None else {"prompt": keys.unit}
    return replace(keys, given={name: value for name, value in keys.given.items() if value or value == 0} | prompt)
