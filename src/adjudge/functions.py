"""One function for each task. Written by tools/write_tasks.py from the declarations; not edited by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from os import PathLike
from typing import Any, ParamSpec, TypedDict, Unpack

from adjudge.evaluation.asking.arguments import SHARED, USUAL, checked_arguments
from adjudge.evaluation.asking.settings import Progress
from adjudge.metrics.base import Metric
from adjudge.report.evaluation import Evaluation, evaluate
from adjudge.tasks import task_named

__all__ = [
    "agreement",
    "classification",
    "diagnostic",
    "failures",
    "judges",
    "preference",
    "ranking",
    "regression",
    "scoring",
    "uplift",
]

Arguments = ParamSpec("Arguments")


class SharedSettings(TypedDict, total=False):
    r"""What every task takes besides its own:

    metrics: measure only these, such as 'f_score(beta=2)'; to list them: adjudge metrics
    level: confidence level (default 0.95)
    replicates: bootstrap replicates (default 2000)
    baseline: the system to compare the others with (default: the first)
    against: baseline (default), or all: compare every two systems
    margin: METRIC=NUMBER or METRIC=SHARE%: differences up to this do not matter
    tests: more tests of each difference, such as mcnemar, wilcoxon, permutation
    adjust: how p-values are adjusted for several systems: max_t (default), holm, hochberg, bh, by, none
    family: what p-values are adjusted over: metric (default), or all (every metric and slice together)
    repeats: columns with the baseline run again, to see how much it changes by itself
    search: columns to search for slices that fail more than the rest; see docs/diagnostic.md
    search_by: split (default from 2,000 rows): find in one half, test in the other; all, or bh
    search_null: shuffled tables, to tell what chance alone would find (default 200)
    seed: seed of the replicates (default 7)
    bootstrap: one of percentile, bca, poisson, bayesian (default percentile)
    ok: data checks to silence, such as C11; see docs/checks.md
    missing: words that mean a missing value, such as NA
    decimal: decimal sign: . (default) or ,
    delimiter: separator of a text file, if it is not detected: ; or tab, for example
    pick: choices in another tool's export: question=NAME, item=KEY …; see docs/formats.md
    require: requirements, such as 'accuracy >= 0.9'; the exit code says whether they hold; see docs/gates.md
    engine: auto (default), memory, stream, threads, spark or dask: the numbers are the same
    master: address of the cluster for engine spark or dask, such as spark://host:7077
    fingerprint: what the input is recognised by: the columns that are read (default of Parquet files), all bytes
        (of others), or footers, of Parquet files, which is fastest
    """

    metrics: str | Metric | Sequence[str | Metric] | None
    level: float
    replicates: int
    baseline: str | None
    against: str | None
    margin: Mapping[str, object] | Mapping[Metric, object] | str | Sequence[str] | None
    tests: str | Sequence[str] | None
    adjust: str | None
    family: str | None
    repeats: str | Sequence[str] | None
    search: str | Sequence[str] | None
    search_by: str | None
    search_null: int | None
    seed: int
    bootstrap: str
    ok: str | Sequence[str] | None
    missing: str | Sequence[str] | None
    decimal: str | None
    delimiter: str | None
    pick: Mapping[str, object] | str | Sequence[str] | None
    require: object
    engine: object
    master: str | None
    fingerprint: str | None
    progress: Progress | None


def _of_task(function: Callable[Arguments, Evaluation]) -> Callable[Arguments, Evaluation]:
    """The same function, whose help has the settings of every task; unknown names are refused as by `evaluate`."""
    *own, _ = signature(function).parameters.values()
    shared = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=USUAL.get(name), annotation=kind.__forward_arg__)
        for name, kind in SharedSettings.__annotations__.items()
    ]
    known = {parameter.name for parameter in (*own, *shared)}

    @wraps(function)
    def refusing(*table: Arguments.args, **given: Arguments.kwargs) -> Evaluation:
        if unknown := {name: value for name, value in given.items() if name not in known}:
            task = task_named(function.__name__)
            settings = [setting for setting in (*task.settings, *SHARED) if setting.name in known]
            checked_arguments(task.name, task.roles, settings, unknown)
        return function(*table, **given)

    refusing.__doc__ = f"{function.__doc__}\n    {SharedSettings.__doc__}"
    vars(refusing)["__signature__"] = signature(function).replace(parameters=[*own, *shared])
    return refusing


def _evaluated(task: str, given: dict[str, Any]) -> Evaluation:  # Any: each as its parameter is typed
    """What was given, without what was left out."""
    given |= given.pop("shared")
    progress = given.pop("progress", None)
    return evaluate(task=task, progress=progress, **{name: one for name, one in given.items() if one is not None})


@_of_task
def agreement(
    table: object,
    *,
    raters: str | Sequence[str] | None = None,
    item: str | None = None,
    rater: str | None = None,
    rating: str | None = None,
    start: str | None = None,
    end: str | None = None,
    label: str | None = None,
    weight: str | None = None,
    cluster: str | None = None,
    batch: str | None = None,
    slices: str | Sequence[str] | None = None,
    measurement: str = "nominal",
    scale: object = None,
    model: str | None = None,
    resample: str = "items",
    distance: str | None = None,
    separator: str | None = None,
    scheme: str | None = None,
    seen_by: str | None = None,
    seen_items: object = None,
    mode: str | None = None,
    **shared: Unpack[SharedSettings],
) -> Evaluation:
    r"""Do the raters agree beyond chance, who differs, and on what?

    raters: columns of ratings, one for each rater
    item: column that names the item
    rater: column that names the rater, when each rating has a row
    rating: column of ratings, when each rating has a row
    start: column of the first place of a span, when each span has a row
    end: column of the place after a span, when each span has a row
    label: column of a span's label, when each span has a row
    weight: column of case weights of the items
    cluster: column of units to resample together, such as a document
    batch: column of batches or dates, to look for drift
    slices: columns to break results down by; 'a × b' crosses two
    measurement: level of measurement: nominal, ordinal, interval, ratio, circular, bipolar; sets (of labels);
        spans
    scale: the categories in their order, used or not
    model: the rater that is a model: may it replace a human?
    resample: items (default), or raters too: the claim is then about other raters as well
    distance: of two sets of labels: masi (default), masi_dkpro, jaccard
    separator: what stands between the labels of a set that is written as text (default |)
    scheme: of tags: bio (default; also iob2), iob1, bioes (also iobes), bilou
    seen_by: who saw an item, when each span has a row: marked (raters with a row; default), or all
    seen_items: table of items that were read, when each span has a row: with items and, unless all read them,
        raters
    mode: what malformed tags are: strict-penalise (default), strict, conll

    >>> import adjudge
    >>> table = {"ann": ["a", "a", "b", "b"], "ben": ["a", "b", "b", "b"]}
    >>> adjudge.agreement(table, raters=["ann", "ben"])["cohen_kappa"].value
    0.5
    """
    return _evaluated("agreement", locals())


@_of_task
def classification(
    table: object,
    *,
    reference: str,
    prediction: str | Sequence[str] | None = None,
    score: object = None,
    weight: str | None = None,
    cluster: str | None = None,
    id: str | None = None,
    slices: str | Sequence[str] | None = None,
    positive: object = None,
    threshold: float | Sequence[float] | None = None,
    costs: Mapping[str, object] | str | Sequence[str] | None = None,
    systems: object = None,
    **shared: Unpack[SharedSettings],
) -> Evaluation:
    r"""Is the system right, how sure are we, and for whom?

    reference: column of labels to measure against
    prediction: column of decided labels; several columns are several systems
    score: column of scores for the positive label; several columns are several systems; LABEL=COLUMN for each
        label gives one score per label
    weight: column of case weights
    cluster: column of units to resample together, such as a person or a document
    id: column of row ids, each of which may occur once
    slices: columns to break results down by; 'a × b' crosses two
    positive: the label that a single score is for
    threshold: score from which the positive label is decided (default 0.5); several: one for each system
    costs: fp=NUMBER fn=NUMBER: what a false positive and a false negative cost; the cheapest threshold is shown
    systems: the columns of each system, by its name

    >>> import adjudge
    >>> table = {"label": ["a", "a", "b", "b"], "guess": ["a", "b", "b", "b"]}
    >>> adjudge.classification(table, reference="label", prediction="guess")["accuracy"].value
    0.75
    """
    return _evaluated("classification", locals())


@_of_task
def diagnostic(
    table: object,
    *,
    phenomenon: str,
    prediction: str | Sequence[str] | None = None,
    score: str | Sequence[str] | None = None,
    expect: str | None = None,
    case: str | None = None,
    kind: str | None = None,
    template: str | None = None,
    origin: str | None = None,
    test: str | None = None,
    group: str | None = None,
    original: str | None = None,
    known_failure: str | None = None,
    weight: str | None = None,
    slices: str | Sequence[str] | None = None,
    unit: str | None = None,
    tolerance: float = 0.1,
    systems: object = None,
    **shared: Unpack[SharedSettings],
) -> Evaluation:
    r"""Did the update break something, and on which phenomenon?

    phenomenon: column that says what a case is about, such as negation
    prediction: column of a system's answers, the old system first; several columns are several systems
    score: column of a system's scores, for cases whose score must go up, down or stay; several: several systems
    expect: column of the answer that is expected (mft), or up or down (dir); empty where it must stay (inv)
    case: column that names each case; rows of one name are its expansions
    kind: column of kinds: mft (an answer is expected), inv (it must stay), dir (the score must move)
    template: column of the template that a case was made of: its cases stand or fall together
    origin: column that says where a case comes from: templated, real, adversarial
    test: column of tests, finer than phenomena
    group: column that ties a changed row to its original
    original: column that says which row of a group is the original (default: the one that is not inv or dir)
    known_failure: column that marks cases known to fail: they are listed and not counted
    weight: column of case weights
    slices: further columns to break results down by; 'a × b' crosses two
    unit: case: failed if any of its expansions is (default), or expansion: every row counts
    tolerance: how far a score may move the wrong way (default 0.1)
    systems: the columns of each system, by its name

    >>> import adjudge
    >>> suite = {"what": ["dates", "dates", "names"], "want": ["a", "b", "a"], "v1": ["a", "b", "a"],
    ...          "v2": ["a", "c", "a"]}
    >>> found = adjudge.diagnostic(suite, phenomenon="what", expect="want", prediction=["v1", "v2"])
    >>> found.table.find("failure_rate", system="v2", slice="what = dates").estimate
    0.5
    """
    return _evaluated("diagnostic", locals())


@_of_task
def failures(
    table: object,
    *,
    exposure: str | Sequence[str] | None = None,
    failures: str | Sequence[str] | None = None,
    weight: str | None = None,
    cluster: str | None = None,
    id: str | None = None,
    slices: str | Sequence[str] | None = None,
    stopped: str | None = None,
    **shared: Unpack[SharedSettings],
) -> Evaluation:
    r"""How long does it run until it fails, how sure are we, and does another one run longer?

    exposure: column of how long each row was watched: hours, requests; one for all systems, or one for each
    failures: column of how often it failed in that row; several columns are several systems
    weight: column of case weights
    cluster: column of units to resample together, such as a machine
    id: column that names each row; repeated names are refused
    slices: columns to evaluate level by level; 'a × b' crosses two
    stopped: what ended the watch: time (default) or failure

    >>> import adjudge
    >>> table = {"hours": [168, 168, 168], "old": [4, 3, 5], "new": [1, 0, 1]}
    >>> found = adjudge.failures(table, exposure="hours", failures=["old", "new"])
    >>> found.get("mean_time_between_failures", system="new").value
    252.0
    """
    return _evaluated("failures", locals())


@_of_task
def judges(
    table: object,
    *,
    reference: str,
    judge: str,
    prediction: str | Sequence[str] | None = None,
    weight: str | None = None,
    cluster: str | None = None,
    id: str | None = None,
    slices: str | Sequence[str] | None = None,
    positive: object = None,
    calibration: str | None = None,
    systems: object = None,
    **shared: Unpack[SharedSettings],
) -> Evaluation:
    r"""What would people say about every row, if they labelled only some and a judge labelled all?

    reference: column of what people say, for some of the rows: a number or a label
    judge: column of what the judge says, for all rows
    prediction: column of answers: right where they equal the label; several columns are several systems
    weight: column of case weights, such as 1 / the chance that a row is labelled, or is not, as it is
    cluster: column of units to resample together, such as a person or a document
    id: column of row ids, each of which may occur once
    slices: columns to break results down by; 'a × b' crosses two
    positive: the label whose share is asked for, where there is no prediction
    calibration: random (default): labelled rows are a random part; elsewhere: they only tell how often the judge
        errs
    systems: the columns of each system, by its name

    >>> import adjudge
    >>> table = {"human": [1, 0, 1, 1, None, None, None, None], "judge": [1, 0, 1, 0, 1, 1, 1, 0]}
    >>> round(adjudge.judges(table, reference="human", judge="judge")["judge_assisted_mean"].value, 4)
    0.8278
    """
    return _evaluated("judges", locals())


@_of_task
def preference(
    table: object,
    *,
    reference: str | None = None,
    annotators: str | Sequence[str] | None = None,
    prompt: str | None = None,
    text_a: str | None = None,
    text_b: str | None = None,
    model_a: str | None = None,
    model_b: str | None = None,
    weight: str | None = None,
    id: str | None = None,
    split: str | Sequence[str] | None = None,
    slices: str | Sequence[str] | None = None,
    pair: str | None = None,
    annotator: str | None = None,
    vote: str | None = None,
    models: bool | str | Sequence[str] | None = None,
    reference_models: bool | str | Sequence[str] | None = None,
    merge: bool | str | Sequence[str] | None = None,
    labels: Mapping[str, object] | str | Sequence[str] | None = None,
    labels_from: object = None,
    swapped: Mapping[str, object] | str | Sequence[str] | None = None,
    rating: str | None = None,
    order: str | None = None,
    examples: int | None = None,
    **shared: Unpack[SharedSettings],
) -> Evaluation:
    r"""Which traits go with the choice between two answers, how strongly, and what else could explain it?

    reference: annotator to measure against; by default the file's own, or `preferred_text` or `winner`
    annotators: who is measured, such as traits; by default all traits, or all columns of votes
    prompt: column of prompts, whose pairs are drawn together (default: `prompt`, where there is one)
    text_a: column of first answers, for their lengths (default: `text_a`)
    text_b: column of second answers (default: `text_b`)
    model_a: column of who wrote the first answer (default: `model_a`)
    model_b: column of who wrote the second answer (default: `model_b`)
    weight: column of case weights
    id: column of pair ids, each of which may occur once
    split: columns to break results down by; 'a × b' crosses two
    slices: the same as split, as other tasks call it
    pair: where each row is one vote: column that names the pair
    annotator: where each row is one vote: column of who voted
    vote: where each row is one vote: column of the vote
    models: measure against models, too: the names of some, or none for all
    reference_models: models that the others are held against (default all)
    merge: more files of the same pairs; what the first says stands
    labels: JUDGE=PERSON: two annotators of one trait, to correct the judge's strength
    labels_from: another table of judges and people, where people voted on none of these pairs
    swapped: NAME=COLUMN: the same annotator's votes with the answers in the other order; a is still the first
        answer
    rating: bradley_terry (default), or elo beside it, which depends on the order of pairs
    order: random: which answer comes first was drawn; models are then ranked with the place counted
    examples: how many pairs to show with their texts, which are private otherwise

    >>> import adjudge
    >>> table = {"preferred_text": ["a", "b", "a", "b"], "polite": ["a", "b", "tie", "a"]}
    >>> adjudge.preference(table, reference="preferred_text")["preference_strength"].value
    0.25
    """
    return _evaluated("preference", locals())


@_of_task
def ranking(
    table: object,
    *,
    query: str | None = None,
    relevance: str | None = None,
    score: str | Sequence[str] | None = None,
    document: str | None = None,
    weight: str | None = None,
    cluster: str | None = None,
    slices: str | Sequence[str] | None = None,
    at: int | Sequence[int] | None = None,
    relevant_from: float | None = None,
    no_relevant: str | None = None,
    unjudged: str | None = None,
    unscored: str | None = None,
    unanswered: str | None = None,
    negative: str | None = None,
    ties: str | None = None,
    top_grade: float | None = None,
    queries: int | None = None,
    runs: str | PathLike[str] | Sequence[str | PathLike[str]] | None = None,
    **shared: Unpack[SharedSettings],
) -> Evaluation:
    r"""How good are the ranked lists, how sure are we, and for which queries are they bad?

    query: column that says which query an item belongs to
    relevance: column of how relevant each item is, 0 or more
    score: column of scores, best first; several columns are several systems
    document: column that names each item
    weight: column of query weights, the same for all items of a query
    cluster: column of queries to resample together, such as a person or a topic
    slices: columns to break results down by; 'a × b' crosses two
    at: how many items are looked at (default 5 10)
    relevant_from: items of this relevance or more are relevant (default 1)
    no_relevant: a query without a relevant item is undefined (default) or zero
    unjudged: an item without a relevance is irrelevant (default), or left out: skip
    unscored: an item without a score is left out: skip (default), or was missed by the system
    unanswered: a query that a system does not answer counts zero (default), or is left out: skip
    negative: a relevance below 0: refuse (default), or zero
    ties: tied items get their expected value (default); trec: trec_eval's order, by document
    top_grade: highest relevance there can be, for expected_reciprocal_rank (default 4)
    queries: how many of the hardest queries are listed (default 20)
    runs: TREC run files; the table is then a TREC file of judgements

    >>> import adjudge
    >>> table = {"q": [1, 1, 2, 2], "rel": [1, 0, 0, 1], "model": [0.9, 0.2, 0.8, 0.1]}
    >>> adjudge.ranking(table, query="q", relevance="rel", score="model")["mean_reciprocal_rank"].value
    0.75
    """
    return _evaluated("ranking", locals())


@_of_task
def regression(
    table: object,
    *,
    reference: str,
    prediction: str | Sequence[str] | None = None,
    lower: str | Sequence[str] | None = None,
    upper: str | Sequence[str] | None = None,
    weight: str | None = None,
    cluster: str | None = None,
    id: str | None = None,
    slices: str | Sequence[str] | None = None,
    quantile: float | None = None,
    limits: Mapping[str, object] | str | Sequence[str] | None = None,
    systems: object = None,
    **shared: Unpack[SharedSettings],
) -> Evaluation:
    r"""How far off are the predicted numbers, how sure are we, where, and for whom?

    reference: column of numbers to measure against
    prediction: column of predicted numbers; several columns are several systems
    lower: column of lower ends of prediction intervals, one for each system
    upper: column of upper ends of prediction intervals, one for each system
    weight: column of case weights
    cluster: column of units to resample together, such as a person or a place
    id: column of row ids, each of which may occur once
    slices: columns to break results down by; 'a × b' crosses two
    quantile: the predictions are this quantile: adds its pinball loss, such as 0.9
    limits: bias=NUMBER: how large the mean error may be, of all rows and of regions of the prediction
    systems: the columns of each system, by its name

    >>> import adjudge
    >>> table = {"y": [1.0, 2.0, 3.0, 4.0], "model": [1.0, 2.0, 3.0, 2.0]}
    >>> adjudge.regression(table, reference="y", prediction="model")["rmse"].value
    1.0
    """
    return _evaluated("regression", locals())


@_of_task
def scoring(
    table: object,
    *,
    raters: str | Sequence[str],
    prediction: str | Sequence[str] | None = None,
    candidate: str | None = None,
    id: str | None = None,
    weight: str | None = None,
    slices: str | Sequence[str] | None = None,
    min: float | None = None,
    max: float | None = None,
    step: float | None = None,
    tolerance: float | None = None,
    flag: Mapping[str, object] | str | Sequence[str] | None = None,
    zeros: str | None = None,
    min_items: int | None = None,
    rated_by: str | None = None,
    error_variance: float | None = None,
    training: object = None,
    scaling: object = None,
    limits: Mapping[str, object] | str | Sequence[str] | None = None,
    systems: object = None,
    **shared: Unpack[SharedSettings],
) -> Evaluation:
    r"""Does the system score as people do, for everybody, and nearly as well as a second rater?

    raters: columns of human scores; the first is the reference
    prediction: columns of system scores, one for each system
    candidate: column that says whose response it is: their responses are resampled together
    id: column that names each response once
    weight: column of case weights; whole numbers are as good as repeated responses
    slices: columns to break results down by; 'a × b' crosses two
    min: lowest score of the scale: scores are trimmed and rounded to it
    max: highest score of the scale
    step: step of the scale (default 1; 0.5 for half points)
    tolerance: how far beyond the scale a trimmed score may lie (default 0.4998 steps)
    flag: COLUMN=VALUE: only responses with this value stay; repeat values with ','
    zeros: keep: human scores of zero stay (default exclude)
    min_items: leave out candidates with fewer responses
    rated_by: first: a response needs the first rater's score (default); any: any rater's
    error_variance: variance of rater errors, when it is known
    training: table with the same columns whose means and SDs scale the scores
    scaling: NAME=NUMBER of system_mean, system_sd, human_mean, human_sd
    limits: NAME=NUMBER: limits of the flags, such as smd=0.15 dsm=0.1 qwk=0.7
    systems: the columns of each system, by its name

    >>> import adjudge
    >>> table = {"ann": [1, 2, 3, 4, 4], "ben": [1, 3, 3, 4, 3], "engine": [1.2, 2.1, 3.4, 3.8, 4.1]}
    >>> scored = adjudge.scoring(table, raters=["ann", "ben"], prediction="engine", min=1, max=4)
    >>> round(scored.get("quadratic_weighted_kappa", system="engine · raw_trim_round").value, 3)
    1.0
    """
    return _evaluated("scoring", locals())


@_of_task
def uplift(
    table: object,
    *,
    outcome: str,
    treatment: str,
    score: str | Sequence[str] | None = None,
    weight: str | None = None,
    cluster: str | None = None,
    id: str | None = None,
    slices: str | Sequence[str] | None = None,
    control: object = None,
    strata: str | None = None,
    **shared: Unpack[SharedSettings],
) -> Evaluation:
    r"""Does the score find those whom the treatment helps, and how sure are we?

    outcome: column of numbers: what came of it, higher is better
    treatment: column that says who was treated; it has two values
    score: column of scores, highest treated first; several columns are several systems
    weight: column of case weights
    cluster: column of units to resample together, such as a person or a place
    id: column of row ids, each of which may occur once
    slices: columns to break results down by; 'a × b' crosses two
    control: the arm that is not treated (default: control, 0 or false)
    strata: arm: who is treated was fixed in advance, so draws keep the sizes of the arms

    >>> import adjudge
    >>> table = {"bought": [1, 0, 1, 0], "mailed": [1, 0, 0, 1], "model": [0.4, 0.4, 0.1, 0.1]}
    >>> adjudge.uplift(table, outcome="bought", treatment="mailed", score="model")["qini"].value
    0.25
    """
    return _evaluated("uplift", locals())
