"""Exports of other tools, changed at random: a table, or a refusal of one line; never anything else."""

from __future__ import annotations

import json
import random
import zipfile
from pathlib import Path
from typing import Any

import pytest

from adjudge.data.formats import imported, importers, kind_of
from adjudge.errors import AdjudgeError

GOLDEN = Path(__file__).parents[1] / "golden" / "formats"
SIGNATURES = json.loads((GOLDEN / "signatures.json").read_text())
FILES = sorted(name for name, kind in SIGNATURES.items() if kind not in (None, "empty"))
ODD: tuple[Any, ...] = (None, True, -1, 1e308, "", "x", "\ud800", [], {}, [[]], {"": {}}, float("nan"), 10**400)
PICKS = (
    {},
    {"question": "sentiment"},
    {"question": "label"},
    {"filter": "first"},
    {"machines": "only"},
    {"as": "outcome"},
)


def changed(value: Any, chance: random.Random) -> Any:
    """The same with a few values replaced by odd ones, left out, or doubled."""
    if chance.random() < 0.03:
        return chance.choice(ODD)
    if isinstance(value, dict):
        kept = [(key, part) for key, part in value.items() if chance.random() > 0.02]
        return {key: changed(part, chance) for key, part in kept}
    if isinstance(value, list):
        return [changed(part, chance) for part in value for _ in range(1 + (chance.random() < 0.05))]
    return value


def mangled(path: Path, to: Path, chance: random.Random) -> None:
    """A copy with odd values where it is JSON, and with odd bytes otherwise."""
    data = path.read_bytes()
    try:
        if path.suffix == ".json":
            to.write_text(json.dumps(changed(json.loads(data), chance)))
            return
        if path.suffix == ".jsonl":
            lines = [json.dumps(changed(json.loads(line), chance)) for line in data.decode().splitlines() if line]
            to.write_text("\n".join(lines))
            return
    except ValueError:
        pass
    if zipfile.is_zipfile(path) and chance.random() < 0.5:
        with zipfile.ZipFile(to, "w") as file:
            file.writestr("header.json", json.dumps(changed({"eval": {"model": "m"}}, chance)))
            sample = {"id": 1, "epoch": 1, "target": "a", "scores": {"s": {"value": "C", "answer": "a"}}}
            file.writestr("summaries.json", json.dumps(changed([sample, sample], chance)))
        return
    place = chance.randrange(len(data)) if data else 0
    to.write_bytes(data[:place] + bytes(chance.randrange(256) for _ in range(3)) + data[place + chance.randrange(5) :])


@pytest.mark.parametrize("name", FILES)
def test_changed_exports(name: str, tmp_path: Path) -> None:
    chance = random.Random(f"exports {name}")
    known = {pick for one in importers() for pick in one.picks}
    for _ in range(12):
        path = tmp_path / Path(name).name
        mangled(GOLDEN / name, path, chance)
        picks = {pick: value for pick, value in chance.choice(PICKS).items() if pick in known}
        try:
            kind_of(path)
            found = imported([path], picks)
            if found is not None and found.columns and found.rows:
                next(found.batches(found.column_names, ()))
        except AdjudgeError as refusal:
            told = str(refusal)
        else:
            told = ""
        assert "\n" not in told
