"""A gate in a file (TOML, JSON, or YAML where it is installed): what is evaluated, what must hold, what is declared."""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from hashlib import sha256
from pathlib import Path

from adjudge.data.tables.documents import read_document
from adjudge.errors import AdjudgeError, SettingError, did_you_mean, listed, literal, quoted
from adjudge.evaluation.declaration import Given
from adjudge.evaluation.gates.requirements import Requirement, checked_requirements, quotes_needed
from adjudge.evaluation.gates.verdicts import DECLARED, EXPIRED, MISSING, Verdict

PARTS = ("gate", "requirement", "evidence")
# Keys of [gate] that are not roles or settings of its task.
OWN_KEYS = ("name", "data", "task", "require", "requirement", "frozen")


@dataclass(frozen=True, slots=True)
class DeclaredEvidence:
    """What somebody declares, since no table can measure it; it is never *passed*."""

    characteristic: str
    statement: str = ""
    owner: str = ""
    link: str = ""
    date: str = ""
    expires: str = ""
    must: bool = False


@dataclass(frozen=True, slots=True)
class GateFile:
    """Everything that a file of requirements says."""

    name: str
    requirements: tuple[Requirement, ...]
    evidence: tuple[DeclaredEvidence, ...] = ()
    data: str | None = None
    task: str | None = None  # None: the one that tables are evaluated by unless told otherwise
    given: Given = field(default_factory=dict)  # roles and settings of the task
    require: tuple[str, ...] = ()  # characteristics that evidence must be there for
    frozen: Mapping[str, str] = field(default_factory=dict)  # the fingerprint that a system's answers must have
    file_hash: str = ""
    path: str = ""

    @property
    def is_of_columns(self) -> bool:
        """Whether it names no task: in a purpose, only metrics of columns can be required then."""
        return not self.task

    @property
    def data_path(self) -> str | None:
        """The table, from where the file stands."""
        return None if self.data is None else str(Path(self.path).parent / self.data)


def read_gate(path: str | os.PathLike[str]) -> GateFile:
    """The gate in a file; the first thing in it that cannot be meant is refused."""
    content, document = read_document(path, "A gate")
    return gate_of(document, name=Path(path).stem, path=str(path), file_hash=sha256(content).hexdigest())


def gate_of(document: object, *, name: str = "gate", path: str = "", file_hash: str = "") -> GateFile:
    """The gate that a document holds.

    >>> gate_of({"gate": {"name": "a"}, "requirement": ["accuracy >= 0.9"]}).requirements[0].at_least
    0.9
    """
    if not isinstance(document, Mapping):
        raise SettingError(f"A gate must be a table with the parts {listed(PARTS)}, not {literal(document)}.")
    for key in document:
        if key not in PARTS:
            raise SettingError(
                f"A part of a gate must be a known one, but {quoted(key)} is not. {did_you_mean(str(key), PARTS)}"
            )
    head = document.get("gate", {})
    if not isinstance(head, Mapping):
        raise SettingError(f"[gate] must be a table of keys, not {literal(head)}.")
    # In TOML what is written below [gate] belongs to it, wherever its author wanted it to stand.
    requirements = _requirements([one for part in (head, document) for one in _entries("requirement", part)])
    evidence = tuple(_evidence(one) for one in _entries("evidence", document))
    given = {key: value for key, value in head.items() if key not in OWN_KEYS}
    gate = GateFile(
        name=_text("name", head.get("name", name)),
        requirements=requirements,
        evidence=evidence,
        data=None if "data" not in head else _text("data", head["data"]),
        task=None if "task" not in head else _text("task", head["task"]),
        given=systems_named(given),
        require=tuple(map(_evidence_name, _list("require", head.get("require", [])))),
        frozen={str(k): _text("frozen", v) for k, v in _table("frozen", head.get("frozen", {})).items()},
        file_hash=file_hash,
        path=path,
    )
    if not gate.requirements and not gate.evidence and not gate.require:
        raise SettingError("A gate must have at least one [[requirement]], but it has none. Add one.")
    return gate


def _requirements(entries: Sequence[object]) -> tuple[Requirement, ...]:
    requirements: list[Requirement] = []
    for number, entry in enumerate(entries, start=1):
        try:
            requirements += checked_requirements([entry])
        except AdjudgeError as error:
            named = entry.get("name") if isinstance(entry, Mapping) else entry
            where = f"requirement {number}" + (f" ({quoted(named)})" if isinstance(named, str) else "")
            raise SettingError(f"In {where}: {error}") from None
    names = [one.name for one in requirements if one.name]
    if twice := [name for place, name in enumerate(names) if name in names[:place]]:
        raise SettingError(f"Each [[requirement]] must have a name of its own, but two are {quoted(twice[0])}.")
    return tuple(requirements)


