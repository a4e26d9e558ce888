"""`adjudge FILE`: the guess is said, is a command that runs, and is made only where names and values leave no doubt."""

from __future__ import annotations

import gzip
import json
import random
import shlex
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.tasks.preference.tables import table_of, write_icai
from tests.written import csv_file

from adjudge.cli.demo import demos
from adjudge.cli.main import main
from adjudge.data.dialect import opened
from adjudge.data.source import open_source
from adjudge.data.tables.profiles import profiles_of
from adjudge.evaluation.asking.guess import guesses
from adjudge.tasks import task_named, task_names


def rows(n: int = 60) -> dict[str, list[Any]]:
    """Values of every kind, from which tables are put together."""
    r = random.Random(1)
    truth = [r.choice("abc") for _ in range(n)]
    level = [r.gauss(3.5, 1) for _ in range(n)]
    binary = [r.randint(0, 1) for _ in range(n)]
    return {
        "labels": truth,
        "answers": [t if r.random() < 0.8 else r.choice("abc") for t in truth],
        "others": [t if r.random() < 0.8 else r.choice("abc") for t in truth],
        "binary": binary,
        "word": ["spam" if one else "ham" for one in binary],
        "share": [round(0.4 * one + 0.6 * r.random(), 3) for one in binary],
        "grade": [min(6, max(1, round(v + r.gauss(0, 0.5)))) for v in level],
        "grade2": [min(6, max(1, round(v + r.gauss(0, 0.5)))) for v in level],
        "number": [round(v, 3) for v in level],
        "number2": [round(v + r.gauss(0, 0.4), 3) for v in level],
        "query": [f"q{i // 6}" for i in range(n)],
        "relevance": [r.choice([0, 0, 1, 2]) for _ in range(n)],
        "place": [r.choice(["DE", "FR"]) for _ in range(n)],
        "id": [f"row {i}" for i in range(n)],
    }


def table(**columns: str) -> dict[str, list[Any]]:
    """Columns by name, each with values of a kind."""
    return {name: rows()[kind] for name, kind in columns.items()}


NAMED = {
    "classification": (
        table(label="labels", pred_old="answers", pred_new="others", id="id", place="place"),
        "--reference label --prediction pred_old pred_new --id id --slices place",
    ),
    "classification by score": (
        table(y_true="binary", prob="share"),
        "--reference y_true --score prob --positive 1",
    ),
    "regression": (table(target="number", model="number2"), "--reference target --prediction model"),
    "scoring": (
        table(h1="grade", h2="grade2", engine="number2", place="place"),
        "--raters h1 h2 --prediction engine --slices place",
    ),
    "agreement": (table(rater_1="labels", rater_2="answers", item="id"), "--raters rater_1 rater_2 --item item"),
    "ranking": (table(qid="query", rel="relevance", score="share"), "--query qid --relevance rel --score score"),
}


@pytest.mark.parametrize("case", NAMED)
def test_names_and_values_that_leave_no_doubt_are_evaluated(case: str, tmp_path: Path, adjudge_cli: Any) -> None:
    columns, options = NAMED[case]
    path, task = csv_file(tmp_path / "table.csv", columns), case.split(maxsplit=1)[0]
    said = adjudge_cli(path, "--replicates", "100")
    assert said.code == 0, said.err
    assert f"This looks like {task}:" in said.out
    command = next(line for line in said.out.splitlines() if line.startswith("adjudge "))
    assert command == f"adjudge {task} {shlex.quote(str(path))} {options} --replicates 100"
    assert adjudge_cli(*shlex.split(command)[1:]).out in said.out  # the command gives what was printed


def test_what_was_typed_takes_the_place_of_a_guess(tmp_path: Path, adjudge_cli: Any) -> None:
    path = csv_file(tmp_path / "table.csv", NAMED["classification"][0])
    said = adjudge_cli(path, "--slices", "none", "--prediction", "pred_new", "--replicates", "100")
    command = next(line for line in said.out.splitlines() if line.startswith("adjudge "))
    assert "--slices" not in command
    assert command.count("--prediction") == 1


