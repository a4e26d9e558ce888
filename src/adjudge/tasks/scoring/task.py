"""May a system score what people score? Read this file to know everything the scoring task promises."""

from __future__ import annotations

from adjudge.evaluation.asking.likenesses import HUMAN_SCORES, ID, NUMBERS, SLICES
from adjudge.evaluation.cubes.keys import cells_by
from adjudge.evaluation.declaration import Demo, Role, Setting, TakeAway, Task
from adjudge.statistics.scores.sums import ScoreSums
from adjudge.tasks.scoring.choice import EVERY
from adjudge.tasks.scoring.items import scoring_items
from adjudge.tasks.scoring.reading import score_keys
from adjudge.tasks.scoring.screen import SCREEN
from adjudge.tasks.scoring.study import ScoringStudy

TASK = Task(
    name="scoring",
    question="Does the system score as people do, for everybody, and nearly as well as a second rater?",
    roles=(
        Role(
            "raters", "columns of human scores; the first is the reference", required=True, many=True, like=HUMAN_SCORES
        ),
        Role(
            "prediction",
            "columns of system scores, one for each system",
            many=True,
            of_system=True,
            like=NUMBERS,
            misnomers=("score",),
        ),
        Role(
            "candidate",
            "column that says whose response it is: their responses are resampled together",
            misnomers=("cluster",),
        ),
        Role("id", "column that names each response once", like=ID),
        Role("weight", "column of case weights; whole numbers are as good as repeated responses"),
        Role("slices", "columns to break results down by; 'a × b' crosses two", many=True, like=SLICES),
    ),
    metrics=EVERY,
    study=ScoringStudy.of,
    headline=("quadratic_weighted_kappa", "prmse", "standardized_mean_difference", "correlation"),
    settings=(
        Setting("min", "lowest score of the scale: scores are trimmed and rounded to it", float, example=1),
        Setting("max", "highest score of the scale", float, example=6),
        Setting("step", "step of the scale (default 1; 0.5 for half points)", float),
        Setting("tolerance", "how far beyond the scale a trimmed score may lie (default 0.4998 steps)", float),
        Setting(
            "flag", "COLUMN=VALUE: only responses with this value stay; repeat values with ','", many=True, form="named"
        ),
        Setting("zeros", "keep: human scores of zero stay (default exclude)", example="keep"),
        Setting("min_items", "leave out candidates with fewer responses", int),
        Setting(
            "rated_by",
            "first: a response needs the first rater's score (default); any: any rater's",
            misnomers=("reference",),
        ),
        Setting("error_variance", "variance of rater errors, when it is known", float),
        Setting(
            "training", "table with the same columns whose means and SDs scale the scores", form="table", by_hand=True
        ),
        Setting(
            "scaling",
            "NAME=NUMBER of system_mean, system_sd, human_mean, human_sd",
            many=True,
            form="scaling",
            example=["system_mean=3", "system_sd=1", "human_mean=3", "human_sd=1"],
        ),
        Setting(
            "limits",
            "NAME=NUMBER: limits of the flags, such as smd=0.15 dsm=0.1 qwk=0.7",
            many=True,
            form="named",
            example=["smd=0.15", "dsm=0.1", "qwk=0.7"],
        ),
    ),
    engine="memory",
    shapes=(("raters", "prediction"),),
    screen=SCREEN,
    demo=Demo(
        "essays.csv",
        {
            "raters": ["rater_1", "rater_2"],
            "prediction": ["engine"],
            "min": 1,
            "max": 6,
            "slices": ["language"],
        },
    ),
    example=(
        '>>> table = {"ann": [1, 2, 3, 4, 4], "ben": [1, 3, 3, 4, 3], "engine": [1.2, 2.1, 3.4, 3.8, 4.1]}\n'
        '>>> scored = adjudge.scoring(table, raters=["ann", "ben"], prediction="engine", min=1, max=4)\n'
        '>>> round(scored.get("quadratic_weighted_kappa", system="engine · raw_trim_round").value, 3)\n'
        "1.0"
    ),
    tables=("scores",),
    cells=cells_by(score_keys),
    takes_away=(TakeAway("items", "each response: its error, its loss, its influence on the mean", scoring_items),),
    flags=("Flags",),
    arrays={ScoreSums: ("raters", "prediction")},
)
