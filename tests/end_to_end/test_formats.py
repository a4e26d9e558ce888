"""An export of another tool goes straight into a task: recognised, read, its roles proposed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import adjudge
from adjudge.cli.main import main

GOLDEN = Path(__file__).parents[1] / "golden" / "formats"


def test_agreement_of_a_label_studio_export():
    path = GOLDEN / "label_studio" / "choices.json"
    evaluation = adjudge.agreement(path, pick={"question": "sentiment"}, replicates=100)
    rows = [("5", "1", "P"), ("5", "2", "P"), ("5", "3", "N"), ("6", "1", "N"), ("6", "3", "N"), ("7", "1", "0")]
    table = dict(zip(("item", "rater", "rating"), zip(*rows, strict=True), strict=True))
    same = adjudge.agreement(table, item="item", rater="rater", rating="rating", replicates=100)
    assert evaluation["krippendorff_alpha"].value == same["krippendorff_alpha"].value
    assert evaluation.left_out["skipped"] == 1
    assert evaluation.outcome.data.rows == 10
    assert evaluation.outcome.data.used == 6


def test_spans_that_were_submitted_empty_count():
    evaluation = adjudge.agreement(GOLDEN / "label_studio" / "ner.json", replicates=100)
    assert evaluation.outcome.settings.choices["Level of measurement"] == "spans"
    assert evaluation.outcome.settings.choices["Items"] == "2"


@pytest.mark.parametrize(
    ("task", "name", "pick", "metric", "value"),
    [
        ("classification", "inspect_ai/capitals.eval", {}, "accuracy", 4 / 7),
        ("classification", "lm_eval/samples_tiny_mc_2026-11-16T03-59-15.806608.jsonl", {}, "accuracy", 1 / 4),
        (
            "classification",
            "lm_eval/samples_tiny_gen_2026-11-16T03-59-15.806608.jsonl",
            {"filter": "first"},
            "accuracy",
            1 / 3,
        ),
        ("classification", "openai_evals/run.jsonl", {}, "accuracy", 2 / 3),
        ("classification", "plain/two_class_example.csv", {}, "accuracy", 1.0),
        ("regression", "plain/sklearn.csv", {}, "mean_absolute_error", 1 / 2),
        ("agreement", "doccano/cls_each_json_confirmed.zip", {"empty": "judged"}, "same_set_agreement", 0.0),
        ("agreement", "brat", {}, "pairwise_span_f(match=strict)", 0.5),
        ("agreement", "argilla/v2_flat.json", {"question": "quality"}, "percent_agreement", 0.0),
        ("agreement", "inspect_ai/capitals.eval", {"scorers": "match,judge"}, "percent_agreement", 0.5),
        ("agreement", "mturk/batch_plain.csv", {"question": "sentiment"}, "percent_agreement", 0.0),
    ],
)
def test_files_go_straight_into_tasks(task, name, pick, metric, value):
    evaluation = adjudge.evaluate(GOLDEN / name, task, pick=pick or None, replicates=100)
    assert evaluation[metric].value == pytest.approx(value)
    assert any(check.key == "C27" for check in evaluation.checks)


def test_who_wins_follows_from_battles():
    evaluation = adjudge.preference(GOLDEN / "arena" / "battles.json", replicates=100)
    assert evaluation.get("preference_strength", system="Model: m3").value == 1.0
    assert evaluation.left_out == {"same system on both sides": 1}


def test_a_role_that_names_a_column_takes_the_file_as_it_is():
    path = GOLDEN / "plain" / "sklearn.csv"
    evaluation = adjudge.evaluate(path, reference="y_true", prediction="y_pred", replicates=100)
    assert evaluation.outcome.systems == ["y_pred"]
    assert not evaluation.checks or all("scikit" not in check.sentence for check in evaluation.checks)


def test_what_a_file_cannot_tell_stands_first():
    evaluation = adjudge.agreement(GOLDEN / "argilla" / "v2_list.json", pick="question=label", replicates=100)
    assert evaluation.checks[0].key == "C28"
    unfinished = adjudge.evaluate(GOLDEN / "inspect_ai" / "crashed.eval", replicates=100)
    assert "did not finish" in unfinished.checks[0].sentence


def test_items_of_an_export_are_items_of_the_tool(tmp_path):
    path = GOLDEN / "label_studio" / "choices.json"
    evaluation = adjudge.agreement(path, pick={"question": "sentiment"}, item="data.doc", replicates=100)
    assert {one["item"] for one in evaluation.items.records()} == {"r-1", "r-2", "r-3"}
    assert {one["item"] for one in evaluation.queue.records()} == {"r-1", "r-3"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["agreement", "label_studio/choices.json"], '`--pick` must say which question: "choices.json" has "quality"'),
        (["agreement", "label_studio/pair.json"], "must hold"),
        (["classification", "lm_eval/results_2026-11-16T03-59-15.806608.json"], "has no rows|which have no rows"),
        (["agreement", "label_studio/choices.json", "--pick", "questoin=x"], 'Did you mean "question"'),
        (
            ["agreement", "none/lang.csv", "--pick", "question=x"],
            'no "lang.csv" in its folder. Did you mean "long.csv"',
        ),
        (["compare", "none/lang.csv", str(GOLDEN / "none/long.csv"), "--pick", "question=x"], 'no "lang.csv" in its'),
        (["agreement", "none/long.csv", "--pick", "question=x"], "must be for a file of another tool"),
        (["agreement", "prodigy/no_session.jsonl"], "must say who answered"),
    ],
)
def test_refusals_on_the_command_line(arguments, told, capsys):
    task, name, *rest = arguments
    assert main([task, str(GOLDEN / name), *rest]) == 2
    error = capsys.readouterr().err
    assert any(part in error for part in told.split("|"))
    assert error.count("\n") == 1


def test_json_holds_what_was_left_out(tmp_path, capsys):
    out = tmp_path / "out.json"
    name = str(GOLDEN / "label_studio" / "choices.json")
    assert (
        main(["agreement", name, "--pick", "question=quality", "--json", str(out), "--quiet", "--replicates", "100"])
        == 0
    )
    document = json.loads(out.read_text())
    assert document["data"]["left_out"]["item without any annotation"] == 1
    assert document["settings"]["choices"]["Level of measurement"] == "ordinal"


def run_of(path: Path, right: list[bool], *, written: str, backwards: bool = False) -> Path:
    """Samples of lm-evaluation-harness; documents are numbered by the run, and known by their hash."""
    rows = [
        {
            "doc_id": number,
            "doc": {"topic": "ab"[place % 2], "q": f"question {place}"},
            "target": f"Answer {place}",
            "resps": [],
            "filtered_resps": [written.format(place) if right[place] else "no"],
            "filter": "none",
            "metrics": ["exact_match"],
            "doc_hash": f"hash {place}",
            "exact_match": float(right[place]),
        }
        for number, place in enumerate(reversed(range(len(right))) if backwards else range(len(right)))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_two_runs_are_paired_by_their_documents(tmp_path):
    old = [place % 3 > 0 for place in range(60)]
    new = [one or place % 6 == 0 for place, one in enumerate(old)]
    # What the scorer calls right is not what is written alike: it decides.
    first = run_of(tmp_path / "old.jsonl", old, written="answer {}")
    second = run_of(tmp_path / "new.jsonl", new, written="answer {}", backwards=True)
    compared = adjudge.compare(first, second, replicates=100)
    row = compared.table.find("accuracy", system="new", baseline="old")
    assert row.estimate == pytest.approx(10 / 60)
    assert row.differing == 10
    sliced = adjudge.compare(first, second, slices=["doc.topic"], replicates=100)
    assert sliced.table.find("accuracy", system="new", baseline="old", slice="doc.topic = a").estimate > 0
    assert main(["compare", str(first), str(second), "--replicates", "100", "--quiet"]) == 0


def test_two_logs_with_epochs_are_paired_by_sample_and_epoch():
    names = ("capitals.eval", "capitals_0_3_100.eval")
    compared = adjudge.compare(*(GOLDEN / "inspect_ai" / name for name in names), names=["a", "b"], replicates=100)
    assert compared.outcome.data.roles["cluster"] == "item"
    assert compared.table.find("accuracy", system="b", baseline="a").estimate == 0.0
