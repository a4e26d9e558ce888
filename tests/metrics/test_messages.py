"""Every refusal of the array functions, word for word. Read it as a list: does each line say what must hold,
what was found and what to do?"""

from __future__ import annotations

import math

import numpy as np
import pytest

from adjudge import metrics as m
from adjudge.errors import AdjudgeError
from adjudge.metrics.pair_fits import FITTED

NAN, INF = math.nan, math.inf
THREE = [[0.1, 0.2, 0.7]] * 3
FIRST_DOZEN = ", ".join(f'"{metric.name}"' for metric in m.every()[:12])

KNOWN = len(m.every()) + len(FITTED)
REFUSALS = [
    # the arrays
    (
        lambda: m.accuracy(["a"]),
        "This metric needs two arrays: the reference, and the prediction or score.",
    ),
    (
        lambda: m.accuracy(["a"], ["a", "b"]),
        "`prediction` must be as long as `reference` (1 rows), but it has 2.",
    ),
    (
        lambda: m.accuracy(["a", None], ["a", "b"]),
        (
            "`reference` must not have missing values here, but 1 are missing. "
            "Leave those rows out, or use adjudge.evaluate, which counts them."
        ),
    ),
    (
        lambda: m.accuracy(["a", "b"], ["a", NAN]),
        (
            "`prediction` must not have missing values here, but 1 are missing. "
            "Leave those rows out, or use adjudge.evaluate, which counts them."
        ),
    ),
    (
        lambda: m.roc_auc([0, 1], [0.1, 0.2, 0.3]),
        "`score` must hold one value for each of the 2 rows, but its shape is (3,).",
    ),
    (
        lambda: m.roc_auc([0, 1], [[[0.1]], [[0.2]]]),
        "`score` must hold one value for each of the 2 rows, but its shape is (2, 1, 1).",
    ),
    (
        lambda: m.roc_auc([0, 1], [0.1, NAN]),
        "`score` must be finite numbers, but some are missing or infinite. Leave those rows out first.",
    ),
    (
        lambda: m.roc_auc([0, 1], [0.1, INF]),
        "`score` must be finite numbers, but some are missing or infinite. Leave those rows out first.",
    ),
    # the weights
    (
        lambda: m.accuracy(["a"], ["a"], weights=[1, 2]),
        "`weights` must hold one number for each of the 1 rows, but its shape is (2,).",
    ),
    (
        lambda: m.accuracy(["a"], ["a"], weights=[-1]),
        "`weights` must not be negative, but the smallest is -1.",
    ),
    (
        lambda: m.accuracy(["a"], ["a"], weights=[0]),
        "`weights` must not all be zero: no row would count.",
    ),
    (
        lambda: m.accuracy(["a"], ["a"], weights=[NAN]),
        "`weights` must be finite numbers, but some are missing or infinite. Leave those rows out.",
    ),
    # which category
    (
        lambda: m.precision(["a", "b"], ["a", "b"]),
        (
            '`precision` is one number for each category. Give `positive=` one of "a", "b", '
            'or use precision.averaged("macro").'
        ),
    ),
    (
        lambda: m.precision(["a", "b"], ["a", "b"], positive="c"),
        '`positive` must be one of "a", "b", not "c".',
    ),
    (
        lambda: m.roc_auc(["a", "b", "c"], [0.1, 0.2, 0.3]),
        '`positive` must say which category a high score stands for: there are "a", "b", "c".',
    ),
    (
        lambda: m.roc_auc([0, 1, 2], THREE),
        (
            '`roc_auc` is one number for each category. Give `positive=` one of "0", "1", "2", '
            'or use roc_auc.averaged("macro").'
        ),
    ),
    (
        lambda: m.roc_auc([0, 1, 2], THREE, positive=9),
        '`positive` must be one of "0", "1", "2", not "9".',
    ),
    (
        lambda: m.recall_at_precision.threshold_of([0, 1, 2], THREE, at=0.9),
        (
            '`recall_at_precision` is one number for each category. Give `positive=` one of "0", "1", "2", '
            'or use recall_at_precision.averaged("macro").'
        ),
    ),
    (
        lambda: m.roc_auc([0, 1, 2], [[0.1, 0.2]] * 3),
        '`categories` must name each of the 2 score columns, but there are 3: "0", "1", "2".',
    ),
    (
        lambda: m.roc_auc([0, 1, 2], THREE, categories=["0", "1"]),
        '`categories` must name each of the 3 score columns, but there are 2: "0", "1".',
    ),
    # parameters
    (lambda: m.accuracy.using(beta=2), '`accuracy` has no parameter "beta". It takes none.'),
    (
        lambda: m.f_score.using(gamma=2),
        '`f_score` has no parameter "gamma". It takes: "average", "beta".',
    ),
    (lambda: m.f_score.using(beta=0), "`beta` must be a positive number, not 0."),
    (lambda: m.f_score.using(beta="x"), "`beta` must be a positive number, not 'x'."),
    (lambda: m.f_score.using(beta=True), "`beta` must be a positive number, not True."),
    (
        lambda: m.f_score(["a", "b"], ["a", "b"], positive="a", beta=-1),
        "`beta` must be a positive number, not -1.",
    ),
    (
        lambda: m.cohen_kappa.using(weighting="cubic"),
        (
            '`weighting` must be a matrix or one of "none", "linear", "quadratic", "ordinal", "radical", "ratio", '
            '"circular", "bipolar", not \'cubic\'.'
        ),
    ),
    (
        lambda: m.precision_at_recall.using(at=0),
        "`at` must be a share above 0 and at most 1, not 0.",
    ),
    (
        lambda: m.precision_at_recall.using(at="x"),
        "`at` must be a share above 0 and at most 1, not 'x'.",
    ),
    (
        lambda: m.precision_at_volume.using(at=NAN),
        "`at` must be a share above 0 and at most 1, not nan.",
    ),
    (
        lambda: m.recall_at_false_positive_rate.using(at=-0.1),
        "`at` must be a share between 0 and 1, not -0.1.",
    ),
    (lambda: m.calibration_error.using(bins=0), "`bins` must be a whole number of at least 1, not 0."),
    (
        lambda: m.calibration_error.using(bins=2**20 + 1),
        "`bins` must be at most 1,048,576, not 1048577. Ask for fewer.",
    ),
    (lambda: m.calibration_error.using(bins=2.5), "`bins` must be a whole number of at least 1, not 2.5."),
    (lambda: m.calibration_error.using(bins=True), "`bins` must be a whole number of at least 1, not True."),
    # averages and thresholds
    (
        lambda: m.recall.averaged("mean"),
        '`average` must be one of "macro", "micro", "weighted", not \'mean\'.',
    ),
    (
        lambda: m.accuracy.averaged("macro"),
        "`accuracy` is one number already: there are no categories to average over.",
    ),
    (
        lambda: m.roc_auc.averaged("micro"),
        "`roc_auc` has no micro average: each category has its own scores. Use macro or weighted.",
    ),
    (lambda: m.accuracy.threshold_of([0, 1], [0.1, 0.2]), "`accuracy` has no threshold."),
    # names
    (lambda: m.parse("acuracy"), 'There is no metric "acuracy". Did you mean "accuracy"?'),
    (lambda: m.parse("f_score(beta=2"), 'There is no metric "f_score(beta=2". Did you mean "f_score"?'),
    (lambda: m.parse("zzz"), f'There is no metric "zzz". There are: {FIRST_DOZEN} and {KNOWN - 12} more.'),
    (lambda: m.parse("f_score(2)"), 'A metric\'s parameters are written name=value, not "2".'),
    (lambda: m.parse("f_score(beta=x)"), "`beta` must be a positive number, not 'x'."),
]


