"""One messy table through every door and engine: the same results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.messy import PLACES, SETTINGS, WRITERS, rows, write_csv


def document(path: Path) -> dict[str, Any]:
    found = json.loads(path.read_text(encoding="utf-8"))
    del found["data"]["source"], found["data"]["fingerprint"], found["settings"]["engine"]
    return found


@pytest.fixture
def expected(tmp_path: Path, adjudge_cli: Any) -> dict[str, Any]:
    (tmp_path / "plain").mkdir()
    path = write_csv(tmp_path / "plain")
    said = adjudge_cli("classification", path, *SETTINGS, "--quiet", "--json", tmp_path / "expected.json")
    assert (said.code, said.out, said.err) == (0, "", "")
    return document(tmp_path / "expected.json")


@pytest.mark.parametrize("engine", ["memory", "stream"])
@pytest.mark.parametrize("kind", list(WRITERS))
def test_every_format_gives_the_same(
    kind: str, engine: str, expected: dict[str, Any], tmp_path: Path, adjudge_cli: Any
) -> None:
    (tmp_path / "in").mkdir()
    table, out = WRITERS[kind](tmp_path / "in"), tmp_path / "r.json"
    said = adjudge_cli("classification", table, *SETTINGS, "--quiet", "--json", out, "--engine", engine)
    assert (said.code, said.err) == (0, "")
    assert document(out) == expected


def test_the_messy_table_is_read_as_it_is(expected: dict[str, Any]) -> None:
    reasons = {
        'reference "the label" is missing': 6,
        'score "old" is missing': 6,
        'score "score, new" is not a number': 6,
    }
    assert expected["data"]["left_out"] == reasons
    assert (expected["data"]["rows"], expected["data"]["used"]) == (240, 222)
    assert expected["data"]["categories"] == ["None", "😀 yes"]
    names = {result["slice"] for result in expected["results"]}
    assert {f"where = {place or '(missing)'}" for place in PLACES} <= names
    assert 'where × kind = NA × "x × y"' in names
    used = [r for r in rows() if r[0] and r[1] != "n/a" and r[2]]
    right = sum(int(r[5] or 0) for r in used if (float(r[2] or 0) >= 0.5) == (r[0] == "😀 yes"))
    total = sum(int(r[5] or 0) for r in used)
    found = [r for r in expected["results"] if (r["system"], r["slice"], r["metric"]) == ("old", "all", "accuracy")]
    assert found[0]["estimate"] == pytest.approx(right / total)


def test_every_output_is_written_and_shown_again(tmp_path: Path, adjudge_cli: Any) -> None:
    (tmp_path / "first").mkdir()
    (tmp_path / "again").mkdir()
    kinds = ("html", "json", "csv", "markdown")

    def outputs(folder: str) -> list[str]:
        return [f"--{kind}={tmp_path / folder / 'out'}.{kind}" for kind in kinds]

    saved = tmp_path / "e.adjudge"
    first = adjudge_cli("classification", write_csv(tmp_path), *SETTINGS, *outputs("first"), "--save", saved)
    assert first.code == 0, first.err
    again = adjudge_cli("report", saved, *outputs("again"))
    assert again.code == 0, again.err
    for kind in kinds:
        one, two = (tmp_path / folder / f"out.{kind}" for folder in ("first", "again"))
        assert one.read_bytes() == two.read_bytes()
        assert f"{kind}: {one}" in first.out.replace("\n", "")
    assert "alert(1)" in (tmp_path / "first" / "out.markdown").read_text(encoding="utf-8")
    shown, told = first.out.partition("html: ")[0], again.out.partition("html: ")[0]
    assert shown == told
    assert "222 of 240" in shown
    assert sorted(path.name for path in (tmp_path / "first").iterdir()) == sorted(f"out.{kind}" for kind in kinds)
