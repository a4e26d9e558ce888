"""Feedback Forensics' keys from its own files: overall statistics and annotation metrics of columns and rows.

    python -m adjudge.interop.feedback_forensics -d pairs.json [--cols …] [--rows …] [--split COLUMN] [--check]

prints them as JSON. Values are those of version 0.5.0 where it is right. Where it is not, `compatible=True` gives its
value all the same: the side of a test picked from the data, 0.5 and 0 where nothing was chosen, texts of equal length
of which the second is called longer. Intervals are the exact percentiles of what it draws.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adjudge.data.arrays import checked_arrays
from adjudge.data.formats.annotated_pairs import Pairs
from adjudge.data.formats.pair_tables import pairs_of
from adjudge.data.judgements.votes import KINDS, A, B, VotePairs, votes_of
from adjudge.diagnosis.preferences.trait_effects import two_sided
from adjudge.errors import AdjudgeError, BadValue, ColumnNotFound, SettingError, check_size, literal, path_text
from adjudge.evaluation.asking.border import bordered
from adjudge.evaluation.asking.settings import checked_form
from adjudge.interop.models_as_annotators import with_models
from adjudge.metrics import preference_accuracy, preference_kappa, preference_relevance, preference_strength
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.preferences.votes import VoteTable
from adjudge.statistics.weights import Weights

PERCENTILES = {"ci_lower_95": 0.025, "ci_lower_90": 0.05, "ci_upper_90": 0.95, "ci_upper_95": 0.975}
Rows = NDArray[np.int64]


@dataclass(frozen=True)
class VotesColumn:
    """What rows are measured against: an annotator's votes in some pairs of one file."""

    name: str
    pairs: Pairs
    annotator: str
    rows: Rows


