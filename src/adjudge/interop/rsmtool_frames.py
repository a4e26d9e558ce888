"""RSMTool's tables of responses: what stayed, what did not, and how many of each group there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.data.judgements.columns import Rows
from adjudge.interop.rsmtool_data import AS_IS, NO_INFO, Prepared

Cell = str | int | float | None


@dataclass(frozen=True)
class Frame:
    """One table to be written: cells are None where they are blank."""

    name: str
    columns: tuple[str | int, ...]  # the first is "" where rows are named
    rows: Sequence[tuple[Cell, ...]]


def response_frames(prepared: Prepared) -> Iterator[Frame]:
    """What stayed and what did not, response by response."""
    config, rows = prepared.config, prepared.rows
    ids = prepared.predictions.texts(config.id_column, rows)
    forms = {
        name: values.astype(np.int64).tolist() if name.endswith("_round") else values.tolist()
        for name, values in prepared.forms.items()
    }
    human = prepared.human.tolist()
    yield Frame("pred_processed", ("spkitemid", "sc1", *forms), list(zip(ids, human, *forms.values(), strict=True)))
    yield _metadata(prepared, ids)
    yield _other_columns(prepared)
    if config.second_human_score_column is not None:
        second = [None if np.isnan(score) else score for score in prepared.scored.ratings[:, 1].tolist()]
        yield Frame("test_human_scores", ("spkitemid", "sc1", "sc2"), list(zip(ids, human, second, strict=True)))
    if len(prepared.excluded):
        yield _excluded(prepared)
    if len(prepared.flagged):
        columns = prepared.predictions.renamed
        cells = [prepared.predictions.texts(name, prepared.flagged) for name in columns]
        yield Frame("test_responses_with_excluded_flags", tuple(columns.values()), list(zip(*cells, strict=True)))


def _metadata(prepared: Prepared, ids: list[str | None]) -> Frame:
    config = prepared.config
    groups = [(name, prepared.group(name)) for name in config.subgroups]
    columns: list[Sequence[Cell]] = [[group.categories[code] for code in group.codes] for _, group in groups]
    names = ["spkitemid", *config.subgroups]
    if config.candidate_column is not None:
        names.append("candidate")
        columns.append(prepared.predictions.texts(config.candidate_column, prepared.rows))
    return Frame("test_metadata", tuple(names), list(zip(ids, *columns, strict=True)))


def _other_columns(prepared: Prepared) -> Frame:
    """Columns that nothing else holds; with scores taken as they are, also those under the name raw."""
    config, renamed = prepared.config, prepared.predictions.renamed
    used = {config.human_score_column, config.second_human_score_column, config.candidate_column, *config.subgroups}
    if config.scale_with != AS_IS:
        used.add(config.system_score_column)
    others = [name for name in renamed if name not in used or name == config.id_column]
    cells: list[Sequence[Cell]] = [
        prepared.forms["scale"].tolist()
        if name == config.system_score_column and config.scale_with == AS_IS
        else prepared.predictions.texts(name, prepared.rows)
        for name in others
    ]
    return Frame("test_other_columns", tuple(renamed[name] for name in others), list(zip(*cells, strict=True)))


def _excluded(prepared: Prepared) -> Frame:
    """Everything known of the responses that were left out; the human and the system's score as numbers."""
    config, renamed = prepared.config, prepared.predictions.renamed
    order = sorted(renamed, key=lambda name: (name != config.id_column, renamed[name]))
    scores = (config.human_score_column, config.system_score_column)
    groups = set(config.subgroups)
    cells: list[Sequence[Cell]] = []
    for name in order:
        if name in scores:
            values = prepared.predictions.numbers(name)[prepared.excluded]
            cells.append([value if np.isfinite(value) else None for value in values.tolist()])
        else:
            texts = prepared.predictions.texts(name, prepared.excluded)
            cells.append([text if text and text.strip() else NO_INFO for text in texts] if name in groups else texts)
    return Frame("test_excluded_responses", tuple(renamed[name] for name in order), list(zip(*cells, strict=True)))


HUMAN_KINDS = ("numeric non-zero human score", "zero human score", "non-numeric human score")


def composition_frames(prepared: Prepared) -> Iterator[Frame]:
    """How many responses were left out, by why; how many stayed, by group."""
    config = prepared.config
    yield _excluded_composition(prepared)
    counts: dict[str, Cell] = {"partition": "Evaluation", "responses": len(prepared.rows)}
    if config.candidate_column is not None:
        counts["candidates"] = len(set(prepared.predictions.texts(config.candidate_column, prepared.rows)))
    levels = {name: prepared.group(name) for name in config.subgroups}
    sizes = [len(group.categories) for group in levels.values()]
    yield Frame("data_composition", (*counts, *levels), [(*counts.values(), *sizes)])
    for name, group in levels.items():
        times = np.bincount(group.codes, minlength=len(group.categories)).tolist()
        yield Frame(
            f"data_composition_by_{name}", (name, "N responses"), list(zip(group.categories, times, strict=True))
        )


def _excluded_composition(prepared: Prepared) -> Frame:
    config, rows = prepared.config, prepared.excluded
    counts = _cross_table(prepared, rows)
    first: list[Cell] = [*counts[0]]
    if config.min_items_per_candidate is None:  # cells that cannot hold a response are blank
        first = [None, None if not config.exclude_zero_scores else float(counts[0][1]), float(counts[0][2])]
    columns = ("numeric system score", "non-numeric system score")
    if not len(rows):
        return Frame("test_excluded_composition", columns, list(zip(first, counts[1], strict=True)))
    named = list(zip(HUMAN_KINDS, first, counts[1], strict=True))
    return Frame("test_excluded_composition", ("Human/System", *columns), named)


def _cross_table(prepared: Prepared, rows: Rows) -> tuple[list[int], list[int]]:
    """Left out responses by human score, where the system's score is a number and where it is not."""
    human = prepared.predictions.numbers(prepared.config.human_score_column)[rows]
    system = np.isfinite(prepared.predictions.numbers(prepared.config.system_score_column)[rows])
    kinds = np.select([~np.isfinite(human), human == 0], [2, 1], default=0)
    counts = [np.bincount(kinds[numeric], minlength=3).tolist() for numeric in (system, ~system)]
    return counts[0], counts[1]
