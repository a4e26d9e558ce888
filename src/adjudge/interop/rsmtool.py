"""RSMTool's `rsmeval`, as a drop-in: its configuration in, its files out, and adjudge's own report.

The files have RSMTool's names, columns and values, except where RSMTool is wrong; docs/rsmtool.md lists those places.
The report is the scoring task's: every figure with its interval.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from adjudge.data.cleaning import level_name
from adjudge.data.source import Text
from adjudge.data.tables.files import check_folder
from adjudge.data.tables.frames import Table
from adjudge.diagnosis.fairness import ScoreModel, fairness_of
from adjudge.engines.base import Collected
from adjudge.errors import InputError, SettingError, quoted
from adjudge.evaluation.asking.border import bordered
from adjudge.evaluation.request import Request, request
from adjudge.evaluation.walk import collect, measure, walk
from adjudge.interop.rsmtool_config import DEFAULTS, REQUIRED, SECTIONS, checked_config, checked_format, read_experiment
from adjudge.interop.rsmtool_data import AS_IS, Prepared, prepared, responses_table, task_reading
from adjudge.interop.rsmtool_files import WRITERS, file_names, write_inside
from adjudge.interop.rsmtool_frames import Frame, composition_frames, response_frames
from adjudge.interop.rsmtool_tables import cell, figure_frames
from adjudge.report import html
from adjudge.report.evaluation import Evaluation
from adjudge.tasks import task_named
from adjudge.tasks.scoring.panels import errors_by_slice

# Of the report's intervals: a limit is then known to a twelfth of a standard error.
REPLICATES = 1_000


@dataclass(frozen=True)
class Evaluated:
    """What was written, and what is to be said about it."""

    files: tuple[Path, ...]
    report: Path
    notes: tuple[str, ...]
    evaluation: Evaluation


@np.errstate(all="ignore")  # undefined cells are empty; NumPy need not warn of them on the way
@bordered
def run_evaluation(
    config: str | os.PathLike[str] | Mapping[str, object],
    output_dir: str | os.PathLike[str] = ".",
    overwrite_output: bool = False,
    *,
    file_format: str | None = None,
    replicates: int = REPLICATES,
) -> Evaluated:
    """Evaluate as `rsmeval` does: a configuration (a file, or a dictionary) and a folder to write into.

    Everything is worked out before anything is written.
    """
    settings = checked_config(config) if isinstance(config, Mapping) else read_experiment(config)
    ending = settings.file_format if file_format is None else checked_format(file_format, "format")
    folder = Path(output_dir)
    notes = list(settings.notes)
    _refuse_used(folder, overwrite_output)
    data = prepared(settings)
    scoring = _request(data, data.table, replicates)
    collected = collect(scoring)
    frames = list(tables(data, collected))
    evaluation = _evaluation(data, scoring, collected, notes)
    contents: dict[str, str | bytes] = {
        f"output/{name}": WRITERS[ending](frame)
        for frame, name in zip(frames, file_names(frames, settings.experiment_id, ending), strict=True)
    }
    contents[f"output/{settings.experiment_id}_rsmeval.json"] = _written({**settings.written, "file_format": ending})
    contents[f"report/{settings.experiment_id}_report.html"] = html.render(evaluation.summary)
    notes += _left_behind(folder, contents)
    inputs = [path for path in (settings.predictions_file, settings.scale_with) if isinstance(path, Path)]
    *files, report = write_inside(folder, contents, inputs)
    return Evaluated(tuple(files), report, tuple(notes), evaluation)


def _written(settings: Mapping[str, object]) -> str:
    """The configuration as it was understood, as JSON."""
    try:
        return json.dumps(settings, indent=4, ensure_ascii=False, default=_plain)
    except RecursionError:
        raise SettingError("A configuration must not hold lists so deep in lists. Leave them out.") from None
    except (TypeError, ValueError):  # a whole number of 5,000 digits, keys that are no text
        raise SettingError("A configuration must hold what JSON can write, but part of it cannot be written.") from None


def _plain(value: object) -> object:
    """What a dictionary of Python may hold and JSON has no word for: a number of NumPy, a path."""
    return value.item() if isinstance(value, np.generic) else str(value)


def tables(data: Prepared, collected: Collected) -> Iterable[Frame]:
    """Every table that `rsmeval` writes."""
    yield from response_frames(data)
    yield from composition_frames(data)
    yield from figure_frames(data, collected)
    if data.config.wants("fairness_analyses"):
        yield from fairness_frames(data, collected)


def _refuse_used(folder: Path, overwrite: bool) -> None:
    """Before any work: the folder can be written into, and nobody's results are in it."""
    if os.path.exists(folder) and not folder.is_dir():
        raise InputError(f"The output must be a folder, but {quoted(folder)} is a file. Name another.")
    inside = folder / "output"
    if os.path.isdir(inside):
        check_folder(inside)
    if not overwrite and os.path.isdir(inside) and any(inside.iterdir()):
        raise SettingError(f"{quoted(inside)} must be empty, but there are files in it. Name another, or give -f.")


def _left_behind(folder: Path, contents: Mapping[str, object]) -> list[str]:
    inside = folder / "output"
    old = [path.name for path in inside.glob("*")] if os.path.isdir(inside) else []
    more = [name for name in old if f"output/{name}" not in contents]
    return [f"{len(more)} files of earlier runs stay in {quoted(inside)}."] if more else []