def test_columns_that_share_labels_are_raters_or_systems(tmp_path: Path, adjudge_cli: Any) -> None:
    path = csv_file(tmp_path / "tickets.csv", table(topic="labels", current="answers", candidate="others"))
    said = adjudge_cli(path)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("tickets.csv could be read in 2 ways; run the one you mean:")
    assert "--raters topic current candidate" in said.err
    assert "--reference topic --prediction current candidate" in said.err


def test_which_label_a_score_speaks_of_is_not_guessed(tmp_path: Path, adjudge_cli: Any) -> None:
    said = adjudge_cli(csv_file(tmp_path / "mail.csv", table(label="word", score="share")))
    assert said.code == 2
    assert "--positive spam" in said.err
    assert "--positive ham" in said.err


def test_values_alone_are_offered_and_not_run(tmp_path: Path, adjudge_cli: Any) -> None:
    said = adjudge_cli(csv_file(tmp_path / "t.csv", table(first="number", second="number2")))
    assert (said.code, said.out) == (2, "")
    assert "--reference first --prediction second" in said.err


def test_a_name_that_speaks_outweighs_few_rows(tmp_path: Path, adjudge_cli: Any) -> None:
    one = adjudge_cli(str(csv_file(tmp_path / "one.csv", {"label": ["cat"], "pred": ["cat"]})))
    assert one.code == 0
    assert "Too few to say: 1 row, answered right." in one.out
    apart = adjudge_cli(csv_file(tmp_path / "apart.csv", {"label": ["cat", "dog"] * 9, "pred": ["Cat", "Dog"] * 9}))
    assert apart.code == 2
    assert "none in common" in apart.err


def test_forty_raters_are_raters(tmp_path: Path, adjudge_cli: Any) -> None:
    r = random.Random(2)
    columns: dict[str, list[Any]] = {"item": [f"i{place // 2}" for place in range(200)]}
    columns["annotator"] = [f"w{(place * 7) % 40:02d}" for place in range(200)]
    columns["label"] = [r.choice("abc") for _ in range(200)]
    ran = adjudge_cli(str(csv_file(tmp_path / "long.csv", columns)), "--replicates", "100")
    assert ran.code == 0
    assert "--item item --rater annotator --rating label" in ran.out


