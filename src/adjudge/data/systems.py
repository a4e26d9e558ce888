"""Which columns are a system's, and which make a slice, from whatever way they were given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from adjudge.data.judgements.labels import label_text
from adjudge.errors import SettingError, listed, quoted

_CROSS = re.compile(r"\s+[×x]\s+|×")


@dataclass(frozen=True, slots=True)
class SystemRoles:
    """Where one system's answers are. `scores` pairs a category with its column; one pair without a category
    means a single score, which speaks of the positive category."""

    name: str
    prediction: str | None = None
    scores: tuple[tuple[str | None, str], ...] = ()

    @property
    def has_one_score(self) -> bool:
        """Whether a single score column speaks of the positive category."""
        return len(self.scores) == 1 and self.scores[0][0] is None


def as_list(given: str | Iterable[str] | None) -> list[str]:
    """What may be given as one name or as several, as a list.

    >>> as_list("a"), as_list(("a", "b")), as_list(None)
    (['a'], ['a', 'b'], [])
    """
    return [given] if isinstance(given, str) else list(given or ())


def slice_columns(text: str, columns: Sequence[str]) -> tuple[str, ...]:
    """The columns of a slice: one, or several crossed as in "country × device".

    >>> slice_columns("country × device", ["country", "device"])
    ('country', 'device')
    """
    if text in columns:
        return (text,)
    return tuple(part.strip() for part in _CROSS.split(text))


def slices_of(names: str | Sequence[str] | None, columns: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The columns of every slice, each once.

    >>> slices_of(["a", "a × b"], ["a", "b"])
    (('a',), ('a', 'b'))
    """
    return tuple(dict.fromkeys(slice_columns(str(name), columns) for name in as_list(names)))


def systems_of(prediction: object, score: object, systems: object) -> tuple[SystemRoles, ...]:
    """The systems that were named: by one column each, by lists of columns, or one by one.

    >>> systems_of("guess", None, None)
    (SystemRoles(name='guess', prediction='guess', scores=()),)
    >>> [system.name for system in systems_of(None, ["p_old", "p_new"], None)]
    ['p_old', 'p_new']
    """
    if systems is not None:
        if prediction is not None or score is not None:
            raise SettingError(
                "Systems must be given either as `systems` or as `prediction` and `score`, but both are here. "
                "Leave one out."
            )
        if not isinstance(systems, Mapping) or not systems:
            raise SettingError(
                f"`systems` must map each name to its columns, {{'prediction': …, 'score': …}}, not {quoted(systems)}."
            )
        return tuple(_system(str(name), answers) for name, answers in systems.items())
    predictions, scores = _answers_in(prediction), _answers_in(score)
    if not predictions and not scores:
        raise SettingError(
            "`prediction` or `score` must be given, but neither is. Name the column with the system's answers."
        )
    if predictions and scores and len(predictions) != len(scores):
        raise SettingError(
            "`prediction` and `score` must name the same number of columns, but there are "
            f"{len(predictions)} of predictions and {len(scores)} of scores. Name them one by one with `systems`."
        )
    count = max(len(predictions), len(scores))
    pairs = zip(predictions or [None] * count, scores or [None] * count, strict=True)
    return _distinct(tuple(_roles(_name(p, s), p, s) for p, s in pairs))


def score_columns(given: Mapping[str, object]) -> dict[str, str]:
    """Each system's lone column of scores, by its name.

    >>> score_columns({"score": ["a", "b"]}), score_columns({"systems": {"new": {"score": "a"}}})
    ({'a': 'a', 'b': 'b'}, {'new': 'a'})
    """
    if given.get("score") is None and given.get("systems") is None:
        raise SettingError("`score` must be given: the column of scores.")
    systems = systems_of(None, given.get("score"), given.get("systems"))
    for system in systems:
        if system.prediction is not None or not system.has_one_score:
            raise SettingError(
                f"A system must have one column of scores here, {{'score': …}}, but {quoted(system.name)} has none."
            )
    return {system.name: system.scores[0][1] for system in systems}


def _answers_in(given: object) -> list[object]:
    if given is None:
        return []
    # A column may also be called by a number, as pandas calls columns without a header.
    return list(given) if isinstance(given, Iterable) and not isinstance(given, (str, Mapping)) else [given]


def _name(prediction: object, score: object) -> str:
    if prediction is not None:
        return str(prediction)
    return "system" if isinstance(score, Mapping) else str(score)


def _system(name: str, answers: object) -> SystemRoles:
    if isinstance(answers, str):
        return _roles(name, answers, None)
    known = isinstance(answers, Mapping) and any(column is not None for column in answers.values())
    if not isinstance(answers, Mapping) or not known or set(answers) - {"prediction", "score"}:
        raise SettingError(
            f"`systems` must map each name to its columns, {{'prediction': …, 'score': …}}, "
            f"but {quoted(name)} has {quoted(answers)}."
        )
    return _roles(name, answers.get("prediction"), answers.get("score"))


def _roles(name: str, prediction: object, score: object) -> SystemRoles:
    prediction = None if prediction is None else str(prediction)
    if score is None:
        return SystemRoles(name, prediction)
    if not isinstance(score, Mapping):
        return SystemRoles(name, prediction, ((None, str(score)),))
    pairs = tuple((label_text(category), str(column)) for category, column in score.items())
    if len({category for category, _ in pairs}) < max(2, len(pairs)):
        raise SettingError(
            f"`score` by category must name at least two different categories, not {listed(c for c, _ in pairs)}. "
            "For one score give its column and `positive`."
        )
    return SystemRoles(name, prediction, pairs)


def _distinct(systems: tuple[SystemRoles, ...]) -> tuple[SystemRoles, ...]:
    names = [system.name for system in systems]
    if len(set(names)) < len(names):
        raise SettingError(
            f"Systems must have different names, but they are {listed(names)}. Name them with `systems`."
        )
    return systems
