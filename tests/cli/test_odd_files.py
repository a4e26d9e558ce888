"""Files that are named as another kind, spreadsheets that were never worked out, and rows of another table."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import adjudge
from adjudge.cli.main import main
from adjudge.errors import BadValue

DRAWN = random.Random(3)
LABELS = [DRAWN.choice(["spam", "ham"]) for _ in range(120)]
GUESSES = [label if DRAWN.random() < 0.85 else "ham" for label in LABELS]
ASKED = ["--reference", "label", "--prediction", "guess"]


def written(folder: Path, labels: list[str] = LABELS, name: str = "t.csv") -> str:
    rows = [f"{row},{label},{guess}" for row, (label, guess) in enumerate(zip(labels, GUESSES, strict=True))]
    (folder / name).write_text("\n".join(["id,label,guess", *rows]) + "\n")
    return str(folder / name)


@pytest.mark.parametrize(("option", "name"), [("--html", "r.pdf"), ("--csv", "r.xlsx"), ("--markdown", "r.docx")])
def test_an_output_that_is_named_as_another_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, name: str
) -> None:
    table = written(tmp_path)
    assert main(["classification", table, *ASKED, option, str(tmp_path / name)]) == 2
    assert "is named as a file of another kind" in capsys.readouterr().err
    assert not (tmp_path / name).exists()
    assert main(["classification", table, *ASKED, option, str(tmp_path / "r.out"), "--quiet"]) == 0


def test_a_pilot_that_was_saved_under_another_ending(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = str(tmp_path / "pilot.json")
    assert main(["classification", written(tmp_path), *ASKED, "--save", saved, "--quiet"]) == 0
    assert main(["plan", "accuracy >= 0.7", "--pilot", saved]) == 0
    assert "as in the pilot" in capsys.readouterr().out


def test_joined_tables_that_differ_say_in_what(tmp_path: Path) -> None:
    one, other = written(tmp_path), written(tmp_path, [label.title() for label in LABELS], "u.csv")
    with pytest.raises(BadValue, match=r'first "(Spam|Ham)" in place of "(spam|ham)" where the id is "0"'):
        adjudge.compare(one, other, id="id", reference="label", prediction="guess")


@pytest.mark.parametrize("few", [False, True])
def test_formulas_that_were_never_worked_out(tmp_path: Path, few: bool) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row, line in enumerate([["y", "p"], *([f"={n}", n + 0.5] for n in range(60))]):
        book.active.append([row - 1.0, line[1]] if few and 0 < row < 58 else line)
    path = tmp_path / "t.xlsx"
    book.save(path)
    if few:
        found = adjudge.regression(str(path), reference="y", prediction="p", replicates=100)
        assert "has 3 formulas without a saved value, the first in A59" in str(found)
        return
    with pytest.raises(BadValue, match="has 60 formulas without a saved value, the first in A2"):
        adjudge.regression(str(path), reference="y", prediction="p")


def test_a_row_for_each_word_is_no_sentence() -> None:
    words = [DRAWN.choice(["O", "B-PER", "I-PER"]) for _ in range(200)]
    other = [DRAWN.choice(["O", word]) for word in words]
    roles = {"raters": ["a", "b"], "measurement": "spans", "replicates": 100}
    found = adjudge.agreement({"a": words, "b": other}, **roles)
    assert "is there a row for each word?" in str(found)
    assert "Is it another one" not in str(found)
    sentences = [[" ".join(each[at : at + 10]) for at in range(0, 200, 10)] for each in (words, other)]
    assert "row for each word" not in str(adjudge.agreement({"a": sentences[0], "b": sentences[1]}, **roles))
