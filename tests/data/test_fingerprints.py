"""What the fingerprint of Parquet files is of: the columns that are read, and footers that tell the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import adjudge
from adjudge.data.tables.files import fingerprinted, open_files
from adjudge.errors import AdjudgeError

LABELS = {"label": ["spam", "ham", "ham", "spam"] * 500, "guess": ["spam", "ham", "spam", "spam"] * 500}
TEXTS = {"text": [f"message {row}" for row in range(2_000)], "label.text": ["read aloud"] * 2_000}


def written(path: Path, table: dict[str, Any], rows_a_group: int = 300) -> Path:
    """Whose bytes are as the values are, so that one can be changed in its place."""
    plain: dict[str, Any] = {"compression": "NONE", "use_dictionary": False, "write_statistics": False}
    pq.write_table(pa.table(table), path, row_group_size=rows_a_group, **plain)
    return path


def of(path: Path, columns: tuple[str, ...] = ("label", "guess"), by: str | None = None) -> tuple[str, ...]:
    fingerprint = fingerprinted(open_files(str(path)), by, columns).fingerprint()
    kind, _, digest = fingerprint.partition(":")
    return (kind, *digest.split("-"))


def changed(path: Path, old: bytes, new: bytes) -> None:
    """One value, where it stands."""
    bytes_ = path.read_bytes()
    assert old in bytes_
    assert len(old) == len(new)
    path.write_bytes(bytes_.replace(old, new, 1))


def test_it_is_of_the_footer_and_of_the_columns_that_are_read(tmp_path: Path) -> None:
    path = written(tmp_path / "t.parquet", LABELS | TEXTS)
    kind, table, columns = of(path)
    assert (kind, len(table), len(columns)) == ("columns", 16, 16)
    assert of(path, ("guess", "label")) == (kind, table, columns)
    assert of(path, ("label",))[1] == table
    assert of(path, ("label",))[2] != columns
    changed(path, b"message 7", b"message 8")  # of a column that nothing is read of
    assert of(path) == (kind, table, columns)
    assert of(path, by="bytes") != of(written(tmp_path / "again.parquet", LABELS | TEXTS), by="bytes")
    changed(path, b"spam", b"span")
    assert of(path)[1] == table
    assert of(path)[2] != columns


def test_the_same_columns_beside_others_have_the_same_part_of_their_own(tmp_path: Path) -> None:
    wide, narrow = written(tmp_path / "wide.parquet", LABELS | TEXTS), written(tmp_path / "narrow.parquet", LABELS)
    assert of(wide)[1] != of(narrow)[1]
    assert of(wide)[2] == of(narrow)[2]
    cut = written(tmp_path / "cut.parquet", LABELS, rows_a_group=250)
    assert of(cut)[2] != of(narrow)[2]  # of bytes, not of values


@pytest.mark.parametrize("engine", ["memory", "stream", "threads"])
def test_every_engine_tells_the_same(engine: str, tmp_path: Path) -> None:
    for name in ("a", "b"):
        written(tmp_path / f"{name}.parquet", LABELS | TEXTS)
    asked: dict[str, Any] = {"reference": "label", "prediction": "guess", "replicates": 100, "engine": engine}
    known = adjudge.evaluate(str(tmp_path), **asked).outcome.data.fingerprint
    assert known == fingerprinted(open_files(str(tmp_path)), None, ("label", "guess")).fingerprint()


def test_columns_in_columns_and_columns_of_another_are_told(tmp_path: Path) -> None:
    table = {"id": [1, 2], "votes": [{"ann": "a"}, {"ann": "b"}], "votes.ann": ["x", "y"]}
    path = written(tmp_path / "t.parquet", table)
    assert len({of(path, columns) for columns in (("id",), ("votes",), ("votes.ann",), ())}) == 4


def test_what_is_asked_and_not_there_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "t.parquet", LABELS)
    (tmp_path / "t.csv").write_text("label,guess\na,a\n")
    assert of(tmp_path / "t.csv")[0] == "sha256"
    assert of(path, ("label", "a column that is made of others"))[0] == "sha256"
    for by in ("columns", "footers"):
        with pytest.raises(AdjudgeError, match="where columns do not stand apart"):
            of(tmp_path / "t.csv", by=by)


def of_or_refused(path: Path) -> str:
    try:
        return of(path, ("label",))[0]
    except AdjudgeError as error:
        return str(error)


@pytest.mark.parametrize("place", range(4, 400, 9))
def test_damaged_footers_are_refused_or_told(place: int, tmp_path: Path) -> None:
    path = written(tmp_path / "t.parquet", {"label": ["a", "b"]})
    bytes_ = bytearray(path.read_bytes())
    bytes_[-8 - (place % (len(bytes_) - 12))] ^= 0x7F
    path.write_bytes(bytes_)
    known = of_or_refused(path)
    assert known in ("columns", "sha256") or "t.parquet" in known


def test_systems_of_one_file_are_paired_row_by_row_whichever_columns_were_read(tmp_path: Path) -> None:
    path = written(tmp_path / "t.parquet", LABELS | {"other": ["spam", "ham", "ham", "ham"] * 500} | TEXTS)
    saved = []
    for system in ("guess", "other"):
        saved.append(tmp_path / f"{system}.json")
        evaluation = adjudge.evaluate(str(path), reference="label", prediction=system, replicates=100, ok=["C1"])
        evaluation.save(saved[-1], with_items=True)
    paired = adjudge.compare(*map(str, saved))
    together = adjudge.evaluate(str(path), reference="label", prediction=["guess", "other"], replicates=100, ok=["C1"])
    difference = together.get("accuracy", system="other", baseline="guess")
    assert paired.get("accuracy", system="other", baseline="guess").interval == difference.interval


def test_files_that_only_their_footers_take_for_one_are_not_paired(tmp_path: Path) -> None:
    """Where a writer keeps no statistics, footers of two tables of the same shape say the same."""
    saved = []
    for name, labels in (("one", LABELS["label"]), ("two", [*LABELS["label"][1:], "spam"])):
        path = written(tmp_path / f"{name}.parquet", {"label": labels, "guess": labels, "other": LABELS["guess"]})
        saved.append(tmp_path / f"{name}.json")
        system = "guess" if name == "one" else "other"
        evaluation = adjudge.evaluate(str(path), reference="label", prediction=system, replicates=100, ok=["C1"])
        evaluation.save(saved[-1], with_items=True)
    fingerprints = [adjudge.load(one).outcome.data.fingerprint.split("-") for one in saved]
    assert fingerprints[0][0] == fingerprints[1][0]
    with pytest.raises(AdjudgeError):
        adjudge.compare(*map(str, saved))
