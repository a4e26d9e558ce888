"""The JSON Schemas of a gate and of a purpose, made from the declarations, for editors that check as one types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import get_args

from adjudge.evaluation.adequacy.characteristics import EXTERNAL
from adjudge.evaluation.adequacy.purpose_file import HEAD
from adjudge.evaluation.gates.file import DeclaredEvidence
from adjudge.evaluation.gates.requirements import EXPECTED, MOST_LOOKS, Claim, Requirement, Spending, Undecided

Schema = Mapping[str, object]  # what JSON Schema says of a part: objects in objects, of any depth
_TEXT: Schema = {"type": "string"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_KINDS: dict[str, Schema] = {
    "str": _TEXT,
    "str | None": _TEXT,
    "float": {"type": "number"},
    "float | None": {"type": "number"},
    "int": {"type": "integer", "minimum": 0},
    "bool": {"type": "boolean"},
}
_OWN: dict[str, Schema] = {
    "claim": {"enum": list(get_args(Claim))},
    "undecided": {"enum": list(get_args(Undecided))},
    "column": {"oneOf": [_TEXT, {"type": "array", "items": _TEXT, "minItems": 1}]},
    "spending": {"enum": list(get_args(Spending))},
    "every": {"oneOf": [_TEXT, {"type": "array", "items": _TEXT, "minItems": 1}]},
    "looks": {
        "oneOf": [
            {"type": "integer", "minimum": 1, "maximum": MOST_LOOKS},
            {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 1, "maxItems": MOST_LOOKS},
            {"const": "any"},
        ]
    },
    "expect": {
        "oneOf": [
            {"type": "number"},
            {
                "type": "object",
                "properties": {name: {"type": "number"} for name in EXPECTED},
                "additionalProperties": False,
            },
        ]
    },
    "reuse": {"oneOf": [{"type": "integer", "minimum": 0}, {"const": "bonferroni"}]},
    "confidence": {"type": "number", "exclusiveMinimum": 0.5, "exclusiveMaximum": 1},
    "false_alarm": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.5},
    "margin": {"type": "number", "minimum": 0},
    "average": {"enum": ["macro", "micro", "weighted"]},
}


def schema() -> Schema:
    """The schema of a gate.

    >>> schema()["properties"]["requirement"]["oneOf"][1]["items"]["oneOf"][0]["required"]
    ['metric']
    """
    gate = {
        "name": _TEXT,
        "data": _TEXT,
        "task": _TEXT,
        "require": {"type": "array", "items": _TEXT},
        "frozen": {"type": "object", "additionalProperties": _TEXT},
        "requirement": _requirements(),
    }
    head = {"type": "object", "properties": gate, "description": "besides these, roles and settings of the task"}
    parts = {"gate": head, "requirement": _requirements(), "evidence": _evidence("characteristic")}
    return _document("A gate of adjudge", parts)


def purpose_schema() -> Schema:
    """The schema of a purpose: several tables with their requirements, trade-offs and evidence.

    >>> list(purpose_schema()["properties"])
    ['purpose', 'table', 'tradeoffs', 'evidence']
    """
    head = dict.fromkeys(HEAD, _TEXT) | {"require": {"oneOf": [_TEXT, _TEXTS]}}
    of_table = {"name": _TEXT, "data": _TEXT, "task": _TEXT, "characteristic": {"enum": list(EXTERNAL)}}
    table = {
        "type": "object",
        "properties": {**of_table, "requirement": _requirements()},
        "description": "besides these, roles and settings of the task",
    }
    axis = {"characteristic": _TEXT, "metric": _TEXT, "column": _OWN["column"]}
    axis["better"] = {"enum": ["higher", "lower"]}
    axis |= {name: {"type": "number"} for name in ("worst", "target", "weight")}
    axes = {"type": "array", "items": _closed(axis, "characteristic", "metric", "column"), "minItems": 1}
    parts = {
        "purpose": _closed(head),
        "table": {"type": "array", "items": table},
        "tradeoffs": _closed({"table": _TEXT, "systems": _TEXTS, "of": axes}, "table", "systems", "of"),
        "evidence": _evidence("characteristic", "date"),
    }
    return _document("A purpose of adjudge", parts)


def _requirements() -> Schema:
    keys = {one.name: _OWN.get(one.name, _KINDS.get(str(one.type), _TEXT)) for one in fields(Requirement)}
    keys["between"] = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
    several = {"type": "array", "items": {"oneOf": [_closed(keys, "metric"), _TEXT]}}
    return {"oneOf": [_TEXT, several]}


def _evidence(*needs: str) -> Schema:
    return {
        "type": "array",
        "items": _closed({one.name: _KINDS[str(one.type)] for one in fields(DeclaredEvidence)}, *needs),
    }


def _closed(keys: Schema, *needs: str) -> Schema:
    """A table of these keys and no others."""
    required = {"required": list(needs)} if needs else {}
    return {"type": "object", "properties": keys, **required, "additionalProperties": False}


def _document(title: str, parts: Schema) -> Schema:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **_closed(parts)}