class DatasetHandler:
    """Columns and rows of annotators over one or several files of annotated pairs.

    >>> pair = {"id": "1", "response_a": {"text": "yes"}, "response_b": {"text": "no"}}
    >>> pair["annotations"] = {"x": {"pref": "a"}, "y": {"pref": "a"}}
    >>> who = {"x": {"type": "human", "name": "ann"}, "y": {"type": "principle", "description": "is short"}}
    >>> file = {"metadata": {"version": "2.0", "default_annotator": "x"}, "annotators": who, "comparisons": [pair]}
    >>> handler = DatasetHandler()
    >>> handler.add_data_from_annotated_pairs(file, "one")
    >>> handler.get_annotator_metrics()["one"]["metrics"]["strength"]
    {'is short': 1.0}
    """

    @bordered
    def __init__(self, reference_models: Sequence[str] = (), *, compatible: bool = False) -> None:
        self.reference_models, self.compatible = tuple(reference_models), compatible
        self.datasets: dict[str, Pairs] = {}
        self.columns: list[VotesColumn] = []
        self.rows: list[str] | None = None

    @bordered
    def add_data_from_path(self, path: str | Path) -> None:
        """One file, folder of ICAI results, or table; its column is called by the name up to its first dot."""
        self._add(pairs_of(path), Path(path_text(path)).name.partition(".")[0])

    @bordered
    def add_data_from_annotated_pairs(self, file: Mapping[str, object], name: str) -> None:
        """What an AnnotatedPairs file holds."""
        self._add(pairs_of(file), name)

    @bordered
    def load_data_from_paths(self, paths: Sequence[str | Path]) -> None:
        """Several files, a column each."""
        for path in paths:
            self.add_data_from_path(path)

    def _add(self, pairs: Pairs, name: str) -> None:
        pairs = with_models(pairs, self.reference_models)
        self.datasets[name] = pairs
        reference = pairs.reference or next(iter(pairs.votes))
        self.columns.append(VotesColumn(name, pairs, reference, np.arange(len(pairs))))

    def get_available_annotators(self) -> dict[str, dict[str, str]]:
        """Every annotator of the first file by its id."""
        pairs = self._first_file
        return {
            one.id: {"annotator_visible_name": name, "annotator_in_row_name": one.label, "variant": one.group}
            for name, one in pairs.annotators.items()
        }

    def get_available_annotator_visible_names(self) -> list[str]:
        """The same, by the names that people see."""
        return list(self._first_file.annotators)

    @property
    def _first_file(self) -> Pairs:
        if not self.datasets:
            raise SettingError("Pairs must be added before anything is asked of them: add_data_from_path(FILE).")
        return next(iter(self.datasets.values()))

    def set_annotator_rows(self, names: Sequence[str]) -> None:
        """Who is measured, by visible name or id."""
        self.rows = [self._named(name) for name in _several("names", names)]

    def set_annotator_cols(self, names: Sequence[str]) -> None:
        """What they are measured against, by visible name or id: a column each, of one file."""
        if len(self.datasets) > 1:
            raise SettingError("Columns of annotators must be of one file, but there are several. Load one of them.")
        pairs = self._first_file
        every = np.arange(len(pairs))
        called = map(self._named, _several("names", names))
        self.columns = [VotesColumn(name, pairs, name, every) for name in called]

    def split_by_col(self, col: str, selected_vals: Sequence[str] | None = None) -> None:
        """A column for each value of a column of the pairs, in alphabetical order."""
        if len(self.columns) > 1:
            raise SettingError("One column must be split, but there are several. Split before setting columns.")
        whole = next(iter(self.columns), None)
        if whole is None:
            raise SettingError("Pairs must be added before they are split: add_data_from_path(FILE).")
        if not isinstance(col, str) or col not in whole.pairs.columns:
            raise ColumnNotFound("col", col, list(whole.pairs.columns))
        values = np.array([str(value) for value in whole.pairs.columns[col]])
        chosen = sorted(set(values.tolist())) if selected_vals is None else _several("selected_vals", selected_vals)
        self.columns = [replace(whole, name=value, rows=np.flatnonzero(values == value)) for value in chosen]

    def get_overall_metrics(self) -> dict[str, dict[str, object]]:
        """The general statistics of each column."""
        return {column.name: overall_metrics(column, self.compatible) for column in self.columns}

    def get_annotator_metrics(self) -> dict[str, dict[str, object]]:
        """Every metric of each row beside each column."""
        return {column.name: self._metrics(column) for column in self.columns}

    def _metrics(self, column: VotesColumn) -> dict[str, object]:
        pairs = column.pairs
        traits = [name for name, one in pairs.annotators.items() if one.group == "trait"]
        others = [name for name in pairs.votes if name != column.annotator]
        rows = self.rows if self.rows is not None else traits or others
        reference = pairs.votes[column.annotator][column.rows]
        metrics: dict[str, dict[str, object]] = {}
        for name in rows:
            values = annotation_metrics(reference, pairs.votes[name][column.rows], compatible=self.compatible)
            for key, value in values.items():
                metrics.setdefault(key, {})[pairs.annotators[name].label] = value
        names = sorted(pairs.annotators[name].label for name in rows)
        return {"annotator_names": names, "num_pairs": int((reference <= B).sum()), "metrics": metrics}

    def _named(self, name: str) -> str:
        pairs = self._first_file
        known = {alias: visible for visible, one in pairs.annotators.items() for alias in (one.id, one.label, visible)}
        if name not in known:
            raise ColumnNotFound("annotators", name, list(pairs.annotators))
        return known[name]


def _several(argument: str, names: object) -> list[str]:
    """One name, or several: at least one."""
    named = checked_form(argument, "called", names)
    if not named:
        raise SettingError(f"`{argument}` must name at least one, but there is none.")
    return named if isinstance(named, list) else [str(named)]


