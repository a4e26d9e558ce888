"""AnnotatedPairs files, versions 1.0 and 2.0: pairs of answers with the votes of many annotators, in JSON.

What is malformed is refused with the line it stands on.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.votes import BOTH, INVALID, MISSING, NEITHER, NOT_APPLICABLE, TIE, A, B
from adjudge.errors import InputError, quoted

Votes = NDArray[np.int8]
OPENING = "Select the response that"
# What the format writes, exactly: a letter of another case is no vote of it.
WORDS = {"text_a": A, "text_b": B, "tie": TIE, "both": BOTH, "neither": NEITHER, "invalid": INVALID}
WORDS |= dict.fromkeys(("irrelevant", "not_applicable", "non_preference_annotation"), NOT_APPLICABLE)
NO_PREFERENCE = -1
NO_TEXT = (None, "", "nan")
ABSENT = 0  # an answer without the key; it is not empty, and its length is not known
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class _Known(dict[Any, int]):
    """A dictionary with an answer for everything else: subscripts of it are the fastest that Python has."""

    def __init__(self, otherwise: int, known: Mapping[Any, int]) -> None:
        super().__init__(known)
        self.otherwise = otherwise

    def __missing__(self, key: Any) -> int:
        return self.otherwise


# Why there is no choice; where nothing is said, because the question does not apply.
REASONS = _Known(INVALID, WORDS | {None: NOT_APPLICABLE})


@dataclass(frozen=True, slots=True)
class Annotator:
    """Who voted: the name in the file, what the rows of a table call it, and what it is."""

    id: str
    label: str
    group: str  # trait, person, reference, or as the file says


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of answers, column by column; votes are codes, by the visible name of who voted."""

    columns: Mapping[str, list[Any]]
    votes: Mapping[str, Votes]
    annotators: Mapping[str, Annotator]  # by visible name
    reference: str | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    digest: str = ""  # of the file they were read from

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()))) if self.columns else 0


def read_annotated_pairs(path: Path) -> Pairs:
    """The pairs of a file."""
    data = gzip.decompress(path.read_bytes()) if path.name.casefold().endswith(".gz") else path.read_bytes()
    return replace(annotated_pairs(data, path.name), digest=sha256(data).hexdigest())


def annotated_pairs(data: bytes | Mapping[str, Any], name: str) -> Pairs:
    """The pairs of the bytes of a file, or of what it holds.

    >>> pair = {"id": "1", "text_a": "yes", "text_b": "no", "annotations": {"x": {"pref": "text_a"}}}
    >>> file = {"annotators": {"x": {"description": "Select the response that is shorter.", "type": "principle"}}}
    >>> list(annotated_pairs(file | {"comparisons": [pair]}, "a dictionary").votes)
    ['AI: is shorter']
    """
    import msgspec

    data = json.dumps(data).encode() if isinstance(data, Mapping) else data.removeprefix(BYTE_ORDER_MARK)
    outer = _outer(data, name)
    raw = outer["comparisons"]
    decoder = msgspec.json.Decoder(_comparison_type())
    version = str(outer["metadata"].get("version") or "")
    two = version.split(".", maxsplit=1)[0] == "2" or (not version and bool(raw) and b'"response_a"' in bytes(raw[0]))
    words = _Known(INVALID, {**WORDS, **({"a": A, "b": B} if two else {}), None: NO_PREFERENCE})
    collecting = _Collecting(name, words, list(outer["annotators"]))
    for place, one in enumerate(raw):
        try:
            collecting.add(decoder.decode(one), two)
        except (msgspec.DecodeError, _Malformed, TypeError) as error:
            raise InputError(
                f"Each of `comparisons` must be a pair of answers with votes, but number {place + 1} of {quoted(name)} "
                f"(on line {_line_of(data, one)}) is not: {str(error).rstrip('.')}. Mend it there."
            ) from None
    return collecting.pairs(outer["annotators"], outer["metadata"].get("default_annotator"))


def _outer(data: bytes, name: str) -> dict[str, Any]:
    """The three parts of a file, the comparisons still undecoded."""
    import msgspec

    kinds: dict[str, Any] = {
        "comparisons": list[msgspec.Raw],
        "annotators": dict[str, dict[str, Any]],
        "metadata": dict[str, Any],
    }
    try:
        whole = msgspec.json.decode(data, type=msgspec.defstruct("file", list(kinds.items())))
        outer = {key: getattr(whole, key) for key in kinds}
    except msgspec.DecodeError:  # again, part by part: what is absent may be, and what is wrong is named
        outer = {"metadata": {}, "annotators": {}}
        for key, part in _parts(data, name).items():
            try:
                outer |= {key: msgspec.json.decode(part, type=kinds[key])} if key in kinds else {}
            except msgspec.DecodeError as error:
                where = _line_of(data, part)
                raise InputError(f"`{key}` of {quoted(name)}, on line {where}, cannot be read: {error}.") from None
    if not outer["annotators"]:
        raise InputError(f"`annotators` must name who voted, but {quoted(name)} names nobody. Add each with a `type`.")
    return outer


def _parts(data: bytes, name: str) -> dict[str, Any]:
    import msgspec

    try:
        parts: dict[str, Any] = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except msgspec.DecodeError as error:
        place = str(error).rsplit("byte ", 1)[-1].rstrip(")")
        line = f" (line {data[: int(place)].count(10) + 1})" if place.isdigit() else ""
        raise InputError(f"{quoted(name)} must hold one JSON object, but does not{line}: {error}.") from None
    if "comparisons" not in parts:
        raise InputError(
            f"A JSON file must be of annotated pairs, with `comparisons` and `annotators`, but {quoted(name)} has "
            f"{', '.join(map(quoted, list(parts)[:5])) or 'nothing'}. Save other tables as .csv, .jsonl or .parquet."
        )
    return parts


