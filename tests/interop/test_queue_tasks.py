"""The queue goes back into annotation tools, and their exports become tables, by function and by command."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

import adjudge
from adjudge.cli.main import main
from adjudge.errors import AdjudgeError
from adjudge.interop.formats import asked_in, queue_tasks, read_export

GOLDEN = Path(__file__).parents[1] / "golden" / "formats"
EXPORT = GOLDEN / "label_studio" / "choices.json"


def known():
    """What the golden queue knows, as `evaluation.queue` has it."""
    for one in json.loads((GOLDEN / "export" / "queue.json").read_text()):
        votes = Counter(one.pop("ratings").values())
        yield {**one, "votes": dict(votes), "label": one.pop("consensus")}


def test_label_studio_and_prodigy_as_expected():
    asked = asked_in(EXPORT, "sentiment", with_text=True)
    tasks = json.loads(queue_tasks(known(), "label_studio", asked, blind=False))
    assert tasks == json.loads((GOLDEN / "export" / "queue.label_studio.json").read_text())
    lines = queue_tasks(known(), "prodigy", asked, blind=False).splitlines()
    expected = (GOLDEN / "export" / "queue.prodigy.jsonl").read_text().splitlines()
    assert [json.loads(one) for one in lines] == [json.loads(one) for one in expected]


@pytest.mark.parametrize("tool", ["label_studio", "prodigy", "doccano", "argilla"])
def test_blind_tasks_show_neither_votes_nor_labels_nor_texts(tool):
    text = queue_tasks(known(), tool, asked_in(EXPORT, "sentiment"))
    for word in ("consensus", "votes", "soup", "accept", '"Negative"]', "0.58"):
        assert word not in text
    assert '"6"' in text


def test_what_comes_back_is_read_by_the_item_that_travelled():
    path = GOLDEN / "export" / "roundtrip.label_studio.json"
    found = read_export(path, pick={"question": "sentiment", "item": "data.adjudge_item"})
    assert set(found.columns["item"]) <= {"5", "6"}


def test_commands_write_tables_and_tasks(tmp_path, capsys):
    table, queue, tasks = tmp_path / "t.csv", tmp_path / "q.jsonl", tmp_path / "tasks.json"
    assert main(["convert", str(EXPORT), "--to", str(table), "--pick", "question=topics"]) == 0
    rows = list(csv.DictReader(table.open()))
    assert json.loads(rows[0]["rating"]) == ["Price", "Staff"]
    assert "skipped 1" in capsys.readouterr().out
    same = adjudge.agreement(table, item="item", rater="rater", rating="rating", measurement="sets", replicates=100)
    direct = adjudge.agreement(EXPORT, pick={"question": "topics"}, replicates=100)
    assert same["same_set_agreement"].value == direct["same_set_agreement"].value
    arguments = ["agreement", str(EXPORT), "--pick", "question=sentiment", "--replicates", "100", "--quiet"]
    assert main([*arguments, "--queue", str(queue)]) == 0
    more = ["--tasks-for", "label-studio", "--export", str(EXPORT), "--question", "sentiment", "--with-text", "--shown"]
    assert main(["convert", str(queue), "--to", str(tasks), *more]) == 0
    written = json.loads(tasks.read_text())
    assert {one["data"]["adjudge_item"] for one in written} == {"5", "7"}
    assert written[0]["predictions"][0]["result"][0]["from_name"] == "sentiment"
    assert all(one["data"]["text"] for one in written)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["none/long.csv", "--to", "x.csv"], "is not recognised"),
        (["label_studio/choices.json", "--to", "x.xlsx", "--pick", "question=topics"], "must end in one of"),
        (["missing.json", "--to", "x.csv"], "there is no"),
        (["export/queue.json", "--to", "x.json", "--tasks-for", "prodigy"], "must be of labels"),
        (["export/queue.json", "--to", "x.json", "--tasks-for", "prodigy", "--with-text"], "needs `--export`"),
    ],
)
def test_refusals(arguments, told, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, *rest = arguments
    assert main(["convert", str(GOLDEN / name), *rest]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_an_unknown_tool_is_refused():
    with pytest.raises(AdjudgeError, match="must be one of"):
        queue_tasks(known(), "excel")
