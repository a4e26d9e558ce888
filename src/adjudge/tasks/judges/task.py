"""What do people's few labels and a judge's many say together? Read this file to know everything the task promises."""

from __future__ import annotations

from adjudge import metrics
from adjudge.evaluation.asking.likenesses import HUMAN, ID, JUDGE, SLICES, WEIGHT
from adjudge.evaluation.cubes.keys import cells_by, row_keys
from adjudge.evaluation.declaration import Demo, Role, Setting, TakeAway, Task
from adjudge.statistics.judges.sums import JudgedSums
from adjudge.statistics.judges.tables import JudgedTables
from adjudge.tasks.judges.items import judged_items, to_label
from adjudge.tasks.judges.screen import SCREEN
from adjudge.tasks.judges.study import JudgedStudy

TASK = Task(
    name="judges",
    question="What would people say about every row, if they labelled only some and a judge labelled all?",
    roles=(
        Role(
            "reference",
            "column of what people say, for some of the rows: a number or a label",
            required=True,
            like=HUMAN,
        ),
        Role("judge", "column of what the judge says, for all rows", required=True, like=JUDGE),
        Role(
            "prediction",
            "column of answers: right where they equal the label; several columns are several systems",
            many=True,
            of_system=True,
        ),
        Role(
            "weight",
            "column of case weights, such as 1 / the chance that a row is labelled, or is not, as it is",
            like=WEIGHT,
        ),
        Role("cluster", "column of units to resample together, such as a person or a document"),
        Role("id", "column of row ids, each of which may occur once", like=ID),
        Role("slices", "columns to break results down by; 'a × b' crosses two", many=True, like=SLICES),
    ),
    metrics=(
        metrics.judge_assisted_mean,
        metrics.judge_assisted_kappa,
        metrics.judge_assisted_f_score,
        metrics.judge_assisted_f_score.averaged("macro"),
        metrics.labelled_mean,
        metrics.judge_mean,
        metrics.judge_kappa,
        metrics.rogan_gladen,
    ),
    study=JudgedStudy.of,
    headline=("judge_assisted_mean", "labelled_mean"),
    settings=(
        Setting("positive", "the label whose share is asked for, where there is no prediction", form="label"),
        Setting(
            "calibration",
            "random (default): labelled rows are a random part; elsewhere: they only tell how often the judge errs",
        ),
    ),
    shapes=(("reference", "judge"),),
    screen=SCREEN,
    demo=Demo("replies.csv", {"reference": "human", "judge": "judge", "slices": ["topic"]}),
    example=(
        '>>> table = {"human": [1, 0, 1, 1, None, None, None, None], "judge": [1, 0, 1, 0, 1, 1, 1, 0]}\n'
        '>>> round(adjudge.judges(table, reference="human", judge="judge")["judge_assisted_mean"].value, 4)\n'
        "0.8278"
    ),
    cells=cells_by(row_keys),
    takes_away=(
        TakeAway("items", "each row: what people and the judge say of it", judged_items),
        TakeAway("queue", "rows without a label in a random order, in which to label them", to_label),
    ),
    arrays={JudgedSums: ("reference", "judge"), JudgedTables: ("reference", "prediction")},
)
