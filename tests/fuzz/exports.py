"""Exports of other tools, changed at random."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from random import Random
from typing import Any

EXPORTS = Path(__file__).parents[1] / "golden" / "formats"
SIGNATURES = json.loads((EXPORTS / "signatures.json").read_text())
ODD: tuple[Any, ...] = (None, True, -1, 1e308, "", "x", "\ud800", [], {}, [[]], {"": {}}, float("nan"), 10**400)


def changed(value: Any, random: Random) -> Any:
    """The same with a few values replaced by odd ones, left out, or doubled."""
    if random.random() < 0.03:
        return random.choice(ODD)
    if isinstance(value, dict):
        return {key: changed(part, random) for key, part in value.items() if random.random() > 0.02}
    if isinstance(value, list):
        return [changed(part, random) for part in value for _ in range(1 + (random.random() < 0.05))]
    return value


def mangled(path: Path, to: Path, random: Random) -> None:
    """A copy with odd values where it is JSON, and with odd bytes otherwise."""
    data = path.read_bytes()
    try:
        if path.suffix == ".json":
            to.write_text(json.dumps(changed(json.loads(data), random)))
            return
        if path.suffix == ".jsonl":
            lines = [json.dumps(changed(json.loads(line), random)) for line in data.decode().splitlines() if line]
            to.write_text("\n".join(lines))
            return
    except ValueError:
        pass
    if zipfile.is_zipfile(path) and random.random() < 0.5:
        with zipfile.ZipFile(to, "w") as file:
            file.writestr("header.json", json.dumps(changed({"eval": {"model": "m"}}, random)))
            sample = {"id": 1, "epoch": 1, "target": "a", "scores": {"s": {"value": "C", "answer": "a"}}}
            file.writestr("summaries.json", json.dumps(changed([sample, sample], random)))
        return
    place = random.randrange(len(data)) if data else 0
    to.write_bytes(data[:place] + bytes(random.randrange(256) for _ in range(3)) + data[place + random.randrange(5) :])