def test_ratings_of_any_name_are_those_that_differ_within_an_item(tmp_path: Path, adjudge_cli: Any) -> None:
    """Two names speak; of what is left, a column that is the same for all ratings of an item tells of the item."""
    r = random.Random(4)
    columns: dict[str, list[Any]] = {"item_id": [f"t{place // 3}" for place in range(180)]}
    columns["language"] = [("en", "de")[place // 3 % 2] for place in range(180)]
    columns["worker"] = [f"w{place % 5}" for place in range(180)]
    columns["sentiment"] = [r.choice(["good", "bad", "mixed"]) for _ in range(180)]
    ran = adjudge_cli(str(csv_file(tmp_path / "long.csv", columns)), "--replicates", "100")
    assert ran.code == 0, ran.err
    assert "--item item_id --rater worker --rating sentiment --slices language --replicates" in ran.out


def test_spans_in_rows_are_spans(tmp_path: Path, adjudge_cli: Any) -> None:
    columns: dict[str, list[Any]] = {
        "doc": [f"d{place // 4}" for place in range(80)],
        "annotator": [f"a{place % 2}" for place in range(80)],
        "start": [place % 4 // 2 * 5 for place in range(80)],
        "end": [place % 4 // 2 * 5 + 3 for place in range(80)],
        "tag": [("PER", "LOC")[place % 3 % 2] for place in range(80)],
    }
    ran = adjudge_cli(str(csv_file(tmp_path / "spans.csv", columns)), "--replicates", "100")
    assert ran.code == 0, ran.err
    command = "--item doc --rater annotator --start start --end end --label tag --measurement spans"
    assert command in ran.out


@pytest.mark.parametrize("most", [1, 3])
def test_hours_and_crashes_are_failures(most: int, tmp_path: Path, adjudge_cli: Any) -> None:
    """However few ever occur in a row, and though every row was watched as long."""
    r = random.Random(5)
    columns: dict[str, list[Any]] = {"hours": [168] * 40}
    columns |= {f"crashes_{name}": [r.randint(0, most) for _ in range(40)] for name in ("old", "new")}
    ran = adjudge_cli(str(csv_file(tmp_path / "log.csv", columns)), "--replicates", "100")
    assert ran.code == 0, ran.err
    assert "--exposure hours --failures crashes_old crashes_new" in ran.out


def test_models_and_a_winner_are_a_preference(tmp_path: Path, adjudge_cli: Any) -> None:
    r = random.Random(6)
    columns: dict[str, list[Any]] = {f"model_{side}": [r.choice("xyz") for _ in range(80)] for side in "ab"}
    columns["winner"] = [r.choice(["model_a", "model_b", "tie"]) for _ in range(80)]
    ran = adjudge_cli(str(csv_file(tmp_path / "arena.csv", columns)), "--replicates", "100")
    assert ran.code == 0, ran.err
    assert "--reference winner --model-a model_a --model-b model_b" in ran.out


def test_one_name_is_enough_where_labels_meet(tmp_path: Path, adjudge_cli: Any) -> None:
    """A reference called gold has systems of any name; a column called model is not the reference of another one."""
    gold = adjudge_cli(csv_file(tmp_path / "t.csv", table(gold="labels", tree="answers", forest="others")), "--quiet")
    assert gold.code == 0
    models = adjudge_cli(csv_file(tmp_path / "u.csv", table(model_a="labels", model_b="answers")))
    assert (models.code, models.out) == (2, "")


def test_row_numbers_are_no_reference(tmp_path: Path, adjudge_cli: Any) -> None:
    columns: dict[str, list[Any]] = {"image": list(range(60)), **table(digit="grade", bayes="grade2")}
    said = adjudge_cli(csv_file(tmp_path / "digits.csv", columns))
    assert "--reference image" not in said.err
    assert "--reference digit --prediction bayes" in said.err


def test_numbers_are_offered_as_numbers_beside_a_column_of_two_values(tmp_path: Path, adjudge_cli: Any) -> None:
    said = adjudge_cli(csv_file(tmp_path / "t.csv", table(progression="number", ridge="number2", sex="word")))
    assert said.code == 2
    assert said.err.index("--reference progression --prediction ridge") < said.err.index("--reference sex")


def test_decimal_commas_are_read_and_said(tmp_path: Path, adjudge_cli: Any) -> None:
    path = tmp_path / "werte.csv"
    pairs = zip(rows()["number"], rows()["number2"], strict=True)
    lines = [f"{a:.2f};{b:.2f}".replace(".", ",") for a, b in pairs]
    path.write_text("\n".join(["y;model", *lines]) + "\n")
    said = adjudge_cli(path, "--replicates", "100")
    assert said.code == 0
    assert "--reference y --prediction model --decimal ," in said.out


def test_what_a_judge_s_share_is_of_is_not_guessed(tmp_path: Path, adjudge_cli: Any) -> None:
    said = adjudge_cli(csv_file(tmp_path / "t.csv", table(human="word", llm="word")))
    assert said.code == 2
    assert "--judge llm --positive spam" in said.err
    assert "--judge llm --positive ham" in said.err


def test_an_arena_is_a_preference(tmp_path: Path, adjudge_cli: Any) -> None:
    r = random.Random(3)
    columns: dict[str, list[Any]] = {
        name: [r.choice(["x", "y", "z"]) for _ in range(80)] for name in ("model_a", "model_b")
    }
    columns |= {f"response_{side}": ["so " * r.randint(1, 9) for _ in range(80)] for side in "ab"}
    columns["winner"] = [r.choice(["model_a", "model_b", "tie"]) for _ in range(80)]
    said = adjudge_cli(csv_file(tmp_path / "arena.csv", columns), "--replicates", "100")
    assert "preference" in said.out + said.err
    assert "classification" not in said.out + said.err


def test_a_table_that_fits_nothing_is_described(tmp_path: Path, adjudge_cli: Any) -> None:
    said = adjudge_cli(csv_file(tmp_path / "t.csv", table(id="id", place="place")))
    assert said.code == 2
    assert said.err.startswith("No task fits t.csv")
    assert "all different: row 0, row 1, row 2 …" in said.err


def test_hostile_names_stay_inert(tmp_path: Path, adjudge_cli: Any) -> None:
    columns = {"label; rm -rf": rows()["labels"], "pred $(x)\x1b[31m": rows()["answers"]}
    said = adjudge_cli(csv_file(tmp_path / "t.csv", columns), "--replicates", "100")
    assert said.code == 0
    assert "\x1b[31m" not in said.out
    assert "'label; rm -rf'" in said.out


def test_a_missing_role_lists_the_columns_that_could_be_it(tmp_path: Path, adjudge_cli: Any) -> None:
    path = csv_file(tmp_path / "t.csv", table(label="labels", guess="answers", score="share"))
    said = adjudge_cli("classification", path, "--prediction", "guess")
    assert said.code == 2
    assert "needs `--reference`, the column of labels to measure against. Columns of t.csv" in said.err
    assert "label (3 values: " in said.err
    assert "score" not in said.err


@pytest.mark.parametrize("task", sorted(demos()))
def test_our_own_tables_are_read_as_what_they_are(task: str) -> None:
    """The command of each demo is among those that its table is offered for; a system may be missing, or run again."""
    demo = demos()[task]
    path = str(files("adjudge") / "demo" / demo.file)
    every = guesses(map(task_named, task_names()), profiles_of(opened(path, None)))
    given = {role: names if isinstance(names, list) else [names] for role, names in demo.given.items()}
    fitting = [guess for guess in every if guess.task.name == task]
    again = set(given.get("repeats", ()))
    assert any(all(set(guess.columns[role]) <= {*given[role], *again} for role in guess.shape) for guess in fitting)


def test_every_shape_can_be_guessed() -> None:
    """A role of a shape without a likeness would never be found."""
    for task in map(task_named, task_names()):
        roles = {role.name: role for role in task.roles}
        assert all(roles[name].like is not None for shape in task.shapes for name in shape), task.name


def test_an_empty_table_is_for_nothing() -> None:
    empty = open_source({"label": [], "guess": []})
    assert guesses(map(task_named, task_names()), profiles_of(empty)) == []


def test_columns_that_are_left_out_are_named_with_how_to_use_them(tmp_path: Path, adjudge_cli: Any) -> None:
    rows = [f"{'ab'[row % 2]},{'ab'[row % 3 % 2]},s{row % 50}" for row in range(600)]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["label,pred,store", *rows]), encoding="utf-8")
    said = adjudge_cli(path, "--replicates", "100")
    assert "  not used    store  (--slices store breaks results down by it)\n" in said.out
    assert "of 50" not in said.out
    assert adjudge_cli(path, "--slices", "store", "--replicates", "100").code == 0


def test_a_file_that_says_who_voted_needs_no_task(tmp_path: Path, capsys) -> None:
    """AnnotatedPairs, packed or not, and a folder of ICAI; other JSON is no table of pairs."""
    datasets = json.loads((Path(__file__).parents[1] / "golden" / "preference.json").read_text())["datasets"]
    content = json.dumps(next(iter(datasets.values()))).encode()
    (tmp_path / "pairs.json").write_bytes(content)
    (tmp_path / "pairs.json.gz").write_bytes(gzip.compress(content))
    (tmp_path / "other.json").write_text('{"a": 1}')
    answers = []
    for name in ("pairs.json", "pairs.json.gz"):
        assert main([str(tmp_path / name), "--replicates", "100"]) == 0
        first, command, *answer = capsys.readouterr().out.splitlines()
        assert first == f"{name}: This is preference:"
        assert command == f"adjudge preference {shlex.quote(str(tmp_path / name))} --replicates 100"
        answers.append(answer)
    assert answers[0] == answers[1]
    assert main(["preference", str(tmp_path / "pairs.json"), "--replicates", "100"]) == 0
    assert capsys.readouterr().out.splitlines() == answers[0][1:]
    assert main([str(tmp_path / "other.json")]) == 2
    assert main([str(write_icai(tmp_path, table_of(40))), "--replicates", "100"]) == 0


def test_a_text_an_annotator_and_a_label_are_ratings(tmp_path: Path, adjudge_cli: Any) -> None:
    r = random.Random(8)
    columns: dict[str, list[Any]] = {"text": [f"t{place // 3}" for place in range(120)]}
    columns["annotator"] = [f"a{place % 3}" for place in range(120)]
    columns["label"] = [r.choice(["joy", "fear"]) for _ in range(120)]
    ran = adjudge_cli(csv_file(tmp_path / "ratings.csv", columns), "--replicates", "100")
    assert ran.code == 0, ran.err
    assert "--item text --rater annotator --rating label" in ran.out


def test_sets_of_labels_by_a_short_name_are_ratings(tmp_path: Path, adjudge_cli: Any) -> None:
    r = random.Random(8)
    columns: dict[str, list[Any]] = {"doc": [f"t{place // 3}" for place in range(120)]}
    columns["ann"] = [f"a{place % 3}" for place in range(120)]
    columns["labels"] = [r.choice(["joy", "joy; fear"]) for _ in range(120)]
    ran = adjudge_cli(csv_file(tmp_path / "sets.csv", columns), "--replicates", "100")
    assert "--item doc --rater ann --rating labels" in ran.out


def test_templates_of_a_suite_are_taken_by_their_name(tmp_path: Path, adjudge_cli: Any) -> None:
    r = random.Random(8)
    columns: dict[str, list[Any]] = {"phenomenon": [r.choice(["negation", "dates"]) for _ in range(120)]}
    columns["template"] = [f"{what}-{r.randint(0, 5)}" for what in columns["phenomenon"]]
    columns["expected"] = [r.choice(["good", "bad"]) for _ in range(120)]
    columns["v1"] = [one if r.random() < 0.8 else "good" for one in columns["expected"]]
    ran = adjudge_cli(csv_file(tmp_path / "suite.csv", columns), "--replicates", "100")
    assert "--template template" in ran.out


def test_pairs_of_texts_and_a_choice_are_measured_by_length(tmp_path: Path, adjudge_cli: Any) -> None:
    """Though nobody else votes, and a column that is no vote is offered as a slice."""
    r = random.Random(9)
    columns: dict[str, list[Any]] = {f"response_{side}": ["so " * r.randint(1, 9) for _ in range(90)] for side in "ab"}
    columns["preferred"] = [
        "A" if len(one) > len(two) else "B"
        for one, two in zip(columns["response_a"], columns["response_b"], strict=True)
    ]
    columns["annotator"] = [r.choice("xy") for _ in range(90)]
    ran = adjudge_cli(csv_file(tmp_path / "pairs.csv", columns), "--replicates", "100")
    assert ran.code == 0, ran.err
    assert "Chosen answers go with Answer: longer" in ran.out


def test_a_table_without_rows_is_said_to_have_none(tmp_path: Path, adjudge_cli: Any) -> None:
    said = adjudge_cli(csv_file(tmp_path / "t.csv", {"label": [], "pred": []}))
    assert (said.code, said.err.strip()) == (
        2,
        "t.csv has no rows, only the columns label, pred. Is it the right file?",
    )


def test_long_names_do_not_widen_the_listing(tmp_path: Path, adjudge_cli: Any) -> None:
    name = "gold " + "long " * 30
    said = adjudge_cli(
        csv_file(tmp_path / "t.csv", table(**{name.strip(): "labels", "pred": "answers"})), "--replicates", "100"
    )
    assert said.code == 0, said.err
    assert max(len(line) for line in said.out.splitlines() if line.startswith("  reference")) < 80
    assert name.strip() in said.out  # the command has it whole


def test_a_file_of_another_tool_needs_no_task(tmp_path: Path, adjudge_cli: Any) -> None:
    def task(number: int, *labels: str) -> dict[str, object]:
        result = {"from_name": "tone", "to_name": "text", "type": "choices"}
        answers = [
            {"completed_by": who, "result": [{**result, "value": {"choices": [label]}}]}
            for who, label in enumerate(labels)
        ]
        return {"id": number, "data": {"doc": f"d{number}"}, "annotations": answers}

    path = tmp_path / "export.json"
    path.write_text(json.dumps([task(place, "warm", ("warm", "cold")[place % 3 == 0]) for place in range(30)]))
    ran = adjudge_cli(path, "--replicates", "100")
    assert ran.code == 0, ran.err
    first, command = ran.out.splitlines()[:2]
    assert first == "export.json: a file of Label Studio. This is agreement:"
    assert command == f"adjudge agreement {path} --replicates 100"


@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        ("release.toml", '[gate]\nname = "4.2"\n\n[[requirement]]\nmetric = "accuracy"\n', "gate"),
        ("purpose.toml", '[purpose]\nname = "mail"\n', "adequacy"),
        ("engine.json", '{\n  "experiment_id": "x",\n  "predictions_file": "p.csv"\n}', "rsmeval"),
    ],
)
def test_a_file_that_is_no_table_is_sent_to_its_command(
    name: str, text: str, command: str, tmp_path: Path, adjudge_cli: Any
) -> None:
    path = tmp_path / name
    path.write_text(text)
    said = adjudge_cli(path)
    assert said.code == 2
    assert said.err.endswith(f"Run: adjudge {command} {path}\n")


