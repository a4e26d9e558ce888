"""RSMTool's `rsmeval` configuration, checked.

Each mistake is told in one sentence that names the field, what it may be, and what it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from adjudge.data.tables.documents import whole_file
from adjudge.errors import InputError, SettingError, check_choice, did_you_mean, listed, path_text, quoted
from adjudge.evaluation.declaration import Given
from adjudge.interop.rsmtool_fields import Fields, is_blank, json_text, parsed_json

FILE_FORMATS = ("csv", "tsv", "xlsx", "jsonlines")
SECTIONS = (
    "data_description",
    "data_description_by_group",
    "consistency",
    "evaluation",
    "true_score_evaluation",
    "evaluation_by_group",
    "fairness_analyses",
    "intermediate_file_paths",
    "sysinfo",
)
REQUIRED = ("experiment_id", "predictions_file", "system_score_column", "trim_min", "trim_max")
# In the order in which RSMTool writes them out.
DEFAULTS: Mapping[str, object] = {
    "id_column": "spkitemid",
    "description": "",
    "human_score_column": "sc1",
    "exclude_zero_scores": True,
    "use_thumbnails": False,
    "scale_with": None,
    "second_human_score_column": None,
    "file_format": "csv",
    "candidate_column": None,
    "general_sections": ["all"],
    "custom_sections": None,
    "rater_error_variance": None,
    "trim_tolerance": 0.4998,
    "subgroups": [],
    "min_n_per_group": None,
    "section_order": None,
    "flag_column": None,
    "min_items_per_candidate": None,
    "use_wandb": False,
    "wandb_project": None,
    "wandb_entity": None,
}
# Fields of RSMTool's other commands. `rsmeval` drops them without a word; we say so.
FOREIGN = frozenset(
    (
        "model",
        "train_file",
        "test_file",
        "train_label_column",
        "test_label_column",
        "use_scaled_predictions",
        "select_transformations",
        "standardize_features",
        "truncate_outliers",
        "use_truncation_thresholds",
        "predict_expected_scores",
        "sign",
        "features",
        "length_column",
        "form_level_scores",
        "feature_subset_file",
        "feature_subset",
        "skll_fixed_parameters",
        "skll_objective",
        "flag_column_test",
        "experiment_names",
        "folds_file",
        "folds",
        "sample_range",
        "sample_size",
        "sample_ids",
        "background_kmeans_size",
        "num_features_to_display",
        "show_auto_cohorts",
        "skll_grid_search_jobs",
        "description_old",
        "description_new",
        "use_scaled_predictions_old",
        "use_scaled_predictions_new",
    )
)
IGNORED = {
    "custom_sections": "notebooks are not run",
    "section_order": "the report has its own order",
    "use_thumbnails": "the report draws its pictures itself",
    "use_wandb": "nothing is sent anywhere",
}
LONGEST_ID = 200


@dataclass(frozen=True)
class Configuration:
    """A configuration that was checked, and what is to be said of it."""

    experiment_id: str
    predictions_file: Path
    system_score_column: str
    human_score_column: str
    second_human_score_column: str | None
    id_column: str
    candidate_column: str | None
    trim: tuple[float, float, float]  # lowest, highest, tolerance
    min_items_per_candidate: int | None
    exclude_zero_scores: bool
    flags: Mapping[str, tuple[object, ...]]
    scale_with: str | Path | None  # None, "asis", "raw" or a file
    rater_error_variance: float | None
    subgroups: tuple[str, ...]
    min_n_per_group: Mapping[str, int]
    file_format: str
    general_sections: tuple[str, ...]
    description: str
    written: Mapping[str, object]  # as RSMTool would write it out, defaults filled in
    notes: tuple[str, ...] = ()

    def wants(self, section: str) -> bool:
        """Whether a section was asked for, and with it the files that it writes."""
        return "all" in self.general_sections or section in self.general_sections


def read_experiment(path: str | os.PathLike[str]) -> Configuration:
    """The configuration in a file."""
    where = Path(path_text(path))
    try:
        text = whole_file(where).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"The configuration must be UTF-8 text, but {quoted(where.name)} is not.") from None
    return checked_config(parsed_json(text, where.name), where.parent)


def checked_config(given: Mapping[str, object], folder: Path | None = None) -> Configuration:
    """The configuration in a dictionary; files are looked for from here, then from the configuration's folder.

    >>> config = checked_config({"experiment_id": "e", "predictions_file": __file__, "system_score_column": "m",
    ...                        "trim_min": "1", "trim_max": 6, "subgroups": "a, b"})
    >>> config.trim, config.subgroups
    ((1.0, 6.0, 0.4998), ('a', 'b'))
    """
    _refuse_unknown(given)
    values = {**given, **{name: default for name, default in DEFAULTS.items() if name not in given}}
    fields = Fields(values)
    subgroups = tuple(dict.fromkeys(fields.texts("subgroups") or ()))
    sections = _sections(fields)
    settings: Given = {
        "experiment_id": _experiment_id(fields),
        "predictions_file": located("predictions_file", fields.text("predictions_file"), folder),
        "system_score_column": fields.text("system_score_column"),
        "human_score_column": fields.text("human_score_column"),
        "second_human_score_column": fields.text_or_none("second_human_score_column"),
        "id_column": fields.text("id_column"),
        "candidate_column": fields.text_or_none("candidate_column"),
        "trim": _trim(fields),
        "min_items_per_candidate": fields.whole("min_items_per_candidate", least=1),
        "exclude_zero_scores": fields.truth("exclude_zero_scores"),
        "flags": _flags(values["flag_column"]),
        "scale_with": _scale_with(fields, folder),
        "rater_error_variance": _variance(fields),
        "subgroups": subgroups,
        "min_n_per_group": _least_by_group(fields, subgroups),
        "file_format": checked_format(fields.text("file_format"), "file_format"),
        "general_sections": sections,
        "description": _description(fields),
    }
    _refuse_one_column_twice(settings)
    if settings["min_items_per_candidate"] is not None and settings["candidate_column"] is None:
        raise SettingError("`min_items_per_candidate` needs `candidate_column`: who gave a response.")
    written = {name: _plain(fields, name) for name in values if name not in FOREIGN}
    written["min_n_per_group"] = dict(settings["min_n_per_group"]) or written["min_n_per_group"]
    return Configuration(**settings, written=written, notes=tuple(_notes(fields, given, settings)))


def _refuse_unknown(given: Mapping[str, object]) -> None:
    known = (*REQUIRED, *DEFAULTS)
    for name in given:
        if name not in known and name not in FOREIGN:
            raise SettingError(f"The configuration has no field {quoted(name)}. {did_you_mean(str(name), known)}")
    for name in REQUIRED:
        if given.get(name) is None:
            raise SettingError(f"`{name}` must be given in the configuration, but it is not.")


def _refuse_one_column_twice(settings: Mapping[str, object]) -> None:
    human = settings["human_score_column"]
    for other in ("system_score_column", "second_human_score_column"):
        if settings[other] == human:
            raise SettingError(f"`human_score_column` and `{other}` must differ, but both are {quoted(human)}.")
    if settings["system_score_column"] == settings["second_human_score_column"]:
        raise SettingError(
            "`system_score_column` and `second_human_score_column` must differ, but both are "
            f"{quoted(settings['system_score_column'])}."
        )


def _experiment_id(fields: Fields) -> str:
    name = fields.text("experiment_id")
    if len(name) > LONGEST_ID:
        raise SettingError(f"`experiment_id` must have at most {LONGEST_ID} characters, but it has {len(name)}.")
    if re.search(r"[\s/\\:\x00-\x1f\ud800-\udfff]", name) or name.startswith("."):
        raise SettingError(
            f"`experiment_id` begins the names of files: it must be without blanks, '/', '\\' and ':' and not begin "
            f"with a dot, but it is {quoted(name)}."
        )
    return name


def _description(fields: Fields) -> str:
    text = fields.values["description"]
    if text is not None and not isinstance(text, str):
        raise SettingError(f"`description` must be a text, not {json_text(text)}.")
    return text or ""


def _trim(fields: Fields) -> tuple[float, float, float]:
    low, high, tolerance = (fields.number(name) for name in ("trim_min", "trim_max", "trim_tolerance"))
    if not low < high:
        raise SettingError(f"`trim_min` must be below `trim_max`, but they are {low:g} and {high:g}.")
    if tolerance < 0:
        raise SettingError(f"`trim_tolerance` must be at least 0, not {tolerance:g}.")
    return low, high, tolerance


def _variance(fields: Fields) -> float | None:
    if is_blank(fields.values["rater_error_variance"]):
        return None
    variance = fields.number("rater_error_variance")
    if variance < 0:
        raise SettingError(f"`rater_error_variance` must be at least 0, not {variance:g}.")
    return variance


def _flags(given: object) -> dict[str, tuple[object, ...]]:
    if given is None or (isinstance(given, (str, int, float, list, dict)) and not given):
        return {}
    if not isinstance(given, dict):
        raise SettingError(f'`flag_column` must be an object such as {{"advisory": ["0"]}}, not {json_text(given)}.')
    settings = {name: tuple(value if isinstance(value, list) else [value]) for name, value in given.items()}
    for name, values in settings.items():
        if not values or not all(isinstance(value, str | int | float) for value in values):
            raise SettingError(
                f"`flag_column` must list the texts or numbers that may stay, but {quoted(name)} has "
                f"{json_text(given[name])}."
            )
    return settings


def _scale_with(fields: Fields, folder: Path | None) -> str | Path | None:
    name = fields.text_or_none("scale_with")
    return name if name in (None, "asis", "raw") else located("scale_with", name, folder)


def _least_by_group(fields: Fields, subgroups: tuple[str, ...]) -> dict[str, int]:
    given = fields.values["min_n_per_group"]
    if isinstance(given, dict):
        if set(given) != set(subgroups):
            raise SettingError(
                f"`min_n_per_group` must have a number for each of `subgroups`, {listed(subgroups)}, and no other, but "
                f"it has {listed(given)}."
            )
        return {name: Fields({"min_n_per_group": given[name]}).whole("min_n_per_group") or 0 for name in subgroups}
    least = fields.whole("min_n_per_group")
    return {} if least is None else dict.fromkeys(subgroups, least)


def _sections(fields: Fields) -> tuple[str, ...]:
    sections = fields.texts("general_sections") or ["all"]
    for name in sections:
        if name not in ("all", *SECTIONS):
            raise SettingError(
                f"`general_sections` has no section {quoted(name)}. {did_you_mean(name, ('all', *SECTIONS))}"
            )
    return tuple(sections)


def checked_format(name: str, field: str) -> str:
    """A format that tables can be written in."""
    check_choice(field, name, FILE_FORMATS)
    return name


def located(field: str, name: str, folder: Path | None) -> Path:
    """A file as it is named, or else in the configuration's folder."""
    for candidate in (Path(name), (folder or Path()) / name):
        if os.path.isfile(candidate):
            return candidate
    elsewhere = "" if folder is None else f" nor in the configuration's folder {quoted(folder)}"
    words = ', or "asis", "raw" or null' if field == "scale_with" else ""
    raise InputError(f"`{field}` must name a file{words}, but there is no {quoted(name)} here{elsewhere}.")


