"""AnnotatedPairs files, versions 1.0 and 2.0: pairs of answers with the votes of many annotators, in JSON.

What is malformed is refused with the line it stands on.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.foreign import refusing
from adjudge.data.formats.archives import MOST_BYTES, MOST_TIMES
from adjudge.data.formats.written_votes import Votes, WrittenVotes, votes_type
from adjudge.data.judgements.votes import MISSING
from adjudge.errors import InputError, quoted

if TYPE_CHECKING:
    import msgspec

Pair = Any  # of `_comparison_type`, which is made at run time
OPENING = "Select the response that"
NO_TEXT = (None, "", "nan")
ABSENT = 0  # an answer without the key; it is not empty, and its length is not known
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Annotator:
    """Who voted: the name in the file, what the rows of a table call it, and what it is."""

    id: str
    label: str
    group: str  # trait, person, reference, or as the file says


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of answers, column by column; votes are codes, by the visible name of who voted."""

    columns: Mapping[str, list[object]]
    votes: Mapping[str, Votes]
    annotators: Mapping[str, Annotator]  # by visible name
    reference: str | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    digest: str = ""  # of the file they were read from
    doubts: tuple[str, ...] = ()  # what looks like a mistake in it
    several: Mapping[str, str] = field(default_factory=dict)  # what a column has both of in the votes of one pair

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()))) if self.columns else 0


def read_annotated_pairs(path: Path) -> Pairs:
    """The pairs of a file."""
    with refusing(path.name):
        data = _unpacked(path) if path.name.casefold().endswith(".gz") else path.read_bytes()
    return replace(annotated_pairs(data, path.name), digest=sha256(data).hexdigest())


def _unpacked(path: Path) -> bytes:
    """What a packed file holds, which must be no hole without an end."""
    with gzip.open(path) as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES and len(data) > MOST_TIMES * path.stat().st_size:
        raise InputError(
            f"A packed file must not become more than {MOST_TIMES} times as long, but {quoted(path.name)} does. "
            "Is it the right file?"
        )
    return data if len(data) <= MOST_BYTES else gzip.decompress(path.read_bytes())


def annotated_pairs(data: bytes | Mapping[str, object], name: str) -> Pairs:
    """The pairs of the bytes of a file, or of what it holds.

    >>> pair = {"id": "1", "text_a": "yes", "text_b": "no", "annotations": {"x": {"pref": "text_a"}}}
    >>> file = {"annotators": {"x": {"description": "Select the response that is shorter.", "type": "principle"}}}
    >>> list(annotated_pairs(file | {"comparisons": [pair]}, "a dictionary").votes)
    ['AI: is shorter']
    """
    import msgspec

    data = json.dumps(data).encode() if isinstance(data, Mapping) else data.removeprefix(BYTE_ORDER_MARK)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(10) + 1
        raise InputError(f"{quoted(name)} must be UTF-8 text, but line {line:,} is not. Save it as UTF-8.") from None
    try:
        file = msgspec.json.decode(data, type=_file_type(_comparison_type()))
    except msgspec.DecodeError:
        raise _what_is_wrong(data, name) from None
    except RecursionError:
        raise _too_deep(name) from None
    if not file.annotators:
        raise InputError(f"`annotators` must name who voted, but {quoted(name)} names nobody. Add each with a `type`.")
    version, pairs = str(file.metadata.get("version") or ""), file.comparisons
    two = version.split(".", maxsplit=1)[0] == "2" or (not version and bool(pairs) and pairs[0].response_a is not None)
    columns, kept, notes = _columns(data, name, pairs, two)
    written = WrittenVotes(list(file.annotators), letters=two)
    try:
        matrix = written.matrix([pair.annotations for pair in pairs])[kept]
    except (msgspec.DecodeError, TypeError):
        raise _wrong_pair(data, name, lambda pair: written.cells(pair.annotations)) from None
    known = dict(_visible(file.annotators, file.metadata.get("default_annotator")))
    votes = {visible: np.ascontiguousarray(matrix[:, written.place[one.id]]) for visible, one in known.items()}
    metadata = [pairs[row].metadata or {} for row in kept]
    for key in dict.fromkeys(key for one in metadata for key in one):
        if key not in columns and key not in votes:
            columns[key] = [_plain(one.get(key)) for one in metadata]
    reference = next((visible for visible, one in known.items() if one.group == "reference"), None)
    return Pairs(columns, votes, known, reference, notes)


def _file_type(comparison: Any) -> object:  # Any: a type made at run time
    import msgspec

    named = dict[str, dict[str, object]]
    return msgspec.defstruct(
        "file",
        [
            ("comparisons", list[comparison]),
            ("annotators", named, msgspec.field(default_factory=dict)),
            ("metadata", dict[str, object], msgspec.field(default_factory=dict)),
        ],
    )


