"""From a predictions file to prepared responses, in RSMTool's order and with everything that was left out kept.

Cells are text exactly as written. Which responses stay is decided where the scoring task decides it; here the ones
that do not stay are sorted by why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import facts_of
from adjudge.data.facts import check_rows
from adjudge.data.judgements.columns import Array, Rows
from adjudge.data.judgements.labels import Labels, label_text, number_in
from adjudge.data.judgements.score_types import Scaling, ScoreScale, score_types
from adjudge.data.source import Numbers, Text
from adjudge.data.tables.frames import Table
from adjudge.errors import BadValue, ColumnNotFound, InputError, quoted
from adjudge.interop.rsmtool_cells import arrow, filled, read_text_columns
from adjudge.interop.rsmtool_config import Configuration
from adjudge.tasks.scoring.forms import APART
from adjudge.tasks.scoring.reading import CleanScores, ScoreReading, passing

ALL_ROWS = 2**40
NO_INFO = "No info"
AS_IS, RAW = "asis", "raw"
WORDS = {"true": 1.0, "false": 0.0}
# Names that RSMTool keeps for itself.
INTERNAL = ("spkitemid", "sc1", "sc2", "length", "raw", "candidate")


@dataclass(frozen=True)
class Predictions:
    """The predictions file: its cells, and the names its columns get."""

    name: str
    cells: Mapping[str, Text]
    rows: int
    renamed: Mapping[str, str]  # column of the file → name in what is written

    @classmethod
    def read(cls, config: Configuration) -> Predictions:
        """The whole file, refused when a column is not there."""
        cells = read_text_columns(config.predictions_file)
        named = {
            field: getattr(config, field)
            for field in (
                "id_column",
                "human_score_column",
                "system_score_column",
                "second_human_score_column",
                "candidate_column",
            )
        }
        for field, column in [*named.items(), *(("subgroups", name) for name in config.subgroups)]:
            if column is not None and column not in cells:
                raise ColumnNotFound(field, column, cells)
        rows = len(next(iter(cells.values())).codes)
        if rows == 0:
            raise InputError(f"The predictions must have rows, but {quoted(config.predictions_file.name)} has none.")
        return cls(config.predictions_file.name, cells, rows, _renamed(cells, config))

    def flag_column(self, name: str) -> str:
        """The column a flag speaks of: as the file names it, or by RSMTool's own name for it."""
        if name in self.cells:
            return name
        for column, internal in self.renamed.items():
            if internal == name:
                return column
        raise ColumnNotFound("flag_column", name, self.cells)

    def texts(self, column: str, rows: Rows) -> list[str | None]:
        """Cells as they were written, None where blank."""
        cells = self.cells[column]
        # The extra last place is what a blank cell's code, -1, picks.
        texts: list[str | None] = np.array([*cells.labels, None], dtype=np.object_)[cells.codes[rows]].tolist()
        return texts

    def numbers(self, column: str) -> Array:
        """Cells as numbers, NaN where they are none."""
        return _numbers(self.cells, column)


def _renamed(cells: Mapping[str, Text], config: Configuration) -> dict[str, str]:
    """What each column is called in the files: RSMTool's names, and ##name## for another that has such a name."""
    given = {
        config.id_column: "spkitemid",
        config.human_score_column: "sc1",
        config.second_human_score_column: "sc2",
        config.system_score_column: "raw",
    }
    if config.candidate_column is not None:
        given.setdefault(config.candidate_column, "candidate")
    plain = {name: f"##{name}##" if name in INTERNAL else name for name in cells}
    return plain | {name: internal for name, internal in given.items() if name is not None}


@dataclass(frozen=True)
class Prepared:
    """Responses that stay with their scores, and the others by why they do not."""

    config: Configuration
    predictions: Predictions
    cells: Mapping[str, Text]  # as the scoring task reads them
    scored: CleanScores
    scaling: Scaling | None
    flagged: Rows  # left out by a flag
    excluded: Rows  # left out otherwise, in RSMTool's order

    @property
    def table(self) -> Table:
        """What the scoring task reads."""
        return responses_table(self.predictions.name, self.cells)

    @property
    def rows(self) -> Rows:
        """The responses that stay."""
        return self.scored.rows

    @property
    def human(self) -> Array:
        """The human score of each response."""
        return np.asarray(self.scored.ratings[:, 0])

    @cached_property
    def forms(self) -> dict[str, Array]:
        """The score types, in RSMTool's order."""
        low, high, tolerance = self.config.trim
        forms = score_types(self.scored.systems["system"], ScoreScale(low, high, 1.0, tolerance), self.scaling)
        if self.config.scale_with == AS_IS:
            return {name.replace("raw", "scale"): values for name, values in forms.items()}
        return forms

    def view(self, form: str) -> str:
        """What the scoring task calls a score type."""
        named = form.replace("scale", "raw") if self.config.scale_with == AS_IS else form
        return f"{self.config.system_score_column}{APART}{named}"

    @property
    def chosen(self) -> str:
        """Which scores the further analyses use."""
        return "raw" if self.config.scale_with is None else "scale"

    def group(self, subgroup: str) -> Labels:
        """The level of each response, levels sorted as text."""
        cells = self.cells[subgroup]
        codes = cells.codes[self.rows].astype(np.int64)
        used = [cells.labels[code] for code in np.unique(codes)]
        return Labels(codes, cells.labels).recoded(tuple(sorted(used)))


