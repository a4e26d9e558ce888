"""Which columns of a table are looked at together, by the roles they were given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from adjudge.data.judgements.labels import label_text
from adjudge.data.table_facts import Pair, Watched

# What is measured against, and what is held against it; people who rate stand on both sides.
MEASURED_AGAINST = ("reference", "relevance", "expect", "raters")
ANSWERS = ("prediction", "score", "judge", "annotators")
# What rows belong to, with the roles that name it: a model may stand in either of two columns.
NAMES = {
    **{role: (role,) for role in ("cluster", "candidate", "query", "item", "case")},
    "model": ("model_a", "model_b"),
}


def given_columns(value: object) -> Iterator[str]:
    """The columns that were given for a role, one or several."""
    yield from (column for _, column in _labelled(value))


def role_columns(given: Mapping[str, object], role: str) -> list[str]:
    """The same, also where each system has its own."""
    return [column for _, column in _of_role(given, role)]


def coded_columns(given: Mapping[str, object]) -> set[str]:
    """Columns in which 0 and -1 may say that nothing is known: of outcomes and relevances these are values."""
    roles = ("reference", "prediction", "judge", *(() if given.get("zeros") == "keep" else ("raters",)))
    return {column for role in roles for column in role_columns(given, role)}


def _of_role(given: Mapping[str, object], role: str) -> list[tuple[str | None, str]]:
    systems = given.get("systems")
    named = systems.values() if isinstance(systems, Mapping) else ()
    # A column alone is what a system predicts.
    parts = (one if isinstance(one, Mapping) else {"prediction": one} for one in named)
    values = [given.get(role), *(part.get(role) for part in parts)]
    return [pair for value in values for pair in _labelled(value)]


def _labelled(value: object) -> Iterator[tuple[str | None, str]]:
    """Columns, and of scores the labels that they speak of."""
    if isinstance(value, str):
        yield None, value
    elif isinstance(value, Mapping):
        for name, column in value.items():
            if isinstance(column, str):
                yield label_text(name), column
    elif isinstance(value, Iterable):
        for one in value:
            if isinstance(one, (str, Mapping)):
                yield from _labelled(one)


def watched_of(given: Mapping[str, object]) -> Watched:
    """What is looked at together."""
    raters = tuple(role_columns(given, "raters"))
    against = [column for role in MEASURED_AGAINST for column in role_columns(given, role)]
    answers = [pair for role in ANSWERS for pair in _of_role(given, role)]
    others = [(None, rater) for rater in raters[1:]]
    scaled = not given.get("relevance")  # orders have no scale
    pairs = [Pair(against[0], column, label, scaled=scaled) for label, column in (*others, *answers) if against]
    pairs += [Pair(against[0], rater, ordered=True) for _, rater in others]
    models = zip(role_columns(given, "model_a"), role_columns(given, "model_b"), strict=False)
    pairs += [Pair(*named) for named in models if all(named)]
    first, *more = role_columns(given, "exposure") or [""]
    pairs += [Pair(first, other, scaled=False) for other in more]  # times of two systems may be one and the same
    both = zip(*(role_columns(given, role) for role in ("prediction", "score")), strict=False)
    for decided, score in both if against and not raters else ():
        pairs += [Pair(decided, score, compared=False, against=by) for by in (None, against[0])]
    turned = given.get("swapped")  # votes on the same pairs in the other order
    pairs += (
        [Pair(str(one), str(other), compared=False) for one, other in turned.items()]
        if isinstance(turned, Mapping)
        else []
    )
    ends = zip(*(role_columns(given, role) for role in ("lower", "prediction", "upper")), strict=False)
    systems = tuple(role_columns(given, "prediction")) if raters else ()
    counted = [*against, *(column for _, column in answers), *role_columns(given, "rating")]
    apart = dict.fromkeys(pair for pair in pairs if pair.one != pair.other)
    labels = tuple(dict.fromkeys(counted))
    return Watched(tuple(apart), raters, systems, tuple(ends), labels, _named(given), _fine(given))


def _named(given: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """Columns of names, by what they name."""
    named = {what: tuple(c for role in roles for c in role_columns(given, role)) for what, roles in NAMES.items()}
    return {what: columns for what, columns in named.items() if columns}


def _fine(given: Mapping[str, object]) -> str | None:
    """The number by which rows are told apart, where each stands for itself; scores of labels are told otherwise."""
    roles = ("prediction", "exposure", "judge", *(() if given.get("reference") else ("score",)))
    together = given.get("cluster") or given.get("candidate")
    return None if together else next((columns[-1] for role in roles if (columns := role_columns(given, role))), None)
