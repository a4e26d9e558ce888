"""Any file or table of pairs with votes, as a table with a row for each pair and a column for each annotator.

Tables that are so already stay where they are. AnnotatedPairs files, result folders of ICAI, one row for each vote, and
several files of the same pairs are put together in memory.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

import numpy as np

from adjudge.data.cleaning import differing, text_column
from adjudge.data.decode import decoded
from adjudge.data.formats.annotated_pairs import Annotator, Pairs, annotated_pairs, merged, read_annotated_pairs
from adjudge.data.formats.icai import read_icai, results_folder
from adjudge.data.formats.sample import sample_of
from adjudge.data.judgements.votes import KINDS, MISSING, WORDS, A, B, is_no_vote, votes_in
from adjudge.data.remarks import Remarks
from adjudge.data.source import (
    ROWS,
    Batch,
    Places,
    Several,
    Source,
    Text,
    check_request,
    distinct_names,
    joined_batches,
    open_source,
)
from adjudge.data.tables.files import no_file, no_match
from adjudge.errors import ColumnNotFound, InputError, listed, quoted

# What columns are usually called, the first that there is.
USUAL = {
    "reference": ("preferred_text", "winner", "preferred", "chosen", "overall_pref"),
    "prompt": ("prompt", "input", "question", "instruction"),
    "text_a": ("text_a", "response_a", "answer_a", "conversation_a", "completion_a"),
    "text_b": ("text_b", "response_b", "answer_b", "conversation_b", "completion_b"),
    "model_a": ("model_a",),
    "model_b": ("model_b",),
}
PEEK, MOST_WORDS = 2_000, 12
MANY, MANY_VOTERS, TOO_MANY = 0.05, 20, 5  # of words that are no votes; annotators, and times as many as pairs


@dataclass(frozen=True, slots=True)
class PairTable(Remarks):
    """A table of pairs in memory, with what is known of those who voted."""

    name: str
    pairs: Pairs = field(repr=False)
    paths: tuple[Path, ...] = ()

    @property
    def doubts(self) -> tuple[str, ...]:
        """What looks like a mistake in votes that were put together."""
        return self.pairs.doubts

    @property
    def annotators(self) -> Mapping[str, Annotator]:
        """Who voted, by column."""
        return self.pairs.annotators

    @property
    def column_names(self) -> tuple[str, ...]:
        """All columns that hold something."""
        return (*self.pairs.columns, *self.pairs.votes)

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = ROWS) -> Iterator[Batch]:
        """The wanted columns, block by block."""
        check_request([*texts, *numbers], self.column_names, rows)
        plain, votes = self.pairs.columns, self.pairs.votes
        for start in range(0, len(self.pairs), rows):
            part = slice(start, start + rows)
            size = min(rows, len(self.pairs) - start)
            batch = decoded({name: plain[name][part] for name in (*texts, *numbers) if name in plain}, texts, size)
            voted = {name: Text(votes[name][part].astype(np.int64), KINDS) for name in texts if name in votes}
            yield Batch(size, {**batch.columns, **voted})

    def fingerprint(self) -> str:
        """A digest of the files, or of what is in memory."""
        if self.pairs.digest:
            return f"sha256:{self.pairs.digest[:16]}"
        digest = sha256()
        for path in self.paths:
            digest.update(path.read_bytes())
        for name, codes in {} if self.paths else self.pairs.votes.items():
            digest.update(name.encode("utf-8", "surrogatepass") + codes.tobytes())  # half a character may be a name
        return f"sha256:{digest.hexdigest()[:16]}"


def open_pairs(table: object, more: Sequence[object] = (), long: tuple[str, str, str] | None = None) -> Source:
    """The pairs of a table, merged with those of more of them; `long` names the columns of pair, annotator and vote.

    >>> rows = {"pair": [1, 1, 2], "who": ["ann", "ben", "ann"], "vote": ["a", "b", "tie"]}
    >>> open_pairs(rows, long=("pair", "who", "vote")).column_names
    ('id', 'ann', 'ben')
    """
    tables = [one for given in (table, *more) for one in _tables(given)]
    if len(tables) == 1 and long is None and (wide := _as_it_is(tables[0])) is not None:
        return wide
    parts = [(_name(one), _pairs(one, long)) for one in tables]
    pairs = merged(parts) if len(parts) > 1 else parts[0][1]
    doubts = tuple(dict.fromkeys(doubt for _, part in parts for doubt in part.doubts))
    several = {name: both for _, part in parts for name, both in part.several.items()}
    pairs = replace(pairs, doubts=doubts, several=several)
    if not len(pairs):
        raise InputError(f"A table of pairs must have rows, but {quoted(parts[0][0])} has none. Is it the right one?")
    return _in_memory(pairs, tables, parts)


def _tables(given: object) -> list[object]:
    """One table, or each of a list of files or of a pattern of JSON files."""
    if isinstance(given, (list, tuple)) and given and all(isinstance(one, (str, os.PathLike)) for one in given):
        return list(given)
    if isinstance(given, str) and glob.has_magic(given) and given.casefold().endswith((".json", ".json.gz")):
        paths = sorted(glob.glob(os.path.expanduser(given), recursive=True))
        if not paths:
            raise no_match(Path(os.path.expanduser(given)))
        return [*paths]
    return [given]


def _as_it_is(table: object) -> Source | None:
    """A table that needs no putting together."""
    return None if _is_annotated(table) or _folder(table) is not None else open_source(table)


def _is_annotated(table: object) -> bool:
    if isinstance(table, Mapping):
        return "comparisons" in table
    return isinstance(table, (str, os.PathLike)) and os.fspath(table).casefold().endswith((".json", ".json.gz"))


def holds_pairs(path: str) -> bool:
    """Whether a path is an AnnotatedPairs file or a result folder of ICAI."""
    return _folder(path) is not None or (
        _is_annotated(path) and sample_of(Path(os.path.expanduser(path))).has("annotators", "comparisons")
    )


def _folder(table: object) -> Path | None:
    """The results of ICAI, if it is a folder of them."""
    if not isinstance(table, (str, os.PathLike)) or not os.path.isdir(os.path.expanduser(table)):
        return None
    return results_folder(Path(os.path.expanduser(table)))


def _name(table: object) -> str:
    return Path(table).name.partition(".")[0] if isinstance(table, (str, os.PathLike)) else "a table"


def _pairs(table: object, long: tuple[str, str, str] | None) -> Pairs:
    if _is_annotated(table):
        if isinstance(table, Mapping):
            return annotated_pairs(table, "a dictionary")
        assert isinstance(table, str | os.PathLike)
        path = Path(os.path.expanduser(table))
        if not os.path.isfile(path):
            raise no_file(path)
        return read_annotated_pairs(path)
    folder = _folder(table)
    if folder is not None:
        return read_icai(folder)
    return _of_source(open_source(table), long)


def pairs_of(table: object) -> Pairs:
    """The pairs of any one table, in memory."""
    return _pairs(table, None)


def _in_memory(pairs: Pairs, tables: list[object], parts: list[tuple[str, Pairs]]) -> PairTable:
    paths = [Path(os.path.expanduser(table)) for table in tables if isinstance(table, str | os.PathLike)]
    paths = paths if len(paths) == len(tables) else []
    name = paths[0].name if len(paths) == 1 else " + ".join(name for name, _ in parts)
    columns = {key: values for key, values in pairs.columns.items() if any(one is not None for one in values)}
    distinct_names([*columns, *pairs.votes], name)
    return PairTable(name, replace(pairs, columns=columns), tuple(path for path in paths if os.path.isfile(path)))


# Tables of other shapes


def vote_columns(source: Source, others: Sequence[str] = ()) -> list[str]:
    """The columns whose first cells are votes, as far as they can be looked at without using the table up."""
    if getattr(source, "used", None) is not None:
        return []
    if isinstance(source, PairTable) and source.annotators:
        return list(source.annotators)
    names = [Several(name) for name in source.column_names if name not in others]
    batch = next(source.batches(names, [], rows=PEEK), None)
    return [] if batch is None else [str(name) for name in names if _holds_votes(batch, name)]


def few_words(source: Source, others: Sequence[str] = ()) -> dict[str, list[str]]:
    """What columns of few different words say that are no votes: perhaps votes in other words."""
    if getattr(source, "used", None) is not None or isinstance(source, PairTable):
        return {}
    names = [Several(name) for name in source.column_names if name not in others]
    batch = next(source.batches(names, [], rows=PEEK), None)
    words = {} if batch is None else {str(name): _words(batch, name) for name in names}
    return {name: said for name, said in words.items() if 1 < len(said) <= MOST_WORDS}


def _words(batch: Batch, name: str) -> list[str]:
    column = text_column(batch, name)
    return [column.labels[code] for code in np.unique(column.codes[column.codes >= 0]).tolist()]


def _holds_votes(batch: Batch, name: str) -> bool:
    words = [word.strip().lower() for word in _words(batch, name)]
    choices = {WORDS.get(word) for word in words}
    return len(words) <= MOST_WORDS and None not in choices and bool(choices & {A, B})


def usual_columns(columns: Sequence[str]) -> dict[str, str]:
    """The role that each column usually has, by the role; in any case, with any blank.

    >>> usual_columns(("model_a", "model_b", "winner", "input"))
    {'reference': 'winner', 'prompt': 'input', 'model_a': 'model_a', 'model_b': 'model_b'}
    >>> usual_columns(("Prompt", "Response A", "Preferred"))
    {'reference': 'Preferred', 'prompt': 'Prompt', 'text_a': 'Response A'}
    """
    known = {re.sub(r"[\s-]+", "_", name.strip().lower()): name for name in reversed(columns)}
    known |= {name: name for name in columns}
    by_role = {role: next((known[name] for name in names if name in known), None) for role, names in USUAL.items()}
    return {role: name for role, name in by_role.items() if name is not None}


def _of_source(source: Source, long: tuple[str, str, str] | None) -> Pairs:
    """A table read whole: with a column for each annotator, or a row for each vote."""
    for role, name in zip(("pair", "annotator", "vote"), long or (), strict=False):
        if name not in source.column_names:
            raise ColumnNotFound(role, name, source.column_names)
    batches = list(source.batches([Several(name) for name in source.column_names], []))
    if not batches:
        return Pairs({}, {}, {})
    batch = joined_batches(batches)
    if long is not None:
        return _pivoted(batch, long)
    voted = [name for name in source.column_names if _holds_votes(batch, name)]
    columns = {
        usual.get(name, name): _values(batch, name) for usual in [_ids()] for name in batch.columns if name not in voted
    }
    columns = {"id": columns.get("id", [None] * batch.rows)} | columns
    votes = {name: votes_in(text_column(batch, name)).astype(np.int8) for name in voted}
    reference = usual_columns(voted).get("reference")
    return Pairs(columns, votes, {name: _annotator(name, reference) for name in voted}, reference)


def _ids() -> dict[str, str]:
    return dict.fromkeys(("comparison_id", "question_id", "pair"), "id")


def _annotator(name: str, reference: str | None) -> Annotator:
    group = "reference" if name == reference else "person" if "human" in name.lower() else "annotator"
    return Annotator(name, name, group)


def _values(batch: Batch, name: str) -> list[object]:
    column = text_column(batch, name)
    return [None if code < 0 else column.labels[code] for code in column.codes]


def _pivoted(batch: Batch, long: tuple[str, str, str]) -> Pairs:
    """One row for each pair: of several votes of one annotator for it the first stands."""
    pair, who, said = (text_column(batch, name) for name in long)
    keep = np.flatnonzero((pair.codes >= 0) & (who.codes >= 0))
    _, first, row = np.unique(pair.codes[keep], return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first))
    cell = order[row] * len(who.labels) + who.codes[keep]
    _, earliest = np.unique(cell, return_index=True)
    matrix = np.full((len(first), len(who.labels)), MISSING, dtype=np.int8)
    matrix.reshape(-1)[cell[earliest]] = votes_in(said)[keep[earliest]]
    rows = keep[np.sort(first)]
    columns = {"id": [pair.labels[code] for code in pair.codes[rows]]}
    several = {}
    for name in batch.columns:
        if name not in long:
            columns[name] = [_values(batch, name)[place] for place in rows]
            if (met := differing(batch, name, keep, keep[first][row], long[0])) is not None:
                several[name] = " in pair ".join(met)
    reference = usual_columns(who.labels).get("reference")
    again = len(cell) - len(earliest)
    notes = {"Votes given twice, of which the first stands": f"{again:,}"} if again else {}
    if missing := batch.rows - len(keep):
        notes["Rows without a pair or an annotator, left out"] = f"{missing:,}"
    votes = {name: matrix[:, place] for place, name in enumerate(who.labels)}
    known = {name: _annotator(name, reference) for name in votes}
    doubts = [*_no_votes(who, said, keep)]
    if len(who.labels) >= max(MANY_VOTERS, TOO_MANY * len(first)):
        who_votes = f"{len(who.labels):,} annotators vote on {len(first):,} pairs"
        doubts.append(f"{who_votes}. Are `pair` ({quoted(long[0])}) and `annotator` ({quoted(long[1])}) swapped?")
    return Pairs(columns, votes, known, reference, notes, doubts=tuple(doubts), several=several)


def _no_votes(who: Text, said: Text, rows: Places) -> Iterator[str]:
    """Annotators of whose words more than a few are no votes, which count as none."""
    wrong = np.array([*map(is_no_vote, said.labels), False], dtype=np.bool_)[said.codes]
    for code, name in enumerate(who.labels):
        theirs = rows[(who.codes[rows] == code) & (said.codes[rows] >= 0)]
        if (n := int(wrong[theirs].sum())) > MANY * len(theirs):
            words = dict.fromkeys(said.labels[place] for place in said.codes[theirs[wrong[theirs]]])
            what = f"{quoted(name)} says {listed([*words][:3])} in {n:,} of {len(theirs):,} votes"
            yield f"{what}, which are no votes and count as none. Write a and b, or tie."
