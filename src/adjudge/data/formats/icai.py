"""Result folders of ICAI: pairs, principles, and for each pair which principles are for the preferred answer."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from adjudge.data.formats.annotated_pairs import Annotator, Pairs
from adjudge.data.formats.records import table_rows, whole_object
from adjudge.data.formats.written_votes import Votes
from adjudge.data.judgements.votes import INVALID, MISSING, NOT_APPLICABLE, A, B, vote_in
from adjudge.errors import InputError, quoted

TRAIN, PRINCIPLES, VOTES = (
    "000_train_data.csv",
    "030_distilled_principles_per_cluster.json",
    "040_votes_per_comparison.csv",
)
PREFERRED = "preferred_text"
REFERENCE = f"Default: {PREFERRED}"


def results_folder(folder: Path) -> Path | None:
    """Where the results are, if it is a folder of them."""
    return next((one for one in (folder, folder / "results") if (one / VOTES).is_file()), None)


def read_icai(folder: Path) -> Pairs:
    """Votes of principles, which are for or against the preferred answer."""
    for name in (TRAIN, PRINCIPLES):
        if not (folder / name).is_file():
            raise InputError(f"A result folder of ICAI must hold {quoted(name)}, but {quoted(folder.name)} does not.")
    rows = list(table_rows(folder / TRAIN))
    if not rows or PREFERRED not in rows[0]:
        raise InputError(f"{quoted(TRAIN)} must have rows and a column `{PREFERRED}`, but it does not.")
    index = next((name for name in ("index", "") if name in rows[0]), None)
    place = _places([str(number) if index is None else row[index] or "" for number, row in enumerate(rows)])
    reference = np.array([vote_in(row[PREFERRED] or "") for row in rows], dtype=np.int8)
    known = _principles(whole_object(folder / PRINCIPLES))
    others = [name for name in rows[0] if name and name not in ("index", PREFERRED)]
    columns: dict[str, list[object]] = {name: [row[name] for row in rows] for name in others}
    annotators = {REFERENCE: Annotator(PREFERRED, PREFERRED, "reference"), **known}
    votes = {REFERENCE: reference, **_votes(folder, known, place, reference)}
    return Pairs({"id": list(place), **columns}, votes, annotators, REFERENCE)


def _places(ids: list[str]) -> dict[str, int]:
    """The row of each pair."""
    place = {one: row for row, one in enumerate(ids)}
    if len(place) < len(ids):
        again = next(one for row, one in enumerate(ids) if place[one] != row)
        raise InputError(f"Each pair of {quoted(TRAIN)} must have its own index, but two have {quoted(again)}.")
    return place


def _principles(written: Mapping[str, object]) -> dict[str, Annotator]:
    """Each principle by the name that people see; where two have one name, the second is told by its key."""
    known: dict[str, Annotator] = {}
    for key, text in written.items():
        if not isinstance(text, str):
            raise InputError(f"Each of {quoted(PRINCIPLES)} must be a sentence, but {quoted(key)} is not.")
        label = text.replace("Select the response that", "").strip(" .")
        label = label if f"AI: {label}" not in known else f"{label} ({key})"
        known[f"AI: {label}"] = Annotator(key, label, "trait")
    return known


def _votes(
    folder: Path, known: Mapping[str, Annotator], place: Mapping[str, int], reference: Votes
) -> dict[str, Votes]:
    votes = {name: np.full(len(reference), MISSING, dtype=np.int8) for name in known}
    of_key = {one.id: votes[name] for name, one in known.items()}
    for line, pair, said_of_pair in _vote_lines(folder):
        row = place.get(pair)
        if row is None:
            raise InputError(
                f"Row {line} of {quoted(VOTES)} must be of a pair in {quoted(TRAIN)}, but there is no {quoted(pair)}."
            )
        for key, said in said_of_pair.items():
            if str(key) in of_key:
                of_key[str(key)][row] = _vote(said, int(reference[row]))
    return votes


def _vote_lines(folder: Path) -> Iterator[tuple[int, str, dict[object, object]]]:
    for number, row in enumerate(table_rows(folder / VOTES), 1):
        try:
            yield number, str(row["index"]), dict(ast.literal_eval(row["votes"] or ""))
        except (KeyError, ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            raise InputError(
                f"Row {number} of {quoted(VOTES)} must hold `index` and `votes`, a dictionary, but does not. "
                "Correct it there."
            ) from None


def _vote(said: object, reference: int) -> int:
    """True is a vote for the preferred answer; without a preferred one it says nothing of a or b."""
    if isinstance(said, bool):
        return INVALID if reference not in (A, B) else reference if said else B - reference
    return NOT_APPLICABLE if said is None else vote_in(str(said))