@bordered
def annotation_metrics(reference: object, votes: object, *, compatible: bool = False) -> dict[str, object]:
    """The metrics of one row beside one column, under Feedback Forensics' keys; votes are words, or codes of kinds.

    >>> annotation_metrics(["a", "b", "b"], ["a", "b", "tie"])["agreed"]
    2
    """
    pairs = _paired(reference, votes)
    table = VoteTable.collect(pairs, Weights(len(pairs)))
    agreed, disagreed, total = (int(one) for one in (table.agreed, table.disagreed, table.reference_chose))

    def value(metric: Metric, otherwise: float = math.nan) -> float:
        estimate = float(metric.values(table))
        return otherwise if compatible and math.isnan(estimate) else estimate

    strength = value(preference_strength.using(over="reference"))
    p = {"p_value": _p_value(agreed, disagreed, compatible=compatible)}
    limits = strength_percentiles(agreed, disagreed, total)
    observed = value(preference_kappa.using(chance="observed"), 0.0 if agreed + disagreed == 0 else math.nan)
    return {
        "agreement": agreed / total if total else math.nan,
        "acc": value(preference_accuracy, 0.5),
        "relevance": value(preference_relevance.using(over="reference")),
        "strength": {"strength": strength, "hide_metrics": True, **p} if compatible else strength,
        "strength_with_stats": {"strength": strength, "hide_metrics": False, **p, **limits},
        "strength_ci": limits,
        "agreement_binomial_significance": p,
        "cohens_kappa_og": observed,
        "cohens_kappa": value(preference_kappa, 0.0),
        "num_votes": total,
        "agreed": agreed,
        "disagreed": disagreed,
        "not_applicable": total - agreed - disagreed,
    }


def _paired(reference: object, votes: object) -> VotePairs:
    """Two columns of votes: arrays of codes as they are, anything else read as words."""
    reference, votes = checked_arrays(reference, votes)
    codes = [one for one in (reference, votes) if isinstance(one, np.ndarray) and one.dtype.kind in "iu"]
    if len(codes) < 2:
        return votes_of(reference, votes)
    known = all(0 <= one.min(initial=0) <= one.max(initial=0) < len(KINDS) for one in codes)
    if codes[0].ndim != 1 or codes[0].shape != codes[1].shape or not known:
        raise BadValue(f"Codes of votes must be as many on both sides, and each from 0 to {len(KINDS) - 1}.")
    return VotePairs(codes[0].astype(np.int64), codes[1].astype(np.int64))


def _p_value(agreed: int, disagreed: int, *, compatible: bool) -> float:
    """Two-sided and exact; or one-sided, with the side that the votes lean to."""
    if not compatible or agreed + disagreed == 0:
        return float(two_sided(agreed, disagreed))
    from scipy.special import betainc

    # P(at least as many as the larger, or as few as the smaller count): the same by symmetry.
    least, total = min(agreed, disagreed), agreed + disagreed
    return float(betainc(total - least, least + 1, 0.5))


@bordered
def strength_percentiles(agreed: int, disagreed: int, total: int) -> dict[str, float]:
    """Percentiles of the strength of as many votes drawn anew, one of each kind added: exact, by convolution.

    >>> {name: round(limit, 3) for name, limit in strength_percentiles(7, 2, 10).items()}
    {'ci_lower_95': -0.077, 'ci_lower_90': 0.0, 'ci_upper_90': 0.769, 'ci_upper_95': 0.846}
    """
    agreed, disagreed, total = int(agreed), int(disagreed), int(total)  # of eight bits they would overflow
    if min(agreed, disagreed) < 0 or agreed + disagreed > total:
        counts = f"{literal(agreed)}, {literal(disagreed)} and {literal(total)}"
        raise BadValue(f"Votes that agree and disagree must be whole numbers, at most `total` together, not {counts}.")
    check_size(6 * total, "percentiles of so many votes")
    size = total + 3
    shares = np.array([agreed + 1, disagreed + 1, total - agreed - disagreed + 1]) / size
    turn = 2j * np.pi * np.arange(2 * size + 1) / (2 * size + 1)
    spectrum: Array = (shares[0] * np.exp(-turn) + shares[1] * np.exp(turn) + shares[2]) ** size
    mass = np.roll(np.fft.ifft(spectrum).real, size)  # of the sums from −size to size
    below = np.cumsum(mass)
    return {name: float((np.searchsorted(below, at - 1e-12) - size) / size) for name, at in PERCENTILES.items()}


