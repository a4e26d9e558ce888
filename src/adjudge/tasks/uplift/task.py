"""Does a score find those whom treating helps? Read this file to know everything the uplift task promises."""

from __future__ import annotations

from adjudge.evaluation.asking.likenesses import ID, OUTCOME, SCORES, SLICES, TREATMENT, WEIGHT
from adjudge.evaluation.cubes.keys import cells_by, row_keys
from adjudge.evaluation.declaration import Demo, Role, Setting, TakeAway, Task
from adjudge.metrics import qini, uplift_auc
from adjudge.statistics.uplift_cells import UpliftCells
from adjudge.tasks.uplift.items import uplift_items
from adjudge.tasks.uplift.screen import SCREEN
from adjudge.tasks.uplift.study import UpliftStudy

TASK = Task(
    name="uplift",
    question="Does the score find those whom the treatment helps, and how sure are we?",
    roles=(
        Role("outcome", "column of numbers: what came of it, higher is better", required=True, like=OUTCOME),
        Role("treatment", "column that says who was treated; it has two values", required=True, like=TREATMENT),
        Role(
            "score",
            "column of scores, highest treated first; several columns are several systems",
            many=True,
            of_system=True,
            like=SCORES,
            misnomers=("prediction",),
        ),
        Role("weight", "column of case weights", like=WEIGHT),
        Role("cluster", "column of units to resample together, such as a person or a place"),
        Role("id", "column of row ids, each of which may occur once", like=ID),
        Role("slices", "columns to break results down by; 'a × b' crosses two", many=True, like=SLICES),
    ),
    metrics=(qini, uplift_auc),
    study=UpliftStudy.of,
    headline=("qini", "uplift_auc"),
    settings=(
        Setting("control", "the arm that is not treated (default: control, 0 or false)", form="label"),
        Setting("strata", "arm: who is treated was fixed in advance, so draws keep the sizes of the arms"),
    ),
    sections={"relations": ("Whom to treat", "What is gained by treating the highest scores first.")},
    shapes=(("outcome", "treatment", "score"),),
    screen=SCREEN,
    demo=Demo("offers.csv", {"outcome": "bought", "treatment": "offer", "score": ["score"]}),
    example=(
        '>>> table = {"bought": [1, 0, 1, 0], "mailed": [1, 0, 0, 1], "model": [0.4, 0.4, 0.1, 0.1]}\n'
        '>>> adjudge.uplift(table, outcome="bought", treatment="mailed", score="model")["qini"].value\n'
        "0.25"
    ),
    cells=cells_by(row_keys),
    takes_away=(TakeAway("items", "each row: its arm, outcome and scores", uplift_items),),
    arrays={UpliftCells: ("outcome", "score")},
)