def test_a_saved_evaluation_is_sent_to_report(tmp_path: Path, adjudge_cli: Any) -> None:
    path, saved = csv_file(tmp_path / "t.csv", NAMED["classification"][0]), tmp_path / "e.json"
    adjudge_cli(path, "--replicates", "100", "--save", saved)
    assert adjudge_cli(saved).err.endswith(f"Run: adjudge report {saved}\n")


def test_row_numbers_are_no_prediction(tmp_path: Path, adjudge_cli: Any) -> None:
    columns: dict[str, list[Any]] = {"listing": list(range(60)), **table(price="number", m1="number2")}
    assert "--reference price --prediction m1\n" in adjudge_cli(csv_file(tmp_path / "p.csv", columns)).err


def test_numbers_of_documents_are_no_scores(tmp_path: Path, adjudge_cli: Any) -> None:
    columns = table(query="query", relevance="relevance", bm25="number", dense="number2") | {"doc": [*range(6)] * 10}
    said = adjudge_cli(csv_file(tmp_path / "t.csv", columns), "--replicates", "100").out
    assert "--query query --relevance relevance --score bm25 dense" in said


def test_whole_scores_beside_a_second_rater_are_a_rater(tmp_path: Path, adjudge_cli: Any) -> None:
    path = csv_file(tmp_path / "p.csv", table(prediction="number2", score="grade", h2="grade2"))
    assert "--raters score h2 --prediction prediction" in adjudge_cli(path, "--replicates", "100").out