def _request(data: Prepared, table: Table, replicates: int) -> Request:
    """The scoring task on the same responses, with what the configuration says of them."""
    config = data.config
    low, high, tolerance = config.trim
    reading = task_reading(data.predictions, config)
    return request(
        task_named("scoring"),
        table,
        raters=reading.raters,
        prediction=[config.system_score_column],
        slices=config.subgroups,
        candidate=config.candidate_column,
        flag=reading.flags,
        zeros="exclude" if config.exclude_zero_scores else "keep",
        min_items=config.min_items_per_candidate,
        min=low,
        max=high,
        tolerance=tolerance,
        scaling=data.scaling,
        error_variance=config.rater_error_variance,
        replicates=replicates,
    )


def _evaluation(data: Prepared, scoring: Request, collected: Collected, notes: list[str]) -> Evaluation:
    """The report: of the sums that the tables show too, or, where small groups are shown as one, of their own."""
    config, (table, small) = data.config, _report_table(data)
    replicates = scoring.bootstrap.replicates
    outcome = walk(_request(data, table, replicates)) if small else measure(scoring, collected)
    more = {"Experiment": config.experiment_id, "Description": config.description, "Small groups": small}
    if config.scale_with == AS_IS:
        more["System scores"] = "already scaled; raw here is scale in the files"
    more["Configuration"] = " ".join(notes)
    choices = outcome.settings.choices | {name: text for name, text in more.items() if text}
    return Evaluation(replace(outcome, settings=replace(outcome.settings, choices=choices)))


def _report_table(data: Prepared) -> tuple[Table, str]:
    """The predictions for the report: groups below `min_n_per_group` are shown as one."""
    cells, merged = dict(data.cells), []
    for name, least in data.config.min_n_per_group.items():
        group = data.group(name)
        times = np.bincount(group.codes, minlength=len(group.categories))
        few = {level for level, count in zip(group.categories, times, strict=True) if count < min(least, times.max())}
        if few:
            cells[name] = _merged(cells[name], few, f"groups of fewer than {least}")
            merged.append(f"{len(few)} of {name} with fewer than {least} responses are shown as one")
    return responses_table(data.predictions.name, cells), "; ".join(merged)


def _merged(cells: Text, few: set[str], name: str) -> Text:
    """
    >>> _merged(Text(np.array([0, 1, 2]), ("a", "b", "c")), {"a", "c"}, "small")
    Text(codes=array([0, 1, 0]), labels=('small', 'b'))
    """
    index: dict[str, int] = {}
    places = [index.setdefault(name if label in few else label, len(index)) for label in cells.labels]
    return Text(np.array([*places, -1], dtype=np.int64)[cells.codes], tuple(index))


FAIRNESS = {
    "osa": "Overall score accuracy",
    "osd": "Overall score difference",
    "csd": "Conditional score difference",
}


def fairness_frames(data: Prepared, collected: Collected) -> Iterator[Frame]:
    """The three regressions for each subgroup."""
    view = data.view(f"{data.chosen}_trim")
    for _, name, cells in errors_by_slice(collected, [view], data.config.subgroups):
        labels = {level_name(label): label for label in data.group(name).categories}
        named = replace(cells, groups=tuple(labels[level] for level in cells.groups))
        fair = fairness_of(named.of_levels(None), equal_variances=True)  # the p-values of RSMTool's files
        for short, model in zip(FAIRNESS, fair.models, strict=True):
            yield _estimates(f"estimates_{short}_by_{name}", model)
        rows = [
            ("R2", *(cell(model.adjusted) for model in fair.models), fair.reference),
            ("sig", *(cell(model.p) for model in fair.models), fair.reference),
        ]
        yield Frame(f"fairness_metrics_by_{name}", ("", *FAIRNESS.values(), "base_category"), rows)


def _estimates(name: str, model: ScoreModel) -> Frame:
    rows = [
        (
            f"Intercept ({one.group})" if place == 0 else one.group,
            *(cell(figure) for figure in (one.estimate, one.p, one.low, one.high)),
        )
        for place, one in enumerate(model.coefficients)
    ]
    return Frame(name, ("", "estimate", "P>[t]", "[0.025", "0.975]"), rows)


FILL_IN = "ENTER_VALUE_HERE"
BY_GROUP = ("data_description_by_group", "evaluation_by_group", "fairness_analyses")
REFERENCE = "https://rsmtool.readthedocs.io/en/stable/advanced_usage.html#experiment-configuration-file"
EDIT_IT = "The configuration must be edited: its required fields have no values yet, and others depend on your data."


def example_config(subgroups: bool = False) -> str:
    """Every field with its default, in RSMTool's order and with its comments; with `subgroups`, their sections too.

    >>> '"trim_min": "ENTER_VALUE_HERE"' in example_config(), "fairness_analyses" in example_config(subgroups=True)
    (True, True)
    """
    sections = [name for name in SECTIONS if subgroups or name not in BY_GROUP]
    optional = {**DEFAULTS, "general_sections": sections}
    lines = [f"    // Reference: {REFERENCE}", f'    // REQUIRED: replace "{FILL_IN}" with the appropriate value!']
    lines += [f"{_field(name, FILL_IN)}," for name in REQUIRED]
    lines.append("    // OPTIONAL: replace default values below based on your data.")
    lines += [",\n".join(_field(name, optional[name]) for name in sorted(optional))]
    return "{\n" + "\n".join(lines) + "\n}"


def _field(name: str, value: object) -> str:
    written = json.dumps(value, indent=4).replace("\n", "\n    ")
    return f'    "{name}": {written}'
