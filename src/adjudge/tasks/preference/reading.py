"""How rows become votes: of everybody who is measured against, and of every annotator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import LeftOut, Rows, check_ids, label_keys, number_column, text_column
from adjudge.data.facts import Facts, check_rows, check_together, check_weight
from adjudge.data.judgements.pair_votes import ChosenPairs, PairVotes, votes_for_model
from adjudge.data.judgements.votes import MISSING, TIE, A, B, VotePairs, is_no_vote, votes_in
from adjudge.data.keys import Keys, keys_of_rows
from adjudge.data.reading import BLOCK_ROWS, Block, Units, Views
from adjudge.data.row_reading import REPEATED, RoleColumn, RowReading
from adjudge.data.source import Batch, Lengths
from adjudge.errors import quoted

PAIRS = "\0pairs"  # the view of whole pairs; no column is called so
CHOICES = "\0choices of "  # the views of what each column chose begin so
MODEL = "Model: "
LONGER = "Answer: longer"  # always chooses the longer answer; no column is called so
RANDOM = "random"  # which answer comes first was drawn
VoteCodes = NDArray[np.int64]


def view_name(annotator: str, column: str, first: str) -> str:
    """What a view is called: by the annotator, and by what it is measured against unless that is the first column."""
    return annotator if column == first else f"{annotator} · {column}"


def is_computed(name: str) -> bool:
    """Whether votes are made of what is known of the answers, not read from a column.

    >>> is_computed("Model: gpt"), is_computed("Answer: longer"), is_computed("polite")
    (True, True, False)
    """
    return name.startswith(MODEL) or name == LONGER


@dataclass(frozen=True, kw_only=True)
class VoteReading(RowReading):
    """Which columns hold the votes, and what else is known of pairs. A model's name stands for the answer it wrote."""

    columns: tuple[str, ...]  # measured against
    annotators: tuple[str, ...]
    people: tuple[str, ...] = ()  # read beside them, and not measured
    prompt: str | None = None
    text_a: str | None = None
    text_b: str | None = None
    model_a: str | None = None
    model_b: str | None = None
    against: tuple[str, ...] = ()  # models whose answers a model's are held against; all if none
    show_texts: bool = False

    as_labels = "reference, annotators, prompt, "
    block_rows: ClassVar[int] = BLOCK_ROWS // 8  # each with the votes of many

    @property
    def together(self) -> str | None:
        """Pairs of one prompt."""
        return self.cluster

    @property
    def names(self) -> tuple[str, ...]:
        """All whose votes are read, those measured against first."""
        return tuple(dict.fromkeys((*self.columns, *self.annotators, *self.people)))

    def answers(self) -> Iterator[RoleColumn]:
        """A pair stays whoever voted."""
        for name in self.names:
            if not is_computed(name):
                yield RoleColumn("reference" if name in self.columns else "annotators", name, needed=False)
        for role, column in (("model_a", self.model_a), ("model_b", self.model_b)):
            if column is not None:
                yield RoleColumn(role, column, needed=False)
        for role, column in (("text_a", self.text_a), ("text_b", self.text_b)):
            if column is not None:
                name = column if self.show_texts else Lengths(column)
                yield RoleColumn(role, name, number=not self.show_texts, needed=False)
        if self.show_texts and self.prompt is not None:
            yield RoleColumn("prompt", self.prompt, needed=False)

    def drop_unusable(self, left_out: LeftOut, batch: Batch, answer: RoleColumn) -> None:
        """A pair without a prompt is one of its own."""
        if answer.role != "cluster":
            super().drop_unusable(left_out, batch, answer)

    def _keys(self, batch: Batch, first_row: int, rows: Rows) -> Keys:
        alone = keys_of_rows(first_row, first_row + batch.rows)[rows]
        if self.cluster is None:
            return alone
        return np.where(text_column(batch, self.cluster).codes[rows] < 0, alone, label_keys(batch, self.cluster, rows))

    def unused(self, batch: Batch, left_out: LeftOut) -> Mapping[str, int]:
        """Words that are no votes, by the column and the word."""
        counts: dict[str, int] = {}
        for name in self.names:
            if is_computed(name):
                continue
            column = text_column(batch, name)
            for code, word in enumerate(column.labels):
                if is_no_vote(word) and (times := int((column.codes == code).sum())):
                    counts[f"{quoted(name)} says {quoted(word)}"] = times
        return counts

    def read(self, batch: Batch, first_row: int) -> Block:
        """The pairs of a batch, each with its prompt."""
        block = super().read(batch, first_row)
        if not block.rows:
            return block
        views = {**block.views, PAIRS: replace(block.views[PAIRS], prompts=np.asarray(block.keys))}
        if self.cluster is None:
            return replace(block, views=views)
        names, prompts = np.unique(block.keys, return_inverse=True)
        for name, pairs in views.items():
            if name != PAIRS:
                views[name] = replace(pairs, prompts=block.keys if name.startswith(CHOICES) else prompts.reshape(-1))
        return replace(block, views=views, facts=replace(block.facts, together=(names,)))

    def views(self, batch: Batch, rows: Rows) -> tuple[Views, dict[str, frozenset[str]]]:
        """Every annotator beside every column, and the pairs as a whole."""
        models, model_names = self._models(batch, rows)
        votes = {name: self._votes(batch, rows, name, models, model_names) for name in self.names}
        views: dict[str, Units] = {
            view_name(annotator, column, self.columns[0]): VotePairs(votes[column], votes[annotator])
            for column in self.columns
            for annotator in self.annotators
            if annotator != column
        }
        lengths = np.stack([self._lengths(batch, rows, column) for column in (self.text_a, self.text_b)], axis=-1)
        views |= {f"{CHOICES}{column}": ChosenPairs(votes[column].astype(np.int8), lengths) for column in self.columns}
        views[PAIRS] = PairVotes(
            self.names,
            np.stack([codes.astype(np.int8) for codes in votes.values()], axis=-1),
            lengths,
            models,
            model_names,
            np.zeros(len(rows), dtype=np.uint64),
            self._texts(batch, rows) if self.show_texts else None,
        )
        return views, {"models": frozenset(model_names)}

    def _votes(self, batch: Batch, rows: Rows, name: str, models: VoteCodes, model_names: tuple[str, ...]) -> VoteCodes:
        if name == LONGER:
            return self._longer(batch, rows)
        if not name.startswith(MODEL):
            return votes_in(text_column(batch, name))[rows]
        model = name.removeprefix(MODEL)
        code = model_names.index(model) if model in model_names else len(model_names)
        others = [place for place, one in enumerate(model_names) if one in self.against] if self.against else None
        return votes_for_model(code, models, None if others is None else np.array(others)).astype(np.int64)

    def _longer(self, batch: Batch, rows: Rows) -> VoteCodes:
        """A vote for the longer answer; a tie where both are as long."""
        first, second = (self._lengths(batch, rows, column) for column in (self.text_a, self.text_b))
        votes = np.select([first > second, first < second, first == second], [A, B, TIE], MISSING)
        return np.asarray(votes, dtype=np.int64)

    def _models(self, batch: Batch, rows: Rows) -> tuple[VoteCodes, tuple[str, ...]]:
        if self.model_a is None or self.model_b is None:
            return np.full((len(rows), 2), -1, dtype=np.int64), ()
        columns = [text_column(batch, name) for name in (self.model_a, self.model_b)]
        names = tuple(
            sorted({column.labels[code] for column in columns for code in np.unique(column.codes) if code >= 0})
        )
        place = {name: code for code, name in enumerate(names)}
        codes = [
            np.array([*(place.get(label, -1) for label in column.labels), -1], dtype=np.int64)[column.codes[rows]]
            for column in columns
        ]
        return np.stack(codes, axis=-1), names

    def _lengths(self, batch: Batch, rows: Rows, name: str | None) -> NDArray[np.float64]:
        if name is None:
            return np.full(len(rows), np.nan)
        if not self.show_texts:
            return number_column(batch, name).values[rows]
        column = text_column(batch, name)
        return np.asarray(np.array([*map(len, column.labels), np.nan], dtype=np.float64)[column.codes[rows]])

    def _texts(self, batch: Batch, rows: Rows) -> tuple[tuple[str, ...], ...]:
        def shown(name: str | None) -> tuple[str, ...]:
            if name is None:
                return ("",) * len(rows)
            column = text_column(batch, name)
            return tuple("" if code < 0 else column.labels[code] for code in column.codes[rows])

        return tuple(shown(name) for name in (self.prompt, self.text_a, self.text_b))

    def judge(self, facts: Facts, source: str) -> None:
        """Refuse what only the whole table shows; that all pairs are of one prompt is no reason."""
        check_rows(facts, source, "Some pairs must be complete")
        check_ids(facts, self.id, "pair", REPEATED)
        check_weight(facts, self.weight, "pair")
        check_together(facts, "prompt", self.cluster)
