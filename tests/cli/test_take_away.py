"""Options that write tables of rows and items, beside the other outputs."""

from __future__ import annotations

import csv
import json

import pytest

from adjudge.cli.main import main

TABLE = "y,m\na,a\na,b\nb,b\nb,b\n"
RATED = "item,ann,ben,eva\n1,a,a,b\n2,b,b,b\n3,c,b,\n4,c,c,c\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    return path


def of(table, *more):
    return ["classification", str(table), "--reference", "y", "--prediction", "m", "--replicates", "100", *more]


def test_files_are_written_together(table, tmp_path, capsys):
    names = {option: tmp_path / name for option, name in (("items", "i.csv"), ("flags", "f.jsonl"), ("json", "j.json"))}
    options = [word for option, path in names.items() for word in (f"--{option}", str(path))]
    assert main(of(table, *options)) == 0
    assert [row["right"] for row in csv.DictReader(names["items"].open())] == ["True", "False", "True", "True"]
    assert json.loads(names["json"].read_text())["panels"]["confusions"]
    assert "items: " in capsys.readouterr().out


def test_nothing_is_written_where_one_file_cannot_be(table, tmp_path, capsys):
    wrong = of(table, "--json", str(tmp_path / "j.json"), "--items", str(tmp_path / "no" / "i.csv"))
    assert main(wrong) == 2
    assert not (tmp_path / "j.json").exists()
    assert main(of(table, "--items", str(tmp_path / "i.xlsx"))) == 2
    assert "`--items` must end in one of .csv, .safe.csv, .tsv, .jsonl, .parquet" in capsys.readouterr().err
    assert main(of(table, "--items", str(table))) == 2
    assert "must end" not in capsys.readouterr().err
    assert table.read_text() == TABLE


def test_an_option_is_there_where_the_task_offers_the_table(table, tmp_path, capsys):
    assert main(of(table, "--queue", str(tmp_path / "q.csv"))) == 2
    assert "classification has no option --queue" in capsys.readouterr().err
    rated = tmp_path / "r.csv"
    rated.write_text(RATED)
    paths = [tmp_path / f"{name}.jsonl" for name in ("items", "queue", "consensus")]
    options = [word for path in paths for word in (f"--{path.stem}", str(path))]
    given = ["agreement", str(rated), "--raters", "ann", "ben", "eva", "--item", "item", "--replicates", "100"]
    assert main([*given, *options]) == 0
    queue = [json.loads(line) for line in paths[1].read_text().splitlines()]
    assert {one["item"] for one in queue} == {"1", "3"}


def test_what_is_advised_of_saved_results_can_be_typed(table, tmp_path, capsys):
    """`report` shows the command that its options belong to; results without rows offer no rows to take away."""
    table.write_text(TABLE + "a,a\nb,b\n" * 10)
    first, second = tmp_path / "first.adjudge", tmp_path / "second.adjudge"
    assert main(of(table, "--save", str(first))) == main(of(table, "--save", str(second))) == 0
    capsys.readouterr()
    assert main(["report", str(first)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("adjudge classification t.csv --reference y --prediction m --replicates 100\n\n")
    assert "--items FILE" in " ".join(said.split())
    flags = tmp_path / "flags.csv"
    assert main(["compare", str(first), str(second), "--flags", str(flags)]) == 0
    said = capsys.readouterr().out
    assert "not paired" in said
    assert "--items" not in said
    assert "--flags FILE" in " ".join(said.split())
    assert flags.exists()


def test_a_cube_is_sent_to_its_own_command(table, tmp_path, capsys):
    cube = tmp_path / "t.cube"
    assert main(of(table, "--save-cube", str(cube), "--quiet")) == 0
    assert main(["report", str(cube)]) == 2
    assert capsys.readouterr().err.endswith(f"is a cube of counts. Run: adjudge reslice {cube}\n")
    assert main(["reslice", str(cube), "--quiet"]) == 0
