"""Small things a reader stumbles over: doubled warnings, ticks beyond a whole, names that are cut to nothing."""

from __future__ import annotations

import math
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import adjudge
from adjudge.report import words
from adjudge.report.blocks.ticks import ticks_of


def mixed_case(n: int = 200) -> dict[str, list[Any]]:
    r = random.Random(3)
    truth = [r.choice(["Yes", "No"]) for _ in range(n)]
    said = [one if r.random() < 0.8 else "Yes" for one in truth]
    return {"label": truth, "guess": [one.lower() if r.random() < 0.3 else one for one in said]}


def test_labels_in_two_spellings_are_said_once() -> None:
    e = adjudge.classification(mixed_case(), reference="label", prediction="guess", replicates=100)
    assert [check.key for check in e.outcome.checks if check.severity == "serious"] == ["C2"]
    (sentence,) = [check.sentence for check in e.outcome.checks if check.severity == "serious"]
    assert sentence.startswith('"No" and "no", "Yes" and "yes" count as 4 labels, but differ only in case.')


def test_several_warnings_stand_below_one_heading(capsys: pytest.CaptureFixture[str]) -> None:
    table = mixed_case()
    table["guess"][:9] = ["NA"] * 9
    e = adjudge.classification(table, reference="label", prediction="guess", replicates=100)
    e.show()
    out = capsys.readouterr().out
    assert out.count("Check the data first") == 1
    assert str(e).count(words.CHECK_FIRST) == 1


def test_none_is_a_label_and_only_remarked() -> None:
    r = random.Random(4)
    table = {who: [r.choice(["none", "joy", "fear"]) for _ in range(60)] for who in ("ann", "ben")}
    e = adjudge.agreement(table, raters=["ann", "ben"], replicates=100)
    assert [check.severity for check in e.outcome.checks if check.key == "C22"] == ["remark"]
    table = {who: ["None" if one == "none" else one for one in said] for who, said in table.items()}
    e = adjudge.agreement(table, raters=["ann", "ben"], replicates=100)
    assert [check.severity for check in e.outcome.checks if check.key == "C22"] == ["serious"]


def test_no_share_has_a_tick_beyond_the_whole() -> None:
    r = random.Random(5)
    truth = [r.choice("ab") for _ in range(150)]
    table = {f"r{k}": [one if r.random() < (0.5 if k == 3 else 0.95) else "a" for one in truth] for k in range(5)}
    e = adjudge.agreement(table, raters=[*table], replicates=100)
    assert e.summary.answer is not None
    ticks = [tick for block in e.summary.answer.blocks for tick in getattr(block, "ticks", [])]
    assert ticks
    assert max(tick.value for tick in ticks) <= 1


def test_a_long_column_does_not_hide_the_levels_of_a_slice(tmp_path: Path) -> None:
    table = mixed_case()
    column = "where the message was first seen by us"
    table[column] = ["Denmark", "Norway"] * 100
    table["other"] = table["label"]
    e = adjudge.classification(table, reference="label", prediction=["guess", "other"], slices=[column], replicates=100)
    page = e.report(tmp_path / "page.html").read_text()
    assert '<th scope="row"><bdi>Denmark</bdi></th>' in page


def test_the_page_of_a_command_advises_options(tmp_path: Path, adjudge_cli: Any) -> None:
    table = mixed_case()
    table["guess"][:9] = ["NA"] * 9
    rows = "\n".join(["label,guess", *(f"{a},{b}" for a, b in zip(*table.values(), strict=True))])
    (tmp_path / "t.csv").write_text(rows)
    files = ("--html", tmp_path / "t.html", "--markdown", tmp_path / "t.md", "--json", tmp_path / "t.json")
    ran = adjudge_cli("classification", tmp_path / "t.csv", "--reference", "label", "--prediction", "guess", *files)
    assert ran.code == 0, ran.err
    for name in ("t.html", "t.md"):
        assert "--missing NA" in (tmp_path / name).read_text()
    assert "--missing" not in (tmp_path / "t.json").read_text()


def test_a_scale_is_of_the_ends_that_are_finite() -> None:
    claim: Any = SimpleNamespace(difference=True, unit=SimpleNamespace(factor=1.0, suffix=""))
    ticks = ticks_of([(-math.inf, 0.2, 0.4), (math.nan, 0.1, math.inf)], claim, ())
    assert [tick.value for tick in ticks] == [-0.4, 0.0, 0.4]
    assert ticks_of([(-math.inf, math.nan, math.inf)], claim, ()) == []
