"""TREC files: runs, which say how a system ranked documents, and qrels, which say how relevant they are."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from adjudge.data.foreign import refusing
from adjudge.data.tables.files import no_file
from adjudge.data.tables.text_files import open_text, text_lines
from adjudge.errors import InputError, listed, quoted

RUN_FIELDS = ("query", "Q0", "document", "rank", "score", "tag")
QRELS_FIELDS = ("query", "iteration", "document", "relevance")
Pair = tuple[str, str]  # query and document
LONGEST = 1 << 20  # characters of a line
FEWEST_RANKED = 5  # queries of which ranks are held against scores


@dataclass(frozen=True)
class Run:
    """What one system retrieved: the score of each document, by query, and queries whose ranks contradict scores."""

    name: str
    scores: Mapping[Pair, float]
    contradictions: int = 0
    ranked: int = 0  # queries with ranks

    def doubts(self) -> Iterator[str]:
        """Ranks that contradict the scores in most queries: one of the two is turned round."""
        if self.ranked >= FEWEST_RANKED and self.contradictions > self.ranked / 2:
            which = f"Ranks and scores of {quoted(self.name)} give different orders"
            in_how_many = f"in {self.contradictions:,} of {self.ranked:,} queries"
            yield f"{which} {in_how_many}. The higher score comes first: are the scores distances, or in another field?"


@dataclass(frozen=True)
class Qrels:
    """How relevant documents are, by query; lines that say the same twice count once."""

    name: str
    relevance: Mapping[Pair, float]
    repeated: int = 0


@dataclass
class _Lines:
    """The lines of one file, held against what each must be."""

    path: Path
    fields: tuple[str, ...]
    met: dict[Pair, int] = field(default_factory=dict)  # where each pair stands

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        with refusing(self.path.name):
            try:
                with open_text(self.path) as file:
                    for number, line in enumerate(text_lines(file, LONGEST, self.path.name), 1):
                        if parts := line.split():
                            if len(parts) != len(self.fields):
                                raise self.wrong(parts, f"line {number} has {len(parts)} fields")
                            yield number, parts
            except UnicodeDecodeError:
                raise InputError(
                    f"{quoted(self.path.name)} must be UTF-8 text, but it is not. Convert it to UTF-8."
                ) from None
            except FileNotFoundError:
                raise no_file(self.path, "The file") from None
            except OSError as error:
                raise InputError(
                    f"{quoted(str(self.path))} must be a file that can be read, but: {error.strerror or error}."
                ) from None

    def number(self, place: int, parts: list[str], line: int) -> float:
        """A field that must be a number."""
        try:
            value = float(parts[place])
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self.wrong(parts, f"the {self.fields[place]} of line {line} is no finite number")
        return value

    def wrong(self, parts: Sequence[str], why: str) -> InputError:
        """What a line must be, and what it is."""
        return InputError(
            f"Each line of {quoted(self.path.name)} must be {', '.join(self.fields)}, separated by blanks, but "
            f"{why}: {quoted(' '.join(parts))}."
        )

    def twice(self, pair: Pair, line: int) -> InputError:
        """A pair that stands on two lines."""
        return InputError(
            f"{quoted(self.path.name)} must name each document of a query once, but lines {self.met[pair]} and {line} "
            f"both have {quoted(pair[1])} of query {quoted(pair[0])}. Remove one."
        )


def read_run(path: str | os.PathLike[str]) -> Run:
    """A run, in six fields a line; called by its tag, or by its file where there are several tags.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "first.run"
    >>> _ = path.write_text("q1 Q0 a 1 2.5 bm25\\nq1 Q0 b 2 1.0 bm25\\n")
    >>> read_run(path).name, read_run(path).scores["q1", "a"]
    ('bm25', 2.5)
    """
    lines = _Lines(Path(path), RUN_FIELDS)
    scores: dict[Pair, float] = {}
    tags: dict[str, None] = {}
    ranks: dict[str, list[tuple[float, float]]] = {}
    for number, parts in lines:
        pair = (parts[0], parts[2])
        if pair in scores:
            raise lines.twice(pair, number)
        lines.met[pair], scores[pair] = number, lines.number(4, parts, number)
        tags[parts[5]] = None
        if parts[3].isdigit():
            ranks.setdefault(parts[0], []).append((float(parts[3]), scores[pair]))
    _some(lines, scores)
    name = next(iter(tags)) if len(tags) == 1 else Path(path).name
    several = [of_query for of_query in ranks.values() if len(of_query) > 1]
    return Run(name, scores, sum(map(_contradicts, several)), len(several))


def read_qrels(path: str | os.PathLike[str]) -> Qrels:
    """Judgements, in four fields a line.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "qrels.txt"
    >>> _ = path.write_text("q1 0 a 1\\nq1 0 b 0.5\\n")
    >>> read_qrels(path).relevance
    {('q1', 'a'): 1.0, ('q1', 'b'): 0.5}
    """
    lines = _Lines(Path(path), QRELS_FIELDS)
    relevance: dict[Pair, float] = {}
    repeated = 0
    for number, parts in lines:
        pair, value = (parts[0], parts[2]), lines.number(3, parts, number)
        if pair in relevance:
            if relevance[pair] != value:
                raise lines.twice(pair, number)
            repeated += 1
        lines.met.setdefault(pair, number)
        relevance[pair] = value
    _some(lines, relevance)
    return Qrels(Path(path).name, relevance, repeated)


def trec_table(qrels: Qrels, runs: Sequence[Run]) -> tuple[dict[str, list[object]], dict[str, dict[str, str]]]:
    """One row for each document of a query that is judged or retrieved, queries together, and each system's column.

    A relevance that is missing was not judged; a score that is missing was not retrieved.
    """
    names = [run.name for run in runs]
    if len(set(names)) < len(names):
        raise InputError(f"Runs must have different tags, but they are {listed(names)}. Change the last field of one.")
    documents: dict[str, dict[str, None]] = {}
    for known in (qrels.relevance, *(run.scores for run in runs)):
        for query, document in known:
            documents.setdefault(query, {})[document] = None
    pairs = [(query, document) for query, of_query in documents.items() for document in of_query]
    columns: dict[str, list[object]] = {
        "query": [query for query, _ in pairs],
        "document": [document for _, document in pairs],
        "relevance": [qrels.relevance.get(pair) for pair in pairs],
    }
    systems = {run.name: {"score": f"score of {run.name}"} for run in runs}
    for run in runs:
        columns[f"score of {run.name}"] = [run.scores.get(pair) for pair in pairs]
    return columns, systems


def _some(lines: _Lines, pairs: Mapping[Pair, float]) -> None:
    if not pairs:
        raise InputError(f"{quoted(lines.path.name)} must have lines of {', '.join(lines.fields)}, but it has none.")


def _contradicts(ranks: list[tuple[float, float]]) -> bool:
    """Whether a better rank has a lower score; where all ranks are one and the same, none is better."""
    by_rank = sorted(ranks, key=lambda pair: (pair[0], -pair[1]))
    return any(rank < later and after > before for (rank, before), (later, after) in pairwise(by_rank))
