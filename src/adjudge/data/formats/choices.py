"""People's choices between answers as data sets publish them: MultiPref's lists of annotations, PRISM's conversations.

MultiPref (Miranda et al. 2024) has a record for each pair, with lists of what workers said of it. PRISM (Kirk et al.
2024) has a record for each answer, or for each conversation: of the answers to one message, one was chosen, and makes
a pair with each of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from adjudge.data.formats.base import Imported, Importer, Picks, as_written, if_written
from adjudge.data.formats.sample import Record, Sample
from adjudge.data.formats.votes import SAME_SYSTEM, Vote, read_votes, records_of
from adjudge.data.judgements.votes import KINDS, vote_in

NO_ANNOTATION, NO_CHOICE = "pair without an annotation", "message without one chosen answer"
NO_GRADE, ONE_ANSWER = "annotation without a preference", "chosen answer without another"

# MultiPref

WORKERS = ("normal_worker_annotations", "expert_worker_annotations")
ASPECTS = ("helpful", "truthful", "harmless")


def read_multipref(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """A row for each annotation of a pair; what a worker found more helpful, truthful or harmless are traits."""
    votes = (vote for record in records_of(paths[0], sample) for vote in _annotations(record))
    return read_votes("MultiPref", paths, votes)


def _annotations(record: Mapping[str, object]) -> Iterator[Vote | str]:
    annotations = [(kind, one) for kind in WORKERS for one in _objects(record.get(kind))]
    if not annotations:
        yield NO_ANNOTATION
    for kind, one in annotations:
        grade = one.get("overall_pref")
        if not isinstance(grade, str):
            yield NO_GRADE
            continue
        yield {
            "item": as_written(record.get("comparison_id")),
            "rater": _name(one, ("evaluator", "annotator", "worker_id")),
            "kind": kind.partition("_")[0],
            "prompt": as_written(record.get("prompt_id", record.get("text"))),
            "text_a": if_written(record.get("completion_a")),
            "text_b": if_written(record.get("completion_b")),
            "system_a": if_written(record.get("model_a")),
            "system_b": if_written(record.get("model_b")),
            "winner": _graded(grade),
            **{aspect: _graded(one.get(f"{aspect}_pref")) for aspect in ASPECTS},
        }


def _graded(grade: object) -> str | None:
    """Which answer a grade prefers; how clearly is not counted."""
    return KINDS[vote_in(grade)] if isinstance(grade, str) else None


# PRISM

ANSWERS = ("interaction_id", "within_turn_id", "if_chosen", "model_name")


def read_prism(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """A row for each answer that was not chosen, beside the one that was; which came first is the order shown."""
    records = records_of(paths[0], sample)
    messages = _of_conversations(records) if "conversation_history" in sample.record else _of_answers(records)
    return read_votes("PRISM", paths, (vote for message in messages for vote in _pairs(message)))


def _of_answers(records: Iterable[Mapping[str, object]]) -> Iterator[Sequence[Mapping[str, object]]]:
    """Answers to one message, which may stand anywhere in the file."""
    messages: dict[str, list[Mapping[str, object]]] = {}
    for record in records:
        messages.setdefault(as_written(record.get("interaction_id")), []).append(record)
    yield from messages.values()


def _of_conversations(records: Iterable[Mapping[str, object]]) -> Iterator[Sequence[Mapping[str, object]]]:
    for record in records:
        identity = {name: record.get(name) for name in ("conversation_id", "user_id")}
        prompt, answers = None, []
        for turn in _objects(record.get("conversation_history")):
            if turn.get("role") == "model":
                answers.append({**identity, **turn, "user_prompt": prompt, "model_response": turn.get("content")})
                continue
            if answers:
                yield answers
            prompt, answers = turn.get("content"), []
        if answers:
            yield answers


def _pairs(answers: Sequence[Record]) -> Iterator[Vote | str]:
    """The chosen answer to a message beside each of the others, the one shown first first."""
    shown = sorted(answers, key=lambda one: _place(one.get("within_turn_id")))
    chosen = [
        one for one in shown if one.get("if_chosen") is True or as_written(one.get("if_chosen")).lower() == "true"
    ]
    if len(chosen) != 1:
        yield NO_CHOICE
        return
    others = [one for one in shown if one is not chosen[0]]
    if not others:
        yield ONE_ANSWER
    for other in others:
        pair = [one for one in shown if one is other or one is chosen[0]]
        if pair[0].get("model_name") == pair[1].get("model_name"):
            yield SAME_SYSTEM
            continue
        yield {
            "item": as_written(other.get("interaction_id", other.get("conversation_id"))),
            "rater": if_written(other.get("user_id")),
            "prompt": as_written(other.get("conversation_id")),
            "turn": if_written(other.get("turn")),
            **{f"text_{side}": if_written(one.get("model_response")) for side, one in zip("ab", pair, strict=True)},
            **{f"system_{side}": if_written(one.get("model_name")) for side, one in zip("ab", pair, strict=True)},
            **{f"score_{side}": _number(one.get("score")) for side, one in zip("ab", pair, strict=True)},
            "winner": "a" if pair[0] is chosen[0] else "b",
        }


def _place(value: object) -> float:
    number = _number(value)
    return float("inf") if number is None else number


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _name(record: Mapping[str, object], names: Sequence[str]) -> str | None:
    return next((as_written(record[name]) for name in names if record.get(name) is not None), None)


def _objects(value: object) -> list[Mapping[str, object]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _is_multipref(sample: Sample) -> bool:
    lists = any(isinstance(sample.record.get(kind), list) for kind in WORKERS)
    return sample.in_records and lists and sample.has("completion_a", "completion_b")


def _is_conversation(sample: Sample) -> bool:
    return sample.in_records and isinstance(sample.record.get("conversation_history"), list)


IMPORTERS = (
    Importer("MultiPref", {"multipref": _is_multipref}, read_multipref),
    Importer(
        "PRISM",
        {
            "prism.answers": lambda sample: sample.in_records and sample.has(*ANSWERS),
            "prism.conversations": _is_conversation,
        },
        read_prism,
    ),
)
