"""Exports of other tools, changed at random."""

from __future__ import annotations

import json
import zipfile
from contextlib import suppress
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
    """A copy with odd values where it is JSON, in what is packed, too, and with odd bytes otherwise."""
    if zipfile.is_zipfile(path) and random.random() < 0.8:
        if random.random() < 0.3:
            _inspected(to, random)
            return
        with suppress(NotImplementedError), zipfile.ZipFile(path) as packed, zipfile.ZipFile(to, "w") as file:
            for name in packed.namelist():  # logs of Inspect may be packed in another way
                data = packed.read(name)
                file.writestr(name, changed_content(name, data, random) if random.random() < 0.5 else data)
            return
    to.write_bytes(changed_content(path.name, path.read_bytes(), random))


def _inspected(to: Path, random: Random) -> None:
    """A log of Inspect."""
    with zipfile.ZipFile(to, "w") as file:
        file.writestr("header.json", json.dumps(changed({"eval": {"model": "m"}}, random)))
        sample = {"id": 1, "epoch": 1, "target": "a", "scores": {"s": {"value": "C", "answer": "a"}}}
        file.writestr("summaries.json", json.dumps(changed([sample, sample], random)))


def changed_content(name: str, data: bytes, random: Random) -> bytes:
    """What a file of this name may hold instead."""
    try:
        if name.endswith(".json"):
            return json.dumps(changed(json.loads(data), random)).encode()
        if name.endswith(".jsonl"):
            lines = [json.dumps(changed(json.loads(line), random)) for line in data.decode().splitlines() if line]
            return "\n".join(lines).encode()
    except ValueError:
        pass
    place = random.randrange(len(data)) if data else 0
    odd = random.choice(
        (b"", b"\r", b"\n", b'"', b",", b"\0", b"x" * 140_000, random.randbytes(3), random.randbytes(3))
    )
    return data[:place] + odd + data[place + random.randrange(5) :]