def _comparison_type(*, decoded: bool = False) -> object:
    """A pair; its votes stay as they are written unless they are to be decoded, too."""
    import msgspec

    answer = msgspec.defstruct("answer", [("text", object, ABSENT), ("model", str | None, None)], gc=False) | None
    return msgspec.defstruct(
        "comparison",
        [
            ("annotations", votes_type(), msgspec.field(default_factory=dict))
            if decoded
            else ("annotations", msgspec.Raw, msgspec.Raw(b"{}")),
            ("id", object, None),
            ("prompt", str | None, None),
            ("response_a", answer, None),
            ("response_b", answer, None),
            ("text_a", object, None),
            ("text_b", object, None),
            ("metadata", dict[str, object] | None, None),
        ],
        gc=False,
    )


def _too_deep(name: str) -> InputError:
    return InputError(f"{quoted(name)} must be annotated pairs, but is nested too deeply. Is it another kind of file?")


def _what_is_wrong(data: bytes, name: str) -> InputError:
    """Why a file cannot be read, looked for part by part and pair by pair."""
    import msgspec

    try:
        parts = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except msgspec.DecodeError as error:
        place = str(error).rsplit("byte ", 1)[-1].rstrip(")")
        line = f" (line {data[: int(place)].count(10) + 1})" if place.isdigit() else ""
        return InputError(f"{quoted(name)} must hold one JSON object, but does not{line}: {error}.")
    except RecursionError:
        return _too_deep(name)
    if "comparisons" not in parts:
        return InputError(
            f"A JSON file must be of annotated pairs, with `comparisons` and `annotators`, but {quoted(name)} has "
            f"{', '.join(map(quoted, list(parts)[:5])) or 'nothing'}. Save other tables as .csv, .jsonl or .parquet."
        )
    named = dict[str, object]
    kinds: dict[str, type] = {"comparisons": list[msgspec.Raw], "annotators": dict[str, named], "metadata": named}
    for key, part in parts.items():
        try:
            msgspec.json.decode(part, type=kinds.get(key, object))
        except msgspec.DecodeError as error:
            return InputError(f"`{key}` of {quoted(name)}, on line {_line_of(data, part)}, cannot be read: {error}.")
    return _wrong_pair(data, name, lambda pair: None)


def _wrong_pair(data: bytes, name: str, check: Callable[[Pair], object]) -> InputError:
    """The first pair that cannot be decoded, or does not pass a check, with the line on which it begins."""
    import msgspec

    decoder = msgspec.json.Decoder(_comparison_type(decoded=True))
    for place, part in enumerate(msgspec.json.decode(data, type=_file_type(msgspec.Raw)).comparisons):
        try:
            check(decoder.decode(part))
        except (msgspec.DecodeError, _Malformed, TypeError) as error:
            return InputError(
                f"Each of `comparisons` must be a pair of answers with votes, but number {place + 1} of {quoted(name)} "
                f"(on line {_line_of(data, part)}) is not: {str(error).rstrip('.')}. Correct it there."
            )
    return InputError(f"{quoted(name)} must hold pairs of answers with votes, but cannot be read as such.")


def _line_of(data: bytes, part: msgspec.Raw) -> int:
    """The line on which a part of the bytes begins."""
    start = np.frombuffer(part, np.uint8).ctypes.data - np.frombuffer(data, np.uint8).ctypes.data
    inside = 0 <= start < len(data)
    return data[: start if inside else max(data.find(bytes(part)), 0)].count(10) + 1


class _Malformed(ValueError):
    """A pair that says something impossible."""


def _columns(
    data: bytes, name: str, pairs: list[Pair], two: bool
) -> tuple[dict[str, list[object]], list[int], dict[str, str]]:
    """The columns of the pairs that are kept, which pairs these are, and what is said of the others."""
    if two and not all(pair.response_a is not None and pair.response_b is not None for pair in pairs):
        raise _wrong_pair(data, name, _whole)
    ids: list[object] = [None if pair.id is None else str(pair.id) for pair in pairs]
    columns: dict[str, list[object]] = {"id": ids, "prompt": [pair.prompt for pair in pairs]}
    for side in "ab":
        answers = [getattr(pair, f"response_{side}") for pair in pairs] if two else []
        texts = [answer.text for answer in answers] if two else [getattr(pair, f"text_{side}") for pair in pairs]
        columns[f"text_{side}"] = [text if type(text) is str else _text(text) for text in texts]
        columns[f"model_{side}"] = (
            [answer.model for answer in answers]
            if two
            else [_plain((pair.metadata or {}).get(f"model_{side}")) for pair in pairs]
        )
    kept, notes = _kept(columns, name)
    if len(kept) < len(pairs):
        columns = {key: [values[row] for row in kept] for key, values in columns.items()}
    empty = [key for key, values in columns.items() if key != "id" and all(one is None for one in values)]
    return {key: values for key, values in columns.items() if key not in empty}, kept, notes


def _whole(pair: object) -> None:
    for side in "ab":
        if getattr(pair, f"response_{side}") is None:
            raise _Malformed(f"`response_{side}` is missing")