@bordered
def overall_metrics(column: VotesColumn, compatible: bool = False) -> dict[str, object]:
    """The general statistics of one column; nothing where it never chose."""
    votes = column.pairs.votes[column.annotator][column.rows]
    kept = column.rows[votes <= B]
    first = votes[votes <= B] == A
    texts = [column.pairs.columns.get(f"text_{side}") for side in "ab"]
    known = all(texts)  # one text alone is neither longer nor shorter
    a, b = (
        np.array([len(text[row] or "") for row in kept], dtype=np.float64) if text and known else np.zeros(0)
        for text in texts
    )
    none = len(kept) == 0
    chose_longer = first[: len(a)] == (a > b)
    longer = chose_longer if compatible else chose_longer[a != b]

    def mean(values: Array | NDArray[np.bool_]) -> float:
        return float(np.mean(values)) if len(values) else math.nan

    return {
        "Number of preference pairs": len(kept),
        "Prop selecting text_a": None if none else mean(first),
        "Avg len text_a (chars)": mean(a),
        "Avg len text_b (chars)": mean(b),
        "Avg len selected text (chars)": mean(np.where(first, a, b) if len(a) else a),
        "Avg len rejected text (chars)": mean(np.where(first, b, a) if len(a) else a),
        "Prop selecting longer text": None if none or not len(longer) else mean(longer),
    }


def refuse_columns(path: str | Path) -> str:
    """What is wrong with a file, with its line; empty where nothing is."""
    try:
        pairs_of(path)
    except AdjudgeError as error:
        return str(error)
    return ""


def main(arguments: Sequence[str] | None = None, write: Callable[[str], object] = print) -> int:
    """Print the metrics of files as JSON, or say whether they can be read."""
    about = __doc__.partition("\n")[0]
    parser = argparse.ArgumentParser("adjudge.interop.feedback_forensics", description=about)
    parser.add_argument("-d", "--datapath", nargs="+", required=True, help="AnnotatedPairs files, ICAI result folders")
    parser.add_argument("--cols", nargs="+", help="annotators to measure against, by visible name or id")
    parser.add_argument("--rows", nargs="+", help="annotators to measure (default: the traits)")
    parser.add_argument("--split", metavar="COLUMN", help="a column for each value of this one")
    parser.add_argument("--reference-models", nargs="+", default=[], help="models that others are held against")
    parser.add_argument("--compatible", action="store_true", help="the same values also where they are not right")
    parser.add_argument("--check", action="store_true", help="only say whether the files can be read")
    options = parser.parse_args(arguments)
    if options.check:
        wrong = {path: refuse_columns(path) for path in options.datapath}
        for path, message in wrong.items():
            write(f"{Path(path).name}: {message or 'can be read'}")
        return 2 if any(wrong.values()) else 0
    try:
        handler = DatasetHandler(options.reference_models, compatible=options.compatible)
        handler.load_data_from_paths(options.datapath)
        if options.cols:
            handler.set_annotator_cols(options.cols)
        if options.rows:
            handler.set_annotator_rows(options.rows)
        if options.split:
            handler.split_by_col(options.split)
        metrics = {"overall": handler.get_overall_metrics(), "annotator": handler.get_annotator_metrics()}
    except AdjudgeError as error:
        print(f"adjudge: {error}", file=sys.stderr)
        return 2
    write(json.dumps(_plain(metrics), indent=2, ensure_ascii=False))
    return 0


def _plain(value: object) -> object:
    """The same with undefined numbers as null."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return None if isinstance(value, float) and math.isnan(value) else value


if __name__ == "__main__":
    sys.exit(main())
