"""Which look this is: judgements of growing data are kept beside the gate, so that looking often is paid for.

A look is a judgement of the same candidate and requirement on rows that share units with an earlier one, with new
units added. The same rows again are no look; other answers to the same rows are another candidate.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NotRequired, TypedDict, TypeGuard

import numpy as np

from adjudge.data.keys import Keys, digest_of, keys_of_labels, keys_of_rows, mixed
from adjudge.data.source import Source, Text
from adjudge.errors import InputError, quoted
from adjudge.evaluation.gates.judging import Looks
from adjudge.evaluation.gates.requirements import Requirement
from adjudge.evaluation.gates.verdicts import PASSED, Verdict

FILE = "adjudge-looks.jsonl"
# Units whose keys and answers are kept of each judgement, to know them again.
KEPT = 64
# Rows are those of an earlier judgement where at least this share of its kept units is among them.
SHARED = 0.5
_KEY = re.compile("[0-9a-f]{16}")


@dataclass(frozen=True)
class KeyedAnswers:
    """Every unit of a table by a key, and what one system answered to it."""

    system: str
    keys: Keys
    answers: Keys
    units: int  # that are drawn: rows, or those of rows that belong together

    @property
    def fingerprint(self) -> str:
        """The units with their answers, in any order."""
        said = digest_of(self.keys, self.answers)
        return sha256(f"{len(self.keys)}/{said}".encode()).hexdigest()[:32]

    @property
    def kept(self) -> tuple[list[str], list[str]]:
        """The units with the smallest keys, which others of the same rows have too, and their answers."""
        first = np.argsort(self.keys, kind="stable")[:KEPT]
        return [f"{key:016x}" for key in self.keys[first]], [f"{answer:016x}" for answer in self.answers[first]]

    def knows(self, keys: Sequence[str], answers: Sequence[str]) -> tuple[bool, bool]:
        """Whether earlier units are among these, and whether their answers are the same."""
        earlier = np.array([int(key, 16) for key in keys], dtype=np.uint64)
        order = np.argsort(self.keys, kind="stable")
        place = np.minimum(np.searchsorted(self.keys[order], earlier), len(order) - 1)
        is_known = self.keys[order][place] == earlier if len(order) else np.zeros(len(earlier), dtype=bool)
        said = np.array([int(answer, 16) for answer in answers], dtype=np.uint64)
        same = self.answers[order][place] == said if len(order) else is_known
        return bool(is_known.mean() >= SHARED) if len(is_known) else False, bool(same[is_known].all())


def ledger_answers(
    source: Source, roles: Mapping[str, str], system: str, together: str | None = None
) -> KeyedAnswers | None:
    """What a system answered, from its columns; None where these are not known.

    `together` is the column that says which rows belong together, and count as one.
    """
    columns = [c for role, c in roles.items() if role.endswith(f" of {system}") or f" of {system} for " in role]
    columns = columns or ([system] if system in source.column_names else [])
    if not columns:
        return None
    named = roles.get("id")
    keys: list[Keys] = []
    answers: list[Keys] = []
    row, bundles = 0, set[int]()
    for batch in source.batches(list(dict.fromkeys([*columns, *(one for one in (named, together) if one)])), []):
        keys.append(keys_of_rows(row, row + batch.rows) if named is None else _hashed(batch.columns[named]))
        said = np.zeros(batch.rows, dtype=np.uint64)
        for column in columns:
            said = mixed(said ^ _hashed(batch.columns[column]))
        answers.append(said)
        row += batch.rows
        if together is not None:
            bundles.update(np.unique(_hashed(batch.columns[together])).tolist())
    nothing: Keys = np.zeros(0, dtype=np.uint64)
    units = row if together is None else len(bundles - {0})  # rows that belong to nothing are left out
    return KeyedAnswers(system, np.concatenate([nothing, *keys]), np.concatenate([nothing, *answers]), units)


def _hashed(column: object) -> Keys:
    assert isinstance(column, Text)
    return np.asarray(np.append(keys_of_labels(column.labels), np.uint64(0))[column.codes])


class Entry(TypedDict):
    """A line of the ledger, as its JSON says it."""

    requirement: str
    data: str
    keys: list[str]
    answers: list[str]
    units: NotRequired[int]
    verdict: NotRequired[object]


def _is_judgement(entry: object) -> TypeGuard[Entry]:
    """Whether a line of JSON is what a ledger writes; people and merges change such files."""
    if not isinstance(entry, dict) or not all(isinstance(entry.get(key), str) for key in ("requirement", "data")):
        return False
    keys, answers = entry.get("keys"), entry.get("answers")
    if not (isinstance(keys, list) and isinstance(answers, list) and len(keys) == len(answers)):
        return False
    return type(entry.get("units", 0)) is int and all(
        isinstance(key, str) and _KEY.fullmatch(key) for key in [*keys, *answers]
    )


@dataclass(frozen=True)
class Ledger:
    """What was judged so far, one line each."""

    path: Path
    entries: tuple[Entry, ...]

    @classmethod
    def beside(cls, gate: str) -> Ledger:
        """The ledger beside a gate; empty where there is none."""
        path = Path(gate).parent / FILE
        if not path.exists():
            return cls(path, ())
        entries = []
        try:
            text = path.read_text(encoding="utf-8")
            for number, line in enumerate(text.removesuffix("\n").split("\n") if text else (), start=1):
                entry = json.loads(line)
                if not _is_judgement(entry):
                    raise ValueError(f"line {number} is no judgement")
                entries.append(entry)
        except (OSError, ValueError, RecursionError) as error:
            raise InputError(
                f"{quoted(path.name)} must hold the judgements so far, but: {error}. Correct it, or move it away."
            ) from None
        return cls(path, tuple(entries))

    def looks(self, requirements: Sequence[Requirement], answers: Mapping[str, KeyedAnswers]) -> Looks:
        """Which look this is for each requirement, and how many other candidates were judged on these rows."""
        numbers, passed, sizes = {}, set(), dict[int, tuple[int, ...]]()
        for place, requirement in enumerate(requirements):
            if (own := _of(requirement, answers)) is not None:
                earlier = [e for e in self.entries if e["requirement"] == hash_of(requirement) and _same(own, e)]
                seen = {entry["data"]: int(entry.get("units", 0)) for entry in earlier}
                again = own.fingerprint in seen
                seen.setdefault(own.fingerprint, own.units)
                numbers[place] = list(seen).index(own.fingerprint) + 1
                sizes[place] = tuple(list(seen.values())[: numbers[place]])
                if not again and any(entry.get("verdict") == PASSED for entry in earlier):
                    passed.add(place)
        earlier_ones = max((self._candidates(own) for own in answers.values()), default=0)
        return Looks(numbers, earlier_ones, sizes, frozenset(passed))

    def _candidates(self, own: KeyedAnswers) -> int:
        """Other candidates that were judged on these rows; one of which more rows were seen counts once."""
        others: list[list[str]] = []
        for entry in self.entries:
            shared, same = own.knows(entry["keys"], entry["answers"])
            if shared and not same and entry["answers"] not in others:
                others.append(list(entry["answers"]))
        return len(others)

    def with_judgement(
        self,
        requirements: Sequence[Requirement],
        answers: Mapping[str, KeyedAnswers],
        verdicts: Sequence[Verdict],
        day: str,
    ) -> str:
        """The text of the ledger with this judgement; as it is where the same rows were judged before."""
        lines = [json.dumps(entry, sort_keys=True, ensure_ascii=False) for entry in self.entries]
        for requirement, verdict in zip(requirements, verdicts, strict=False):
            own = _of(requirement, answers)
            known = {(entry["requirement"], entry["data"]) for entry in self.entries}
            if own is None or (hash_of(requirement), own.fingerprint) in known:
                continue
            keys, said = own.kept
            entry = {
                "time": day,
                "requirement": hash_of(requirement),
                "text": requirement.text,
                "system": own.system,
                "data": own.fingerprint,
                "units": own.units,
                "n": verdict.n,
                "verdict": verdict.verdict,
                "keys": keys,
                "answers": said,
            }
            lines.append(json.dumps(entry, sort_keys=True, ensure_ascii=False))
        return "".join(f"{line}\n" for line in lines)


def hash_of(requirement: Requirement) -> str:
    """The requirement as it is judged, whatever its name."""
    said = f"{requirement.text}/{requirement.confidence}/{requirement.looks}"
    said += "" if requirement.spending == "obrien_fleming" else f"/{requirement.spending}"
    return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def needs_ledger(requirements: Sequence[Requirement]) -> bool:
    """Whether any requirement depends on how often one looked."""
    return any(one.looks != 1 or one.reuse == "bonferroni" for one in requirements)


def _of(requirement: Requirement, answers: Mapping[str, KeyedAnswers]) -> KeyedAnswers | None:
    """The answers that a requirement is about: of the system it names, or of the only one."""
    if requirement.system is not None and requirement.system in answers:
        return answers[requirement.system]
    rest = [own for name, own in answers.items() if name != requirement.versus]
    return rest[0] if len(rest) == 1 else None


def _same(own: KeyedAnswers, entry: Entry) -> bool:
    """Whether a judgement was of the same candidate, on rows that are among these."""
    return all(own.knows(entry["keys"], entry["answers"]))
