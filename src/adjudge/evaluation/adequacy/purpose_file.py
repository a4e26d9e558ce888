"""What a system is for, in a file: tables, what must hold of each, and what is declared; all by characteristic."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from adjudge.data.tables.documents import read_document
from adjudge.errors import AdjudgeError, SettingError, did_you_mean, listed, literal, quoted
from adjudge.evaluation.adequacy.characteristics import EXTERNAL, INTERNAL
from adjudge.evaluation.adequacy.tradeoffs import Axis, axis_of
from adjudge.evaluation.gates.file import GateFile, gate_of

PARTS = ("purpose", "table", "tradeoffs", "evidence")
# Keys of [purpose]: its name, who uses it for what, and the characteristics that evidence must be there for.
HEAD = ("name", "users", "use", "require")


@dataclass(frozen=True, slots=True)
class Purpose:
    """Everything that a purpose file says: each table is a gate of its own, judged together with the others."""

    name: str
    tables: tuple[GateFile, ...]
    declared: GateFile  # evidence, and what it is required for
    about: Mapping[str, str]  # who uses it, and for what
    file_hash: str = ""
    trade: Trade | None = None


@dataclass(frozen=True, slots=True)
class Trade:
    """Versions that are weighed against each other: in which table, and by which characteristics."""

    table: str
    systems: tuple[str, ...]
    axes: tuple[Axis, ...]


def read_purpose(path: str | os.PathLike[str]) -> Purpose:
    """The purpose in a TOML, JSON or YAML file; the first thing in it that cannot be meant is refused."""
    content, document = read_document(path, "A purpose")
    return parsed_purpose(document, name=Path(path).stem, path=str(path), file_hash=sha256(content).hexdigest())


def parsed_purpose(document: object, *, name: str = "its purpose", path: str = "", file_hash: str = "") -> Purpose:
    """The purpose that a document holds.

    >>> table = {"name": "log", "data": "log.csv", "requirement": [
    ...     {"metric": "quantile(0.95)", "column": "ms", "at_most": 800, "characteristic": "efficiency"}]}
    >>> parsed_purpose({"purpose": {"name": "triage"}, "table": [table]}).tables[0].requirements[0].characteristic
    'efficiency'
    """
    if not isinstance(document, Mapping):
        raise SettingError(f"A purpose must be a table with the parts {listed(PARTS)}, not {literal(document)}.")
    _known(document, PARTS, "A part of a purpose")
    head = document.get("purpose", {})
    if not isinstance(head, Mapping):
        raise SettingError(f"[purpose] must be a table of keys, not {literal(head)}.")
    _known(head, HEAD, "A key of [purpose]")
    for key in ("name", "users", "use"):
        if not isinstance(head.get(key, ""), str):
            raise SettingError(f"`{key}` must be text, not {literal(head[key])}.")
    tables = document.get("table", [])
    if isinstance(tables, Mapping) or not isinstance(tables, list | tuple):
        raise SettingError("[[table]] must be written with two brackets, since there may be several. Add them.")
    parsed = tuple(_table(entry, number, path) for number, entry in enumerate(tables, start=1))
    names = [one.name for one in parsed]
    if len(set(names)) < len(names):
        raise SettingError(f"Each [[table]] must have a name of its own, but two are {quoted(_twice(names))}.")
    declared = _declared(document.get("evidence", []), head.get("require", []))
    if not any(one.requirements for one in parsed) and not declared.evidence and not declared.require:
        raise SettingError("A purpose must have at least one [[table.requirement]] or [[evidence]], but has none.")
    about = {key: head[key] for key in ("users", "use") if key in head}
    trade = None if "tradeoffs" not in document else _trade(document["tradeoffs"], names)
    return Purpose(head.get("name", name), parsed, declared, about, file_hash, trade)


def _trade(entry: object, tables: list[str]) -> Trade:
    if not isinstance(entry, Mapping):
        raise SettingError(f"[tradeoffs] must be a table of keys, not {literal(entry)}.")
    _known(entry, ("table", "systems", "of"), "A key of [tradeoffs]")
    table, systems, axes = entry.get("table"), entry.get("systems"), entry.get("of")
    if table not in tables:
        near = did_you_mean(str(table), tables)
        raise SettingError(f"`table` of [tradeoffs] must be one of the tables, not {literal(table)}. {near}")
    if not isinstance(systems, list | tuple) or not all(isinstance(one, str) for one in systems):
        raise SettingError(f"`systems` of [tradeoffs] must be a list of names, not {literal(systems)}.")
    if not isinstance(axes, list | tuple):
        raise SettingError("[[tradeoffs.of]] must be there for each characteristic that is traded, but is not. Add it.")
    return Trade(str(table), tuple(systems), tuple(map(axis_of, axes)))


def _table(entry: object, number: int, path: str) -> GateFile:
    """One table: a gate, whose requirements all name a characteristic."""
    if not isinstance(entry, Mapping):
        raise SettingError(f"[[table]] must be a table of keys, not {literal(entry)}.")
    head = {key: value for key, value in entry.items() if key not in ("requirement", "characteristic")}
    usual = entry.get("characteristic", "")
    named = head.setdefault("name", f"table {number}")
    if "require" in head:
        raise SettingError("`require` must stand in [purpose], not in a [[table]]. Move it there.")
    requirements = entry.get("requirement", [])
    try:
        gate = gate_of({"gate": head, "requirement": requirements}, path=path)
        characterised = tuple(replace(one, characteristic=one.characteristic or usual) for one in gate.requirements)
        for one in characterised:
            _check_characteristic(one.characteristic, EXTERNAL, one.title)
    except AdjudgeError as error:
        raise SettingError(f"In the table {quoted(named)}: {error}") from None
    return replace(gate, requirements=characterised, path=path)


def _check_characteristic(name: object, among: Mapping[str, str], of: str) -> None:
    if not isinstance(name, str):
        raise SettingError(f"`characteristic` must be text, not {literal(name)}.")
    if name in among:
        return
    if name in INTERNAL:
        raise SettingError(f"{name} must be declared with [[evidence]], not required: no table of judgements shows it.")
    if name:
        raise SettingError(f"`characteristic` must be a known one, not {quoted(name)}. {did_you_mean(name, among)}")
    raise SettingError(f"{quoted(of)} must name its `characteristic`, one of {listed(among)}, but does not. Add it.")


def _declared(evidence: object, require: object) -> GateFile:
    every = {**EXTERNAL, **INTERNAL}
    if isinstance(require, str):
        require = [require]
    empty = not evidence and not require
    gate = GateFile("", ()) if empty else gate_of({"gate": {"require": require}, "evidence": evidence})
    for one in gate.evidence:
        _check_characteristic(one.characteristic, every, one.statement or "evidence")
        if not one.date:
            raise SettingError(f"Evidence must have its `date`, but that of {one.characteristic} has none. Add it.")
    for name in gate.require:
        _check_characteristic(name, every, "require")
    return gate


def _known(document: Mapping[str, object], keys: tuple[str, ...], what: str) -> None:
    for key in document:
        if key not in keys:
            raise SettingError(
                f"{what} must be one of {listed(keys)}, but {quoted(key)} is not. {did_you_mean(str(key), keys)}"
            )


def _twice(names: list[str]) -> str:
    return next(name for name in names if names.count(name) > 1)
