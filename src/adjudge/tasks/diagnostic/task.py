"""Did the update break something, and on which phenomenon? Read this file to know what the diagnostic task promises."""

from __future__ import annotations

from dataclasses import replace

from adjudge.evaluation.asking.likenesses import LABELS, SCORES, WEIGHT, Likeness
from adjudge.evaluation.cubes.keys import cells_by
from adjudge.evaluation.declaration import Demo, Role, Setting, TakeAway, Task
from adjudge.metrics import failure_rate
from adjudge.tasks.diagnostic.counted import suite_keys
from adjudge.tasks.diagnostic.items import diagnostic_items
from adjudge.tasks.diagnostic.screen import SCREEN
from adjudge.tasks.diagnostic.study import DiagnosticStudy

TASK = Task(
    name="diagnostic",
    question="Did the update break something, and on which phenomenon?",
    roles=(
        Role(
            "phenomenon",
            "column that says what a case is about, such as negation",
            required=True,
            like=Likeness("levels", ("phenomenon", "capability")),
        ),
        Role(
            "prediction",
            "column of a system's answers, the old system first; several columns are several systems",
            many=True,
            of_system=True,
            like=replace(LABELS, meets="expect"),
        ),
        Role(
            "score",
            "column of a system's scores, for cases whose score must go up, down or stay; several: several systems",
            many=True,
            of_system=True,
            like=SCORES,
        ),
        Role(
            "expect",
            "column of the answer that is expected (mft), or up or down (dir); empty where it must stay (inv)",
            like=Likeness("labels", ("expect", "expected")),
            misnomers=("reference",),
        ),
        Role(
            "case",
            "column that names each case; rows of one name are its expansions",
            like=Likeness("ids", ("case", "id"), always=True),
        ),
        Role("kind", "column of kinds: mft (an answer is expected), inv (it must stay), dir (the score must move)"),
        Role(
            "template",
            "column of the template that a case was made of: its cases stand or fall together",
            like=Likeness("repeated", ("template",), always=True),
            misnomers=("cluster",),
        ),
        Role("origin", "column that says where a case comes from: templated, real, adversarial"),
        Role("test", "column of tests, finer than phenomena"),
        Role("group", "column that ties a changed row to its original"),
        Role(
            "original",
            "column that says which row of a group is the original (default: the one that is not inv or dir)",
        ),
        Role("known_failure", "column that marks cases known to fail: they are listed and not counted"),
        Role("weight", "column of case weights", like=WEIGHT),
        Role("slices", "further columns to break results down by; 'a × b' crosses two", many=True),
    ),
    metrics=(failure_rate,),
    study=DiagnosticStudy.of,
    headline=("failure_rate",),
    settings=(
        Setting("unit", "case: failed if any of its expansions is (default), or expansion: every row counts"),
        Setting("tolerance", "how far a score may move the wrong way (default 0.1)", float, default=0.1),
    ),
    engine="memory",
    shapes=(("phenomenon", "expect", "prediction"),),
    screen=SCREEN,
    example=(
        '>>> suite = {"what": ["dates", "dates", "names"], "want": ["a", "b", "a"], "v1": ["a", "b", "a"],\n'
        '...          "v2": ["a", "c", "a"]}\n'
        '>>> found = adjudge.diagnostic(suite, phenomenon="what", expect="want", prediction=["v1", "v2"])\n'
        '>>> found.table.find("failure_rate", system="v2", slice="what = dates").estimate\n'
        "0.5"
    ),
    demo=Demo(
        "suite.csv",
        {
            "case": "case",
            "phenomenon": "phenomenon",
            "expect": "expect",
            "prediction": ["v41", "v42"],
            "repeats": ["v41 again"],
            "kind": "kind",
            "group": "group",
            "template": "template",
            "origin": "origin",
            "known_failure": "known",
        },
    ),
    cells=cells_by(suite_keys),
    takes_away=(TakeAway("items", "each case: met or failed, and what changed", diagnostic_items),),
)
