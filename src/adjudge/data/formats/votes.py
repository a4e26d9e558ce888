"""Votes for one of two answers: Chatbot Arena, AlpacaEval, MT-bench pairs, RewardBench, chosen and rejected texts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from adjudge.data.formats.base import RATINGS, VOTES, Imported, Importer, Picks, as_written, if_written, item_of
from adjudge.data.formats.outcomes import Columns
from adjudge.data.formats.records import objects_in, rows_of_columns, table_rows, whole_object
from adjudge.data.formats.sample import Record, Sample

SAME_SYSTEM, NO_WINNER, VISIBLE = "same system on both sides", "no winner marked", "names were visible"
NO_PREFERENCE, GAME_ERROR, NO_VERDICT = "judge gave no preference", "judge error in a game", "judge error or tie (0.5)"
SAME_TEXT = "both texts are the same"
FIRST = "The preferred text is always in the first column: position cannot be studied."
Vote = dict[str, object]


def read_votes(tool: str, paths: Sequence[Path], votes: Iterator[Vote | str], remarks: Sequence[str] = ()) -> Imported:
    """A table of votes, what is none counted by its reason."""
    left_out: Counter[str] = Counter()
    kept: list[Vote] = []
    for vote in votes:
        if isinstance(vote, str):
            left_out[vote] += 1
        else:
            kept.append(vote)
    names = list(dict.fromkeys(name for vote in kept for name in vote)) or ["item", "winner"]
    columns = {name: [vote.get(name) for vote in kept] for name in names}
    roles = {"reference": "winner", "model_a": "system_a", "model_b": "system_b"}
    roles = {role: column for role, column in roles.items() if column in columns}
    return Imported(tool, paths[0].name, VOTES, columns, dict(left_out), roles, tuple(remarks), tuple(paths))


def records_of(path: Path, sample: Sample) -> Iterator[Record]:
    """The records of a file, whichever way it holds them."""
    if sample.shape == "text":
        return iter(table_rows(path))
    return rows_of_columns(whole_object(path)) if sample.shape == "object" else objects_in(path)


# Chatbot Arena

ARENA = {"model_a": "a", "model_b": "b", "tie": "tie", "tie (bothbad)": "both_bad", "both_bad": "both_bad"}


def read_arena(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Battles: the winner as a word, or as a column of ones and zeros for each outcome."""
    return read_votes("Chatbot Arena", paths, map(_battle, records_of(paths[0], sample)))


def _battle(battle: Mapping[str, object]) -> Vote | str:
    winner = ARENA.get(str(battle.get("winner")).lower())
    if "winner" not in battle:
        marked = [name for name in ("model_a", "model_b", "tie") if str(battle.get(f"winner_{name}")) in ("1", "1.0")]
        winner = ARENA[marked[0]] if len(marked) == 1 else None
    if battle.get("model_a") == battle.get("model_b"):
        return SAME_SYSTEM
    if battle.get("anony") is False:
        return VISIBLE
    if winner is None:
        return NO_WINNER
    key = next((name for name in ("question_id", "id", "conversation_id") if battle.get(name) is not None), "")
    rater = next((battle[name] for name in ("judge", "evaluation_session_id", "judge_hash") if battle.get(name)), None)
    return {
        "item": item_of(battle, key, "the file") if key else None,
        "rater": if_written(rater),
        "system_a": as_written(battle.get("model_a")),
        "system_b": as_written(battle.get("model_b")),
        "winner": winner,
    }


# AlpacaEval


