"""TREC files as a table: what the command and the function do where `runs` are given."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

from adjudge.data.formats.trec import read_qrels, read_run, trec_table
from adjudge.data.source import Source, open_source
from adjudge.data.tables.frames import Table
from adjudge.errors import SettingError
from adjudge.evaluation.declaration import Given

FOLLOW = ("query", "relevance", "score", "document", "systems")


def opened_runs(table: object, given: Given) -> tuple[Source, Mapping[str, object]]:
    """The table and what was given, or the table that TREC files make, with the roles that follow."""
    runs = given.get("runs")
    if runs is None:
        return open_source(table), given
    if also := [role for role in FOLLOW if given.get(role) is not None]:
        raise SettingError(f"`{also[0]}` must be left out where `runs` are given: TREC files have fields, not columns.")
    if not isinstance(table, (str, os.PathLike)):
        raise SettingError("The table must be a TREC file of judgements where `runs` are given.")
    paths = [runs] if isinstance(runs, (str, os.PathLike)) else list(runs)
    qrels = read_qrels(table)
    read = [read_run(path) for path in paths]
    columns, systems = trec_table(qrels, read)
    roles = {"query": "query", "relevance": "relevance", "document": "document", "systems": systems}
    usual = {"unscored": "missed", "negative": "zero"}
    rest = {name: value for name, value in given.items() if name != "runs" and value is not None}
    doubts = tuple(doubt for run in read for doubt in run.doubts())
    return replace(Table.of(qrels.name, columns), doubts=doubts), {**usual, **roles, **rest}