_READERS: dict[str, Callable[[Fields, str], object]] = dict.fromkeys(
    ("general_sections", "custom_sections", "subgroups", "section_order"), Fields.texts
) | dict.fromkeys(("exclude_zero_scores", "use_thumbnails", "use_wandb"), Fields.truth)


def _plain(fields: Fields, name: str) -> object:
    """A field as RSMTool writes it out: lists and booleans are read, all else is as it was given."""
    return _READERS[name](fields, name) if name in _READERS else fields.values[name]


def _notes(fields: Fields, given: Mapping[str, object], settings: Given) -> list[str]:
    said = [f"`{name}` belongs to another RSMTool command and is ignored." for name in given if name in FOREIGN]
    said += [f"`{name}` is ignored: {why}." for name, why in IGNORED.items() if _plain(fields, name)]
    if "all" not in settings["general_sections"]:
        said.append("`general_sections` decides which files are written; the report has all its sections.")
    if settings["exclude_zero_scores"] and settings["trim"][0] == 0:
        said.append("`trim_min` is 0 and `exclude_zero_scores` is true: human scores of 0 are left out.")
    if settings["min_n_per_group"] == {} and not is_blank(fields.values["min_n_per_group"]):
        said.append("`min_n_per_group` is ignored: there are no `subgroups`.")
    return said