@pytest.mark.parametrize(("call", "message"), REFUSALS, ids=[message[:60] for _, message in REFUSALS])
def test_the_refusal_reads_so(call, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudge.metrics.catalogue.OWN", {})  # what other tests declared
    with pytest.raises(AdjudgeError) as refused:
        call()
    assert str(refused.value) == message


UNDEFINED = [
    ("no rows", lambda: m.accuracy([], [])),
    ("no rows, by category", lambda: m.precision([], [], positive="a")),
    ("no rows, scores", lambda: m.roc_auc([], [])),
    ("one class", lambda: m.roc_auc([1, 1], [0.1, 0.2])),
    ("one class, of which nobody says that it is the positive one", lambda: m.roc_auc(["a"], [0.1], positive="b")),
    ("not probabilities", lambda: m.log_loss([0, 1], [2.0, 3.0])),
    ("not probabilities, squared", lambda: m.brier_score([0, 1], [2.0, 3.0])),
    ("not probabilities, binned", lambda: m.calibration_error([0, 1], [-1.0, 0.5])),
    ("probabilities that do not sum to one", lambda: m.log_loss([0, 1, 2], [[0.9, 0.9, 0.9]] * 3)),
]


@pytest.mark.parametrize("call", [call for _, call in UNDEFINED], ids=[name for name, _ in UNDEFINED])
def test_undefined_is_nan_and_never_a_refusal(call) -> None:
    assert math.isnan(call())


ALIKE = [
    ("whole floats are whole numbers", lambda: m.precision([1.0, 0.0], [1, 0], positive=1.0), 1.0),
    ("truth values", lambda: m.precision([True, False], [True, True], positive=True), 0.5),
    ("numpy arrays", lambda: m.recall(np.array([1, 1]), np.array([1, 0]), positive=np.int64(1)), 0.5),
    ("numpy parameters", lambda: m.precision_at_recall([0, 1], [0.1, 0.2], at=np.float32(0.5)), 1.0),
    ("a single column", lambda: m.roc_auc([0, 1], [[0.1], [0.2]]), 1.0),
]


@pytest.mark.parametrize(("call", "value"), [row[1:] for row in ALIKE], ids=[row[0] for row in ALIKE])
def test_what_is_taken_alike(call, value: float) -> None:
    assert call() == value


def test_a_parameter_of_another_kind_is_refused() -> None:
    with pytest.raises(AdjudgeError, match="`percent_agreement` must have parameters of their kind, not tolerance='a'"):
        m.percent_agreement.using(tolerance="a")
