"""What an experiment of RSMTool left in its output folder, as an evaluation that stands beside others."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path

from adjudge.data.source import Numbers, Text, open_source, whole_batch
from adjudge.data.tables.files import check_folder
from adjudge.errors import InputError, path_text, quoted
from adjudge.evaluation.outcome import Data, Outcome, Settings
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.results import WHOLE_NAME, ResultTable, Row
from adjudge.report.evaluation import Evaluation

ENDINGS = (".csv", ".tsv", ".xlsx", ".jsonlines")
# The columns of RSMTool's tables, what they are called here, and what they are divided by.
EVALUATED = {
    "wtkappa": ("quadratic_weighted_kappa", 1),
    "corr": ("correlation", 1),
    "R2": ("r_squared", 1),
    "kappa": ("cohen_kappa", 1),
    "exact_agr": ("exact_agreement", 100),
    "adj_agr": ("adjacent_agreement", 100),
    "SMD": ("standardized_mean_difference", 1),
    "RMSE": ("rmse", 1),
}
TRUE_SCORES = {"PRMSE true": ("prmse", 1)}
TRUE = "true_score_eval"
NO_INTERVAL = "no interval: RSMTool gives none"


def is_output_folder(path: object) -> bool:
    """Whether this is the name of a folder in which RSMTool, or `adjudge rsmeval`, left its tables."""
    return isinstance(path, (str, os.PathLike)) and os.path.isdir(path) and _table(Path(path), "eval") is not None


def read_outputs(path: str | os.PathLike[str]) -> Evaluation:
    """The figures of one experiment, without intervals: RSMTool's tables have none."""
    folder = Path(path_text(path))
    rows = [*_rows(folder, "eval", EVALUATED), *_rows(folder, TRUE, TRUE_SCORES)]
    if not rows:
        raise InputError(
            f"{quoted(folder.name)} must be an output folder of RSMTool with a table that ends in _eval.csv, but it "
            "has none. Name the folder that was given as its output."
        )
    responses = max(row.n for row in rows)
    outcome = Outcome(
        task="scoring",
        data=Data(folder.name, "", responses, responses, {}, [], {}),
        settings=Settings(0.95, 0, 0, "none", "none", "RSMTool", {}),
        systems=list(dict.fromkeys(row.system for row in rows)),
        slice_columns=[],
        metrics=list(dict.fromkeys(row.metric for row in rows)),
        table=ResultTable(tuple(rows)),
        panels=Panels(),
    )
    return Evaluation(outcome)


def _table(folder: Path, name: str) -> Path | None:
    """The table of an experiment whose name ends so; refused where several experiments share a folder."""
    check_folder(folder)
    places = [place for place in (folder, folder / "output") if os.path.isdir(place)]
    check_folder(places[-1])
    tables = [
        file
        for place in places
        for file in sorted(place.iterdir())
        if file.suffix in ENDINGS and file.stem.endswith(f"_{name}")
        if name == TRUE or not file.stem.endswith(f"_{TRUE}")
    ]
    if len({file.stem for file in tables}) > 1:
        raise InputError(
            f"{quoted(folder.name)} must hold the output of one experiment, but there are {quoted(tables[0].name)} and "
            f"{quoted(tables[1].name)}. Put each into a folder of its own."
        )
    return tables[0] if tables else None


def _rows(folder: Path, name: str, known: dict[str, tuple[str, int]]) -> Iterator[Row]:
    file = _table(folder, name)
    if file is None:
        return
    source = open_source(str(file))
    first, *others = source.column_names  # which form of the score, and its figures
    chosen = [column for column in known if column in others]
    numbers = [*chosen, *(["N"] if "N" in others else [])]
    batch = whole_batch(source, [first], numbers)
    forms = batch.columns[first]
    assert isinstance(forms, Text)
    values = {name: column.values for name, column in batch.columns.items() if isinstance(column, Numbers)}
    for place, code in enumerate(forms.codes.tolist()):
        figures = {column: float(values[column][place]) for column in numbers}
        n = figures.get("N", 0.0)
        for column in chosen:
            metric, scale = known[column]
            figure = figures[column] / scale
            if not math.isnan(figure):
                form = forms.labels[code] if code >= 0 else "system"
                count = int(n) if math.isfinite(n) else 0
                yield Row(form, WHOLE_NAME, "", metric, figure, math.nan, math.nan, 0.95, "none", count, NO_INTERVAL)