def prepared(config: Configuration) -> Prepared:
    """Read the files and decide which responses stay."""
    predictions = Predictions.read(config)
    cells = task_cells(predictions, config)
    source = responses_table(predictions.name, cells)
    reading = task_reading(predictions, config).checked(source.column_names)
    _refuse_repeated(predictions, config.id_column)
    (batch,) = source.batches(reading.texts(), reading.numbers(), rows=ALL_ROWS)
    scored = reading.cleaned(batch)
    check_rows(facts_of(batch, scored.left_out), source.name, "Some responses must be usable")
    stays = np.zeros(predictions.rows, dtype=np.bool_)
    stays[scored.rows] = True
    passes = [passing(predictions.cells[column], allowed) for column, allowed in reading.flags.items()]
    flagged = ~np.logical_and.reduce(passes) if passes else np.zeros(predictions.rows, dtype=np.bool_)
    return Prepared(
        config,
        predictions,
        cells,
        scored,
        _scaling(config),
        np.flatnonzero(flagged),
        _in_order(predictions, config, ~stays & ~flagged),
    )


def task_cells(predictions: Predictions, config: Configuration) -> dict[str, Text]:
    """The predictions as the scoring task reads them: blank groups and candidates are a level of their own."""
    named = {*config.subgroups, config.candidate_column}
    return {name: filled(text, NO_INFO) if name in named else text for name, text in predictions.cells.items()}


def responses_table(name: str, cells: Mapping[str, Text]) -> Table:
    """Cells as a table that a task reads."""
    return Table.of(name, {column: arrow(text) for column, text in cells.items()})


def task_reading(predictions: Predictions, config: Configuration) -> ScoreReading:
    """Which columns hold what, and what is left out."""
    raters = (config.human_score_column, config.second_human_score_column)
    flags = {predictions.flag_column(name): values for name, values in config.flags.items()}
    return ScoreReading(
        raters=tuple(name for name in raters if name is not None),
        systems={"system": config.system_score_column},
        slices=tuple((name,) for name in config.subgroups),
        candidate=config.candidate_column,
        flags={name: _allowed(values, predictions.cells[name]) for name, values in flags.items()},
        zeros=not config.exclude_zero_scores,
        min_items=config.min_items_per_candidate,
    )


def _allowed(values: tuple[object, ...], cells: Text) -> tuple[str, ...]:
    """The labels that pass a flag. In a column of true and false alone, these are the same however they are written.

    >>> _allowed((1, "b"), Text(np.array([0, 1]), ("TRUE", "FALSE")))
    ('1', 'b', 'TRUE')
    >>> _allowed(("False",), Text(np.array([0, 1]), ("TRUE", "FALSE")))
    ('False', 'FALSE')
    """
    allowed = dict.fromkeys(label_text(value) for value in values)
    allowed |= dict.fromkeys(str(int(value)) for value in values if isinstance(value, bool))
    truth = {label: _truth(label) for label in cells.labels}
    if all(label.casefold() in WORDS for label in truth):
        said = {_truth(label_text(value)) for value in values} - {None}
        allowed |= dict.fromkeys(label for label, of_label in truth.items() if of_label in said)
    return tuple(allowed)


def _truth(label: str) -> float | None:
    """1 and 0 for what says true and false, in words or as a number."""
    return WORDS.get(label.casefold(), number_in(label))


def _refuse_repeated(predictions: Predictions, column: str) -> None:
    times = np.bincount(predictions.cells[column].codes.astype(np.int64) + 1, minlength=2)
    if times[0] > 1:
        raise BadValue(f"`id_column` must name each response, but {quoted(column)} has {times[0]:,} blanks.")
    if times[1:].max() > 1:
        twice = predictions.cells[column].labels[int(times[1:].argmax())]
        raise BadValue(
            f"`id_column` must name each response once, but {quoted(column)} has {quoted(twice)} "
            f"{int(times[1:].max())} times. Remove the repeated rows."
        )


def _in_order(predictions: Predictions, config: Configuration, out: NDArray[np.bool_]) -> Rows:
    """Left out for the human score, for a zero, for the system's score, for too few responses of a candidate."""
    human, system = predictions.numbers(config.human_score_column), predictions.numbers(config.system_score_column)
    why = np.select(
        [~np.isfinite(human), (human == 0) & config.exclude_zero_scores, ~np.isfinite(system)], [0, 1, 2], default=3
    )
    rows = np.flatnonzero(out)
    return np.asarray(rows[np.argsort(why[rows], kind="stable")])


def _scaling(config: Configuration) -> Scaling | None:
    if config.scale_with in (None, AS_IS):
        return None
    if config.scale_with == RAW:
        return Scaling(0.0, 1.0, 0.0, 1.0)
    path = Path(config.scale_with)
    cells = read_text_columns(path)
    for column in ("prediction", "sc1"):
        if column not in cells:
            raise InputError(
                f'The file of `scale_with` must have the columns "prediction" and "sc1", but {quoted(path.name)} '
                f"has no {quoted(column)}."
            )
    return Scaling.of_training(_numbers(cells, "sc1"), _numbers(cells, "prediction"))


def _numbers(cells: Mapping[str, Text], column: str) -> Array:
    """Cells as numbers, NaN where they are none."""
    for batch in Table.of(column, {column: arrow(cells[column])}).batches([], [column], rows=ALL_ROWS):
        values = batch.columns[column]
        assert isinstance(values, Numbers)
        return values.values
    return np.zeros(0)