def test_slices_are_listed_with_their_own_values(tmp_path: Path, adjudge_cli: Any) -> None:
    columns = {**table(label="labels", pred="answers"), "place": ["DE", "FR"] * 30, "size": ["s", "m", "l"] * 20}
    listed = adjudge_cli(csv_file(tmp_path / "t.csv", columns), "--replicates", "100").out.splitlines()
    assert "  slices      place  2 values: DE, FR (guessed; --slices none for none)" in listed
    assert "              size   3 values: s, m, l" in listed


def test_what_differs_within_an_item_is_no_slice_of_ratings_in_rows(tmp_path: Path, capsys: Any) -> None:
    r = random.Random(3)
    items = [item for item in range(60) for _ in range(3)]
    columns: dict[str, list[Any]] = {
        "item": [f"i{item}" for item in items],
        "annotator": ["ann", "ben", "eva"] * 60,
        "label": [r.choice("ab") if r.random() < 0.2 else "ab"[item % 2] for item in items],
        "shift": [r.choice(["day", "night"]) for _ in items],
        "source": [("mail", "web")[item % 3 > 0] for item in items],
    }
    assert main([str(csv_file(tmp_path / "ratings.csv", columns)), "--seed", "1", "--replicates", "100"]) == 0
    assert "--rating label --slices source --seed" in capsys.readouterr().out


def test_a_column_of_decimal_commas_may_say_what_is_missing(tmp_path: Path, capsys: Any) -> None:
    r = random.Random(4)
    rows = [
        f"{r.gauss(200, 30):.1f};{'-' if k == 7 else f'{r.gauss(200, 30):.1f}'}".replace(".", ",") for k in range(50)
    ]
    (tmp_path / "flats.csv").write_text("\n".join(["price;predicted", *rows]) + "\n")
    assert main([str(tmp_path / "flats.csv"), "--replicates", "100"]) == 0
    out = capsys.readouterr().out
    assert "--reference price --prediction predicted --decimal ," in out
    assert "1 left out" in out