def systems_named(given: Given) -> dict[str, object]:
    """The roles as they are; `score = {old = "a", new = "b"}` and the like are systems by name."""
    by_name = {role: given[role] for role in ("prediction", "score") if isinstance(given.get(role), Mapping)}
    if not by_name:
        return dict(given)
    if "systems" in given:
        raise SettingError("`systems` must stand without tables of `prediction` and `score`. Leave one out.")
    systems: dict[str, dict[str, object]] = {}
    for role, columns in by_name.items():
        for name, column in columns.items():
            systems.setdefault(str(name), {})[role] = column
    return {key: value for key, value in given.items() if key not in by_name} | {"systems": systems}


def _evidence(entry: object) -> DeclaredEvidence:
    keys = [one.name for one in fields(DeclaredEvidence)]
    if not isinstance(entry, Mapping):
        raise SettingError(f"[[evidence]] must be a table with the keys {listed(keys)}, not {literal(entry)}.")
    for key in entry:
        if key not in keys:
            raise SettingError(
                f"A key of evidence must be a known one, but {quoted(key)} is not. {did_you_mean(str(key), keys)}"
            )
    if "characteristic" not in entry:
        raise SettingError("Evidence must name its `characteristic`, such as integrity, but it does not. Add it.")
    given: dict[str, object] = {
        key: _day(key, value) if key in ("date", "expires") else value for key, value in entry.items()
    }
    if not isinstance(given.get("must", False), bool):
        raise SettingError(f"`must` must be true or false, not {literal(given['must'])}.")
    texts = {key: _text(key, value) for key, value in given.items() if key != "must"}
    if texts.get("expires", "9") < texts.get("date", ""):
        raise SettingError(f"`expires` must not lie before `date`, {texts['date']}, but is {texts['expires']}.")
    return DeclaredEvidence(must=bool(given.get("must", False)), **texts)


def _day(key: str, value: object) -> str:
    if isinstance(value, datetime.datetime):
        value = value.date()
    if isinstance(value, datetime.date):
        return value.isoformat()
    try:
        return datetime.date.fromisoformat(value if isinstance(value, str) else "").isoformat()
    except ValueError:
        raise SettingError(f"`{key}` must be a day, such as 2026-11-02, not {literal(value)}.") from None


def evidence_verdicts(gate: GateFile, today: datetime.date | None = None) -> tuple[Verdict, ...]:
    """What was declared, and what was not though it is required."""
    day = (today or datetime.date.today()).isoformat()
    verdicts = []
    for one in gate.evidence:
        expired = bool(one.expires) and one.expires < day
        why = f"expired on {one.expires}" if expired else f"declared by {one.owner or 'nobody named'}"
        reason = why + (f" on {one.date}" if one.date and not expired else "")
        verdicts.append(
            Verdict(
                requirement=one.statement or one.characteristic,
                text=f"{one.characteristic}: {one.statement}",
                verdict=EXPIRED if expired else DECLARED,
                why=reason,
                must=one.must,
                owner=one.owner,
                link=one.link,
                characteristic=one.characteristic,
            )
        )
    known = {one.characteristic for one in gate.evidence}
    for name in gate.require:
        if name not in known:
            why = "no evidence is declared for it"
            verdicts.append(Verdict(name, f"evidence for {name}", MISSING, why, characteristic=name))
    return tuple(verdicts)


def _entries(part: str, of: Mapping[str, object]) -> list[object]:
    value = of.get(part, [])
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        raise SettingError(
            f"`{part}` must be a list, since there may be several. Write [[{part}]] in TOML, and a dash "
            "before each in YAML."
        )
    return _list(part, value)


def _list(key: str, value: object) -> list[object]:
    if not isinstance(value, list | tuple):
        raise SettingError(f"`{key}` must be a list, not {literal(value)}.")
    return list(value)


def _table(key: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise SettingError(f"`{key}` must be a table of names, not {literal(value)}.")
    return value


def _evidence_name(value: object) -> str:
    """What evidence must be there for; a requirement is easily put here, since options call it so."""
    signs = ("<", ">", " within ", " between ")
    if isinstance(value, Mapping) or (isinstance(value, str) and any(sign in value for sign in signs)):
        raise SettingError(
            f"`require` of [gate] must name evidence, such as portability, not the requirement {literal(value)}. "
            "Write it as requirement = [...], or as a [[requirement]]."
        )
    return _text("require", value)


def _text(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise SettingError(f"`{key}` must be text, not {literal(value)}.{quotes_needed(value)}")
    return value
