"""The JSON Schema of a gate's file, made from the declarations, for editors that complete and check as one types."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

from adjudge.evaluation.gate_file import Evidence
from adjudge.evaluation.requirements import EXPECTED, MOST_LOOKS, Claim, Requirement, Spending, Undecided

_TEXT: dict[str, Any] = {"type": "string"}
_KINDS: dict[str, dict[str, Any]] = {
    "str": _TEXT,
    "str | None": _TEXT,
    "float": {"type": "number"},
    "float | None": {"type": "number"},
    "int": {"type": "integer", "minimum": 0},
    "bool": {"type": "boolean"},
}
_OWN: dict[str, dict[str, Any]] = {
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


def schema() -> dict[str, Any]:
    """The schema.

    >>> schema()["properties"]["requirement"]["items"]["oneOf"][0]["required"]
    ['metric']
    """
    keys = {one.name: _OWN.get(one.name, _KINDS.get(str(one.type), _TEXT)) for one in fields(Requirement)}
    keys["between"] = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
    requirement = {"type": "object", "properties": keys, "required": ["metric"], "additionalProperties": False}
    evidence = {one.name: _KINDS[str(one.type)] for one in fields(Evidence)}
    gate = {
        "name": _TEXT,
        "data": _TEXT,
        "task": _TEXT,
        "require": {"type": "array", "items": _TEXT},
        "frozen": {"type": "object", "additionalProperties": _TEXT},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A gate of adjudge",
        "type": "object",
        "properties": {
            "gate": {
                "type": "object",
                "properties": gate,
                "description": "besides these, roles and settings of the task",
            },
            "requirement": {"type": "array", "items": {"oneOf": [requirement, _TEXT]}},
            "evidence": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": evidence,
                    "required": ["characteristic"],
                    "additionalProperties": False,
                },
            },
        },
        "additionalProperties": False,
    }