def read_alpaca(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Annotations of two outputs: 1 is the first, by convention the baseline's, 2 the second; between them a tie."""
    votes = (_preferred(record, place) for place, record in enumerate(records_of(paths[0], sample)))
    return read_votes("AlpacaEval", paths, votes)


class _Annotation(NamedTuple):
    """The fields of one annotation, as the file calls them."""

    generator_1: object
    generator_2: object
    annotator: object
    preference: object

    @classmethod
    def of(cls, record: Record) -> _Annotation:
        return cls(*(record.get(name) for name in cls._fields))


def _preferred(record: Mapping[str, object], place: int) -> Vote | str:
    said = _Annotation.of(record)
    value = said.preference
    if not isinstance(value, (int, float)) or math.isnan(value):
        return NO_PREFERENCE
    vote: Vote = {
        "item": str(place),
        "rater": as_written(said.annotator),
        "system_a": as_written(said.generator_1),
        "system_b": as_written(said.generator_2),
        "winner": "tie" if value in (0, 1.5) else "a" if value < 1.5 else "b",
    }
    return vote if value in (0, 1, 1.5, 2) else vote | {"strength": abs(value - 1.5) * 2}


# MT-bench pairs


def read_games(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Pairs judged in both orders; two orders that contradict each other are a tie, as FastChat counts them."""
    records = list(records_of(paths[0], sample))
    games = [(one.get("g1_winner"), one.get("g2_winner")) for one in records]
    apart = sum(a != b and "error" not in (a, b) and "tie" not in (a, b) for a, b in games)
    ties = "1 tie is" if apart == 1 else f"{apart:,} ties are"
    remarks = [f"{ties} of two orders that contradict each other."] if apart else []
    return read_votes("MT-bench", paths, map(_games, records), remarks)


def _games(record: Mapping[str, object]) -> Vote | str:
    first, second = record.get("g1_winner"), record.get("g2_winner")
    if "error" in (first, second):
        return GAME_ERROR
    winner = {"model_1": "a", "model_2": "b"}.get(str(first), "tie") if first == second else "tie"
    judge = record.get("judge")
    return {
        "item": as_written(record.get("question_id")),
        "rater": "/".join(map(as_written, judge)) if isinstance(judge, list) else as_written(judge),
        "system_a": as_written(record.get("model_1")),
        "system_b": as_written(record.get("model_2")),
        "winner": winner,
    }


# RewardBench

SIDES = {"system_a": "chosen", "system_b": "rejected"}


def read_rewards(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Scores of chosen and rejected texts, or what a generative model preferred; a is the chosen text."""
    return read_votes("RewardBench", paths, map(_reward, records_of(paths[0], sample)))


def _reward(record: Mapping[str, object]) -> Vote | str:
    vote: Vote = {"item": as_written(record.get("id")), "system": as_written(record.get("model")), **SIDES}
    a, b = record.get("scores_chosen"), record.get("scores_rejected")
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        vote |= {"score_a": a, "score_b": b, "winner": _larger(a, b)}
    elif record.get("results") in (0, 1):
        vote["winner"] = "a" if record["results"] else "b"
    else:
        return NO_VERDICT
    return vote | {"subset": as_written(record.get("subset"))}


def _larger(a: float, b: float) -> str:
    return "tie" if a == b else "a" if a > b else "b"


def read_all_rewards(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Numbers under chosen and rejected."""
    each = enumerate(records_of(paths[0], sample))
    votes = (
        {
            "item": str(place),
            **SIDES,
            "score_a": one["chosen"],
            "score_b": one["rejected"],
            "winner": _larger(one["chosen"], one["rejected"]),
        }
        for place, one in each
    )
    return read_votes("RewardBench", paths, votes)


# Chosen and rejected texts


def read_pairs(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """A chosen and a rejected text in each row."""
    each = enumerate(records_of(paths[0], sample))
    return read_votes("preference data", paths, (_pair(record, place) for place, record in each), [FIRST])


def _pair(record: Mapping[str, object], place: int) -> Vote | str:
    if record.get("chosen") == record.get("rejected"):
        return SAME_TEXT
    vote: Vote = {
        "item": as_written(record["prompt_id"]) if record.get("prompt_id") is not None else str(place),
        "rater": None,
        "system_a": "chosen",
        "system_b": "rejected",
        "winner": "a",
    }
    scores = {f"score_{side}": record.get(f"score_{name}") for side, name in (("a", "chosen"), ("b", "rejected"))}
    return vote | {name: value for name, value in scores.items() if value is not None}


def read_unpaired(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """One judgement of each text, without pairs."""
    labels = [record.get("label") for record in records_of(paths[0], sample)]
    columns: Columns = {"item": [str(place) for place in range(len(labels))], "rating": labels}
    return Imported("preference data", paths[0].name, RATINGS, columns, {}, {}, (), tuple(paths))


def _text_pair(sample: Sample) -> bool:
    return sample.in_records and all(
        isinstance(sample.record.get(name), (str, list)) for name in ("chosen", "rejected")
    )


def _number_pair(sample: Sample) -> bool:
    pair = [sample.record.get(name) for name in ("chosen", "rejected")]
    return sample.in_records and all(isinstance(one, (int, float)) for one in pair)


def _is_battle(sample: Sample, winner: str) -> bool:
    return {"model_a", "model_b", winner} <= {*sample.record, *sample.header}


def _is_unpaired(sample: Sample) -> bool:
    return sample.in_records and sample.has("prompt", "completion", "label")


IMPORTERS = (
    Importer("Chatbot Arena", {"arena": lambda s: _is_battle(s, "winner")}, read_arena, plain=True),
    Importer("Chatbot Arena", {"arena": lambda s: _is_battle(s, "winner_model_a")}, read_arena),
    Importer("AlpacaEval", {"alpaca_eval": lambda s: s.has(*_Annotation._fields)}, read_alpaca),
    Importer("MT-bench", {"mt_bench.pair": lambda s: s.has("g1_winner", "g2_winner")}, read_games),
    Importer(
        "RewardBench",
        {
            "reward_bench": lambda s: (
                s.shape == "object" and isinstance(s.record.get("results"), list) and s.has("subset")
            )
        },
        read_rewards,
    ),
    Importer("RewardBench", {"reward_bench.all": _number_pair}, read_all_rewards),
    Importer("preference data", {"preference.pairs": _text_pair}, read_pairs),
    Importer("preference data", {"preference.unpaired": _is_unpaired}, read_unpaired),
)