def _line_of(data: bytes, part: Any) -> int:
    """The line on which a part of the bytes begins."""
    start = np.frombuffer(part, np.uint8).ctypes.data - np.frombuffer(data, np.uint8).ctypes.data
    inside = 0 <= start < len(data)
    return data[: start if inside else max(data.find(bytes(part)), 0)].count(10) + 1


class _Malformed(ValueError):
    """A pair that says something impossible."""


def _comparison_type() -> Any:
    import msgspec

    vote: Any = msgspec.defstruct("vote", [("pref", Any, None), ("no_pref_reason", Any, None)], gc=False)
    answer = msgspec.defstruct("answer", [("text", Any, ABSENT), ("model", str | None, None)], gc=False) | None
    return msgspec.defstruct(
        "comparison",
        [
            ("annotations", dict[str, vote], msgspec.field(default_factory=dict)),
            ("id", Any, None),
            ("prompt", str | None, None),
            ("response_a", answer, None),
            ("response_b", answer, None),
            ("text_a", Any, None),
            ("text_b", Any, None),
            ("metadata", dict[str, Any] | None, None),
        ],
        gc=False,
    )


class _Collecting:
    """Pairs as they are read, one after another."""

    def __init__(self, name: str, words: Mapping[Any, int], annotators: list[str]) -> None:
        self.name, self.words = name, words
        # Who is not among the annotators goes to a last place of its own.
        self.place = _Known(-1, {annotator: place for place, annotator in enumerate(annotators)})
        self.nobody = bytes([MISSING]) * (len(annotators) + 1)
        self.votes = bytearray()
        self.columns: dict[str, list[Any]] = {
            key: [] for key in ("id", "prompt", "text_a", "text_b", "model_a", "model_b")
        }
        self.adding = [values.append for values in self.columns.values()]
        self.metadata: list[dict[str, Any]] = []
        self.ids: set[Any] = set()
        self.twice = self.without_text = 0

    def add(self, pair: Any, two: bool) -> None:
        """One pair, unless it is there already or has no text."""
        metadata, name = pair.metadata or {}, pair.id
        if two:
            first, second = pair.response_a, pair.response_b
            if first is None or second is None:
                raise _Malformed(f"`response_{'a' if first is None else 'b'}` is missing")
            texts, models = (first.text, second.text), (first.model, second.model)
        else:
            texts, models = (pair.text_a, pair.text_b), (metadata.get("model_a"), metadata.get("model_b"))
        if name is not None:
            name = str(name)
            if name in self.ids:
                self.twice += 1
                return
            self.ids.add(name)
        if type(texts[0]) is not str or type(texts[1]) is not str:
            texts = (_text(texts[0]), _text(texts[1]))
        if texts[0] in NO_TEXT or texts[1] in NO_TEXT:
            self.without_text += 1
            return
        for append, value in zip(self.adding, (name, pair.prompt, *texts, *models), strict=True):
            append(value)
        self.metadata.append(metadata)
        self._vote(pair.annotations)

    def _vote(self, annotations: Mapping[str, Any]) -> None:
        row, words, place = bytearray(self.nobody), self.words, self.place
        for annotator, vote in annotations.items():
            code = words[vote.pref]
            row[place[annotator]] = code if code != NO_PREFERENCE else REASONS[vote.no_pref_reason]
        self.votes += row

    def pairs(self, annotators: Mapping[str, Mapping[str, Any]], default: Any) -> Pairs:
        """All of them, under visible names."""
        rows, width = len(self.metadata), len(self.nobody)
        matrix = np.frombuffer(bytes(self.votes), dtype=np.int8).reshape(rows, width)
        known = dict(_visible(annotators, default))
        votes = {visible: np.ascontiguousarray(matrix[:, self.place[one.id]]) for visible, one in known.items()}
        columns = {key: values for key, values in self.columns.items() if any(one is not None for one in values)}
        for key in dict.fromkeys(key for metadata in self.metadata for key in metadata):
            if key not in columns and key not in votes:
                columns[key] = [_plain(metadata.get(key)) for metadata in self.metadata]
        reference = next((visible for visible, one in known.items() if one.group == "reference"), None)
        counts = {
            "pairs named twice, of which the first stays": self.twice,
            "pairs without a text, left out": self.without_text,
        }
        notes = {f"{what} ({self.name})": f"{count:,}" for what, count in counts.items() if count}
        return Pairs({"id": self.columns["id"]} | columns, votes, known, reference, notes)


def _text(value: Any) -> Any:
    """The text of an answer; turns of a conversation are put one below another. An answer without one is not empty."""
    if value is ABSENT:
        return " "
    if isinstance(value, list):
        return "\n".join(str(turn.get("content", turn) if isinstance(turn, dict) else turn) for turn in value)
    return value if value is None or isinstance(value, str) else str(value)


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (str, int, float, bool)) else json.dumps(value)


def _visible(annotators: Mapping[str, Mapping[str, Any]], default: Any) -> Iterator[tuple[str, Annotator]]:
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
    theirs_ids = second.columns["id"]
    for column in ("prompt", "text_a", "text_b"):
        mine, theirs = first.columns.get(column), second.columns.get(column)
        for row in known if mine and theirs else ():
            if mine[rows[row]] != theirs[row]:  # type: ignore[index]
                raise InputError(
                    f"A pair must be the same in all files, but `{column}` of {quoted(theirs_ids[row])} differs "
                    f"in {quoted(name)}. Rename one of the two."
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
