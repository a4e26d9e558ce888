"""Files that are written otherwise: other signs between cells and before decimals, and words for what is missing."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.budgets.test_agreement_memory import MadeRatings

import adjudge
from adjudge.data.dialect import Dialect
from adjudge.data.remarks import Remarks
from adjudge.data.source import Batch, open_source
from adjudge.errors import AdjudgeError
from adjudge.evaluation.planning.pilots import Redrawn
from adjudge.tasks.agreement.opening import WithRead

ROWS = [("1", "0.8", "1"), ("0", "0.3", "0"), ("1", "NA", "NA"), ("0", "0.6", "1")] * 15


def written(path: Path, sign: str = ",", decimal: str = ".") -> Path:
    lines = [sign.join(("label", "p", "g")), *(sign.join(row).replace(".", decimal) for row in ROWS)]
    text = "\n".join(lines) + "\n"
    path.write_bytes(gzip.compress(text.encode())) if path.suffix == ".gz" else path.write_text(text)
    return path


def evaluated(path: Path, **given: Any) -> Any:
    return adjudge.evaluate(path, reference="label", replicates=100, **given)


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.tsv"])
@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_sign_between_cells_is_recognised(tmp_path: Path, name: str, sign: str) -> None:
    path = written(tmp_path / name, sign)
    plain = evaluated(written(tmp_path / "plain.csv"), score="p", missing="NA")
    for given in ({}, {"delimiter": sign}):
        e = evaluated(path, score="p", missing="NA", **given)
        assert repr(e.table) == repr(plain.table)
        usual = "\t" if name == "t.tsv" else ","
        assert [check.key for check in e.checks if check.key == "C27"] == ["C27"] * (sign != usual and not given)


def test_a_sign_that_is_none_is_refused(tmp_path: Path) -> None:
    for wrong in ("", ";;", "é", "\n"):
        with pytest.raises(AdjudgeError, match="must be one character"):
            evaluated(written(tmp_path / "t.csv"), score="p", delimiter=wrong)
    (tmp_path / "t.jsonl").write_text('{"label": 1, "g": 1}\n')
    with pytest.raises(AdjudgeError, match="must be left out for JSON lines"):
        evaluated(tmp_path / "t.jsonl", prediction="g", delimiter=";")
    assert evaluated(written(tmp_path / "t.csv", "\t"), score="p", missing="NA", delimiter="tab")["roc_auc"].n == 45


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_words_are_declared_missing(tmp_path: Path, engine: str) -> None:
    e = evaluated(written(tmp_path / "t.csv"), score="p", prediction="g", missing=["NA", "-"], engine=engine)
    assert e.left_out == {'prediction "g" is missing': 15}
    assert evaluated(tmp_path / "t.csv", score="p", missing="NA").left_out == {'score "p" is missing': 15}
    assert [c.key for c in evaluated(tmp_path / "t.csv", prediction="g").checks if c.severity == "serious"] == ["C22"]
    frame = {"label": ["a", "", "b", "a"], "g": ["a", "b", "", "a"]}
    assert adjudge.evaluate(frame, reference="label", prediction="g", missing="")["accuracy"].n == 2


def test_a_decimal_comma_is_named_and_read(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", ";", ",")
    with pytest.raises(AdjudgeError, match='Give decimal=","'):
        evaluated(path, score="p")
    plain = evaluated(written(tmp_path / "plain.csv"), score="p", missing="NA")
    assert repr(evaluated(path, score="p", missing="NA", decimal=",").table) == repr(plain.table)
    half = {"label": [0, 1] * 30, "p": ["0,2", "0.8"] * 30}
    e = adjudge.evaluate(half, reference="label", score="p", replicates=100, ok="C7")
    assert [check.key for check in e.checks] == ["C20"]
    with pytest.raises(AdjudgeError, match="`decimal` must be"):
        evaluated(path, score="p", decimal="'")


def german(number: float) -> str:
    """As a spreadsheet writes it there: 1.250 and 1.250,75."""
    whole, decimals = f"{abs(number):.2f}".split(".")
    parted = f"{int(whole):,}".replace(",", ".")
    return ("-" if number < 0 else "") + (parted if decimals == "00" else f"{parted},{decimals}")


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_points_part_thousands_where_decimals_follow_a_comma(tmp_path: Path, engine: str) -> None:
    """1.250 without decimals is as large as 1.250,75 beside it; it was read as one and a quarter."""
    random = np.random.default_rng(2)
    y = np.where(random.random(120) < 0.4, random.integers(500, 5000, 120), random.uniform(500, 5000, 120).round(2))
    p = y + random.integers(-60, 60, 120)
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["y;p", *(f"{german(a)};{german(b)}" for a, b in zip(y, p, strict=True))]))
    given: dict[str, Any] = {"reference": "y", "prediction": "p", "replicates": 100, "engine": engine}
    rmse = adjudge.regression(path, **given, decimal=",")["rmse"].value
    assert rmse == pytest.approx(np.sqrt(np.mean((y - p) ** 2)))


def test_points_between_thousands_alone_are_said(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    y = random.integers(500, 5000, 120)
    p = y + random.integers(-60, 60, 120)

    def keys(one: Any, other: Any) -> set[str]:
        path = tmp_path / "t.csv"
        path.write_text("\n".join(["y;p", *(f"{a};{b}" for a, b in zip(one, other, strict=True))]))
        found = adjudge.regression(path, reference="y", prediction="p", replicates=100).checks
        return {check.key for check in found if check.severity == "serious"}

    assert "C20" in keys(map(german, y), map(german, p))
    assert "C20" not in keys((y / 1000).tolist(), (p / 1000).tolist())  # as programs write them
    assert "C20" not in keys([f"{one / 1000:.3f}" for one in y], [f"{one / 1000:.3f}" for one in p])
    assert "C20" not in keys(y % 1000, (p % 1000 / 8).tolist())


def test_a_label_with_a_point_stays_as_it_is() -> None:
    labels = ["1.234", "1234"] * 20
    e = adjudge.evaluate({"y": labels, "p": labels}, reference="y", prediction="p", decimal=",", replicates=100)
    assert e.get("recall", category="1.234").n == e.get("recall", category="1234").n == 20


@pytest.mark.parametrize("text", ["80%", "80 %", "$80", "80,5 €"])
def test_signs_beside_numbers_are_named(text: str) -> None:
    with pytest.raises(AdjudgeError, match="Remove the signs"):
        adjudge.evaluate({"label": [0, 1] * 9, "p": [text] * 18}, reference="label", score="p")


@pytest.mark.parametrize(("source", "rereads"), [(open_source({"a": [1, 2]}), True), (MadeRatings(10), False)])
def test_what_is_made_while_it_is_read_is_not_read_twice(source: Any, rereads: bool) -> None:
    assert source.rereads == Dialect(source, missing=frozenset({"NA"})).rereads == rereads


class Remarkable(Remarks):
    """A table of which everything is worth knowing."""

    name, column_names = "remarkable", ("a",)
    notes, doubts, absent = ("a note",), ("a doubt",), {"deleted": 3}
    rereads, scattered, counted, ordered = True, True, True, False

    def batches(self, texts: Any, numbers: Any, rows: int = 1) -> Any:
        return iter(())

    def fingerprint(self) -> str:
        return "itself"


@pytest.mark.parametrize(
    "made",
    [
        Dialect(Remarkable(), comma=True),
        WithRead(Remarkable(), Batch(0, {})),
        Redrawn(Remarkable(), np.zeros(0, int), np.zeros(0, int), frozenset(), {}),
    ],
    ids=lambda made: type(made).__name__,
)
def test_what_is_known_of_a_table_is_known_of_what_is_made_of_it(made: Any) -> None:
    remarks = [name for name, value in vars(Remarks).items() if isinstance(value, property)]
    assert {"notes", "doubts", "absent", "rereads", "scattered", "counted", "ordered"} == {*remarks}
    kept = {name for name in ("name", "column_names", *remarks) if getattr(made, name) == getattr(Remarkable, name)}
    assert kept == {"name", "column_names", *remarks} - ({"rereads"} if isinstance(made, Redrawn) else set())


def test_a_unit_that_is_drawn_twice_has_two_names_and_a_missing_one_none() -> None:
    source = open_source({"user": ["ann", "bob", None]})
    drawn = Redrawn(source, np.array([1, 1, 2, 0]), np.array([0, 1, 2, 3]), frozenset({"user"}), {})
    [batch] = drawn.batches(["user"], [])
    user = batch.columns["user"]
    names = [None if code < 0 else user.labels[code] for code in user.codes.tolist()]
    assert names[2] is None
    assert len({*names}) == 4