def _kept(columns: Mapping[str, list[object]], name: str) -> tuple[list[int], dict[str, str]]:
    """The pairs that are not there already and have both texts."""
    kept: list[int] = []
    met: set[str] = set()
    twice = without_text = 0
    for row, (one, *texts) in enumerate(zip(*(columns[key] for key in ("id", "text_a", "text_b")), strict=True)):
        if one in met:
            twice += 1
            continue
        if one is not None:
            met.add(one)
        if texts[0] in NO_TEXT or texts[1] in NO_TEXT:
            without_text += 1
        else:
            kept.append(row)
    counts = {"pairs named twice, of which the first stays": twice, "pairs without a text, left out": without_text}
    return kept, {f"{what} ({name})": f"{count:,}" for what, count in counts.items() if count}


def _text(value: object) -> object:
    """The text of an answer; turns of a conversation are put one below another. An answer without one is not empty."""
    if value is ABSENT:
        return " "
    if isinstance(value, list):
        return "\n".join(str(turn.get("content", turn) if isinstance(turn, dict) else turn) for turn in value)
    return value if value is None or isinstance(value, str) else str(value)


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, (str, int, float, bool)) else json.dumps(value)


def _visible(annotators: Mapping[str, Mapping[str, object]], default: object) -> Iterator[tuple[str, Annotator]]:
    """Each annotator by the name that people see; where two have one name, the second is told by its id."""
    taken: set[str] = set()
    for name, about in annotators.items():
        kind, description = str(about.get("type") or "unknown"), str(about.get("description") or "")
        called = str(about.get("name") or description or name)
        if name == default:
            visible, one = f"Default: {called}", Annotator(name, name, "reference")
        elif kind == "principle":
            label = description.replace(OPENING, "").strip(" .") or called
            visible, one = f"AI: {label}", Annotator(name, label, "trait")
        else:
            visible, one = f"{kind}: {called}", Annotator(name, name, "person" if kind == "human" else kind)
        visible = f"{visible} ({name})" if visible in taken else visible
        taken.add(visible)
        yield visible, one


def merged(parts: list[tuple[str, Pairs]]) -> Pairs:
    """Several files of pairs, by the names of pairs: what the first says stands, what others add is added.

    `dataset` says in which file a pair stood first.
    """
    (first_name, whole), *others = parts
    whole = replace(whole, columns={**whole.columns, "dataset": [first_name] * len(whole)})
    conflicts = 0
    for name, other in others:
        whole, count = _two_merged(whole, other, name)
        conflicts += count
    notes = {**whole.notes, "Votes that two files give differently, of which the first stands": f"{conflicts:,}"}
    return replace(whole, notes=notes, digest="")


def _two_merged(first: Pairs, second: Pairs, name: str) -> tuple[Pairs, int]:
    place = {one: row for row, one in enumerate(first.columns["id"]) if one is not None}
    rows = np.array([place.get(one, -1) if one is not None else -1 for one in second.columns["id"]], dtype=np.int64)
    known, new = np.flatnonzero(rows >= 0), np.flatnonzero(rows < 0)
    for column in ("prompt", "text_a", "text_b"):
        mine, theirs = first.columns.get(column), second.columns.get(column)
        if not mine or not theirs:
            continue
        for row in known:
            if mine[rows[row]] != theirs[row]:
                raise InputError(
                    f"A pair must be the same in all files, but `{column}` of {quoted(second.columns['id'][row])} "
                    f"differs in {quoted(name)}. Rename one of the two."
                )
    conflicts, votes, size = 0, {}, len(first) + len(new)
    for annotator in dict.fromkeys([*first.votes, *second.votes]):
        column_votes = np.full(size, MISSING, dtype=np.int8)
        if annotator in first.votes:
            column_votes[: len(first)] = first.votes[annotator]
        if annotator in second.votes:
            theirs_votes = second.votes[annotator]
            mine_votes = column_votes[rows[known]]
            conflicts += int(
                ((mine_votes != MISSING) & (theirs_votes[known] != MISSING) & (mine_votes != theirs_votes[known])).sum()
            )
            column_votes[rows[known]] = np.where(mine_votes == MISSING, theirs_votes[known], mine_votes)
            column_votes[len(first) :] = theirs_votes[new]
        votes[annotator] = column_votes
    columns = {}
    for column in dict.fromkeys([*first.columns, *second.columns]):
        values = [*first.columns.get(column, [None] * len(first)), *([None] * len(new))]
        theirs = second.columns.get(column, [name] * len(second) if column == "dataset" else [None] * len(second))
        for row in known:
            values[rows[row]] = theirs[row] if values[rows[row]] is None else values[rows[row]]
        values[len(first) :] = [theirs[row] for row in new]
        columns[column] = values
    annotators = {**second.annotators, **first.annotators}
    return replace(
        first, columns=columns, votes=votes, annotators=annotators, notes={**second.notes, **first.notes}
    ), conflicts
