"""Is the system right? Read this file to know everything the classification task promises."""

from __future__ import annotations

from adjudge import metrics
from adjudge.evaluation.asking.likenesses import ID, LABELS, SCORES, SLICES, TRUE_LABELS, WEIGHT
from adjudge.evaluation.cubes.keys import cells_by
from adjudge.evaluation.declaration import Demo, Role, Setting, TakeAway, Task
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.losses import Losses
from adjudge.tasks.classification.counting import answer_keys
from adjudge.tasks.classification.items import classification_items
from adjudge.tasks.classification.screen import SCREEN
from adjudge.tasks.classification.study import AVERAGES, ClassificationStudy

TASK = Task(
    name="classification",
    question="Is the system right, how sure are we, and for whom?",
    roles=(
        Role("reference", "column of labels to measure against", required=True, like=TRUE_LABELS),
        Role(
            "prediction",
            "column of decided labels; several columns are several systems",
            many=True,
            of_system=True,
            like=LABELS,
        ),
        Role(
            "score",
            "column of scores for the positive label; several columns are several systems; "
            "LABEL=COLUMN for each label gives one score per label",
            many=True,
            of_system=True,
            form="scores",
            like=SCORES,
        ),
        Role("weight", "column of case weights", like=WEIGHT),
        Role("cluster", "column of units to resample together, such as a person or a document"),
        Role("id", "column of row ids, each of which may occur once", like=ID),
        Role("slices", "columns to break results down by; 'a × b' crosses two", many=True, like=SLICES),
    ),
    metrics=(
        metrics.accuracy,
        metrics.error_rate,
        metrics.balanced_accuracy,
        metrics.precision,
        metrics.recall,
        metrics.specificity,
        metrics.f_score,
        metrics.matthews_correlation,
        metrics.cohen_kappa,
        metrics.roc_auc,
        metrics.pr_auc,
        metrics.average_precision,
        metrics.max_accuracy,
        metrics.log_loss,
        metrics.brier_score,
        metrics.calibration_error,
        metrics.precision_at_recall.using(at=0.9),
        metrics.precision_at_volume.using(at=0.1),
        metrics.recall_at_precision.using(at=0.9),
        metrics.recall_at_false_positive_rate.using(at=0.1),
        metrics.false_positive_rate_at_recall.using(at=0.9),
        *AVERAGES,
    ),
    study=ClassificationStudy.of,
    headline=(
        "accuracy",
        "roc_auc",
        "roc_auc(average=macro)",
        "balanced_accuracy",
        "f_score",
        "f_score(average=macro)",
        "log_loss",
    ),
    settings=(
        Setting("positive", "the label that a single score is for", form="label"),
        Setting(
            "threshold",
            "score from which the positive label is decided (default 0.5); several: one for each system",
            float,
            many=True,
            form="floats",
        ),
        Setting(
            "costs",
            "fp=NUMBER fn=NUMBER: what a false positive and a false negative cost; the cheapest threshold is shown",
            many=True,
            form="named",
            example=["fp=1", "fn=5"],
        ),
    ),
    sections={"relations": ("What decisions cost", "Which threshold is cheapest, and what deciding by it is worth.")},
    shapes=(("reference", "prediction"), ("reference", "score")),
    screen=SCREEN,
    demo=Demo(
        "messages.csv",
        {
            "reference": "label",
            "score": ["filter_a", "filter_b"],
            "positive": "spam",
            "slices": ["language", "language × device"],
        },
    ),
    example=(
        '>>> table = {"label": ["a", "a", "b", "b"], "guess": ["a", "b", "b", "b"]}\n'
        '>>> adjudge.classification(table, reference="label", prediction="guess")["accuracy"].value\n'
        "0.75"
    ),
    tables=("predictions",),
    cells=cells_by(answer_keys),
    takes_away=(TakeAway("items", "each row: right or wrong, loss, influence on the mean", classification_items),),
    arrays={Confusion: ("reference", "prediction"), Curves: ("reference", "score"), Losses: ("reference", "score")},
)
