"""Exports of other tools, changed at random: a table, or a refusal of one line; never anything else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.fuzz.exports import EXPORTS, SIGNATURES, mangled

from adjudge.data.formats import imported, importers, readers_of
from adjudge.errors import AdjudgeError

FILES = sorted(name for name, kind in SIGNATURES.items() if kind not in (None, "empty"))
PICKS = (
    {},
    {"question": "sentiment"},
    {"question": "label"},
    {"filter": "first"},
    {"machines": "only"},
    {"as": "outcome"},
)


@pytest.mark.parametrize("name", FILES)
def test_changed_exports(name: str, tmp_path: Path) -> None:
    chance = random.Random(f"exports {name}")
    known = {pick for one in importers() for pick in one.picks}
    for _ in range(12):
        path = tmp_path / Path(name).name
        mangled(EXPORTS / name, path, chance)
        picks = {pick: value for pick, value in chance.choice(PICKS).items() if pick in known}
        try:
            readers_of(path)
            found = imported([path], picks)
            if found is not None and found.columns and found.rows:
                next(found.batches(found.column_names, ()))
        except AdjudgeError as refusal:
            told = str(refusal)
        else:
            told = ""
        assert "\n" not in told
