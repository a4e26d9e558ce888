"""How far off are predicted numbers? Read this file to know everything the regression task promises."""

from __future__ import annotations

from adjudge import metrics
from adjudge.evaluation.asking.likenesses import ID, NUMBERS, SLICES, TRUE_NUMBERS, WEIGHT
from adjudge.evaluation.cubes.keys import cells_by, row_keys
from adjudge.evaluation.declaration import Demo, Role, Setting, TakeAway, Task
from adjudge.metrics.rater_association import concordance_of_predictions
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.numbers.residuals import Residuals
from adjudge.tasks.regression.items import regression_items
from adjudge.tasks.regression.screen import SCREEN
from adjudge.tasks.regression.study import RegressionStudy

PICTURES = (
    "Where predictions are off, and how residuals are spread. Each point is the mean of the rows of a bin, at the mean "
    "place of its rows; bins with fewer than five rows are joined with their neighbours. Bars below say where the rows "
    "are, those beyond the ends in the outer bars."
)

TASK = Task(
    name="regression",
    question="How far off are the predicted numbers, how sure are we, where, and for whom?",
    roles=(
        Role("reference", "column of numbers to measure against", required=True, like=TRUE_NUMBERS),
        Role(
            "prediction",
            "column of predicted numbers; several columns are several systems",
            many=True,
            of_system=True,
            like=NUMBERS,
            misnomers=("score",),
        ),
        Role("lower", "column of lower ends of prediction intervals, one for each system", many=True, of_system=True),
        Role("upper", "column of upper ends of prediction intervals, one for each system", many=True, of_system=True),
        Role("weight", "column of case weights", like=WEIGHT),
        Role("cluster", "column of units to resample together, such as a person or a place"),
        Role("id", "column of row ids, each of which may occur once", like=ID),
        Role("slices", "columns to break results down by; 'a × b' crosses two", many=True, like=SLICES),
    ),
    metrics=(
        metrics.rmse,
        metrics.mean_absolute_error,
        metrics.median_absolute_error,
        metrics.mean_bias_error,
        metrics.r_squared,
        metrics.explained_variance,
        metrics.correlation,
        metrics.spearman,
        concordance_of_predictions,
        metrics.mean_squared_error,
        metrics.mean_absolute_percentage_error,
        metrics.symmetric_mean_absolute_percentage_error,
        metrics.mean_squared_log_error,
        metrics.max_error,
        metrics.interval_coverage,
        metrics.interval_width,
    ),
    study=RegressionStudy.of,
    headline=("rmse", "mean_absolute_error", "r_squared"),
    settings=(
        Setting("quantile", "the predictions are this quantile: adds its pinball loss, such as 0.9", float),
        Setting(
            "limits",
            "bias=NUMBER: how large the mean error may be, of all rows and of regions of the prediction",
            many=True,
            form="named",
            example=["bias=2"],
        ),
    ),
    sections={"relations": ("Predictions and residuals", PICTURES)},
    shapes=(("reference", "prediction"),),
    screen=SCREEN,
    demo=Demo("flats.csv", {"reference": "price", "prediction": ["rule", "model"], "slices": ["town"]}),
    example=(
        '>>> table = {"y": [1.0, 2.0, 3.0, 4.0], "model": [1.0, 2.0, 3.0, 2.0]}\n'
        '>>> adjudge.regression(table, reference="y", prediction="model")["rmse"].value\n'
        "1.0"
    ),
    tables=("predictions", "scores"),
    cells=cells_by(row_keys),
    takes_away=(TakeAway("items", "each row: its error, its loss, its influence on the mean", regression_items),),
    arrays={NumberPairs: ("reference", "prediction"), Residuals: ("reference", "prediction")},
)
