"""Do raters agree beyond chance? Read this file to know everything the agreement task promises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudge.evaluation.asking.likenesses import END, ITEM, RATER, RATERS, RATING, SLICES_OF_ITEMS, SPAN_LABEL, START
from adjudge.evaluation.cubes.keys import cells_by
from adjudge.evaluation.declaration import Demo, Role, Setting, Study, TakeAway, Task
from adjudge.metrics.spans import MATCHES
from adjudge.metrics.weightings import MEASUREMENTS
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.tasks.agreement.by_measurement import BY_MEASUREMENT, CONTINUOUS, OF_SETS, OF_SPANS, OF_TWO
from adjudge.tasks.agreement.checks import choice_of, refuse_settings
from adjudge.tasks.agreement.items import of_items
from adjudge.tasks.agreement.labels import LabelStudy
from adjudge.tasks.agreement.opening import opened_ratings
from adjudge.tasks.agreement.reading import rating_keys
from adjudge.tasks.agreement.screen import SCREEN
from adjudge.tasks.agreement.sets import SetStudy
from adjudge.tasks.agreement.spans import SpanStudy
from adjudge.tasks.agreement.study import RatingStudy
from adjudge.tasks.agreement.teams import compare_teams

# Which kind of rating a level of measurement is about.
STUDIES: dict[str, type[RatingStudy]] = {
    **dict.fromkeys(MEASUREMENTS, LabelStudy),
    "sets": SetStudy,
    "spans": SpanStudy,
}


def study_of(columns: Sequence[str], given: Mapping[str, object]) -> Study:
    """The study of this kind of rating."""
    names = {role.name for role in TASK.roles}
    measurement = choice_of(given, "measurement", STUDIES, "nominal")
    settings = {name: value for name, value in given.items() if name not in names and name != "measurement"}
    roles = {name: value for name, value in given.items() if name in names}
    kind = STUDIES[measurement]
    refuse_settings(measurement, {name: settings[name] for name in settings if name not in (*kind.takes, "resample")})
    return kind.of(columns, roles, measurement, settings)


TASK = Task(
    name="agreement",
    question="Do the raters agree beyond chance, who differs, and on what?",
    roles=(
        Role("raters", "columns of ratings, one for each rater", many=True, like=RATERS, least=2),
        Role("item", "column that names the item", like=ITEM),
        Role("rater", "column that names the rater, when each rating has a row", like=RATER),
        Role("rating", "column of ratings, when each rating has a row", like=RATING),
        Role("start", "column of the first place of a span, when each span has a row", like=START),
        Role("end", "column of the place after a span, when each span has a row", like=END),
        Role("label", "column of a span's label, when each span has a row", like=SPAN_LABEL),
        Role("weight", "column of case weights of the items"),
        Role("cluster", "column of units to resample together, such as a document"),
        Role("batch", "column of batches or dates, to look for drift"),
        Role("slices", "columns to break results down by; 'a × b' crosses two", many=True, like=SLICES_OF_ITEMS),
    ),
    metrics=tuple(
        dict.fromkeys(
            metric
            for sets in (BY_MEASUREMENT, OF_TWO, {"": CONTINUOUS}, OF_SETS, {"": OF_SPANS})
            for metrics in sets.values()
            for metric in metrics
        )
    ),
    study=study_of,
    headline=(
        "krippendorff_alpha(measurement=ratio)",
        "krippendorff_alpha(measurement=interval)",
        "krippendorff_alpha(measurement=ordinal)",
        "krippendorff_alpha(measurement=circular)",
        "krippendorff_alpha(measurement=bipolar)",
        "interval_alpha",
        "krippendorff_alpha",
        "percent_agreement",
        "gwet_ac1",
        "icc(form=A,1)",
        *(repr(metrics[0]) for metrics in OF_SETS.values()),
        "same_set_agreement",
        "macro_label_alpha",
        *(repr(metric) for metric in OF_SPANS[: len(MATCHES)]),
    ),
    settings=(
        Setting(
            "measurement",
            "level of measurement: nominal, ordinal, interval, ratio, circular, bipolar; sets (of labels); spans",
            default="nominal",
            misnomers=("level",),
        ),
        Setting("scale", "the categories in their order, used or not", many=True, form="labels"),
        Setting("model", "the rater that is a model: may it replace a human?", form="column"),
        Setting(
            "resample", "items (default), or raters too: the claim is then about other raters as well", default="items"
        ),
        Setting("distance", "of two sets of labels: masi (default), masi_dkpro, jaccard"),
        Setting("separator", "what stands between the labels of a set that is written as text (default |)"),
        Setting("scheme", "of tags: bio (default; also iob2), iob1, bioes (also iobes), bilou"),
        Setting("seen_by", "who saw an item, when each span has a row: marked (raters with a row; default), or all"),
        Setting(
            "seen_items",
            "table of items that were read, when each span has a row: with items and, unless all read them, raters",
            form="table",
            by_hand=True,
        ),
        Setting("mode", "what malformed tags are: strict-penalise (default), strict, conll"),
    ),
    sections={
        "comparisons": ("Raters", "Who agrees with whom. Where intervals overlap, a difference may be chance."),
        "distributions": ("Categories", "How often each rater uses each category."),
    },
    engine="memory",
    opens=opened_ratings,
    compares=compare_teams,
    shapes=(("item", "rater", "start", "end", "label"), ("item", "rater", "rating"), ("raters",)),
    screen=SCREEN,
    demo=Demo(
        "feelings.csv", {"raters": [f"r{number}" for number in range(1, 9)], "item": "item", "slices": ["source"]}
    ),
    example=(
        '>>> table = {"ann": ["a", "a", "b", "b"], "ben": ["a", "b", "b", "b"]}\n'
        '>>> adjudge.agreement(table, raters=["ann", "ben"])["cohen_kappa"].value\n'
        "0.5"
    ),
    tables=("ratings", "sets", "spans"),
    cells=cells_by(rating_keys),
    takes_away=(
        TakeAway("items", "each item: votes, agreement, entropy, influence on alpha", of_items("items")),
        TakeAway("queue", "the items to adjudicate, the most uncertain first", of_items("queue")),
        TakeAway("consensus", "each item's probable label, with probabilities and the model", of_items("consensus")),
    ),
    arrays={Confusion: ("raters", "raters"), Patterns: ("raters", "raters"), RatingVectors: ("raters", "raters")},
)
