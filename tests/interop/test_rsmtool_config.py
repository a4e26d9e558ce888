"""RSMTool's configurations: every way to write one, and every mistake with its sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adjudge.errors import AdjudgeError
from adjudge.interop.rsmtool_config import DEFAULTS, read_experiment

PLAIN = {
    "experiment_id": "essays",
    "predictions_file": "p.csv",
    "system_score_column": "engine",
    "human_score_column": "h1",
    "id_column": "id",
    "trim_min": 1,
    "trim_max": 6,
}
TABLE = "id,h1,h2,engine,l1,who\n" + "".join(
    f"r{n},{1 + n % 6},{1 + (n + n // 5) % 6},{1 + (n * 7 % 55) / 10},{'ab'[n % 2]},c{n // 3}\n" for n in range(24)
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.csv").write_text(TABLE)
    (tmp_path / "scale.csv").write_text("prediction,sc1\n1,2\n3,4\n")
    return tmp_path


def config(folder: Path, text: str | None = None, **fields: Any) -> Path:
    path = folder / "config.json"
    path.write_text(json.dumps({**PLAIN, **fields}) if text is None else text)
    return path


def test_comments_and_text_for_anything(folder: Path) -> None:
    text = """{ // an "essay" engine
        "experiment_id": "ab", /* a comment
        of two lines */ "predictions_file": "p.csv", "system_score_column": "engine /* v2 */",
        "trim_min": "1", "trim_max": "6.0", "trim_tolerance": "0", "subgroups": "l1, who", "min_n_per_group": "10",
        "min_items_per_candidate": "2", "candidate_column": "who", "rater_error_variance": "0.3",
        "exclude_zero_scores": "False", "general_sections": "evaluation,fairness_analyses",
        "description": "http://example.org"
    }"""
    found = read_experiment(config(folder, text))
    assert found.system_score_column == "engine /* v2 */"
    assert found.description == "http://example.org"
    assert found.trim == (1.0, 6.0, 0.0)
    assert found.subgroups == ("l1", "who")
    assert found.exclude_zero_scores is False
    assert found.min_n_per_group == {"l1": 10, "who": 10}
    assert (found.min_items_per_candidate, found.rater_error_variance) == (2, 0.3)
    assert not found.wants("consistency")


def test_python_spelling_is_taken(folder: Path) -> None:
    text = str({**PLAIN, "exclude_zero_scores": True})
    assert "True" in text
    assert read_experiment(config(folder, text)).exclude_zero_scores is True


def test_every_field_has_its_default_in_what_is_written(folder: Path) -> None:
    assert read_experiment(config(folder)).written == {**DEFAULTS, **PLAIN}


def test_files_are_found_from_here_first(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    path = config(folder, scale_with="scale.csv")
    assert read_experiment(path).scale_with == folder / "scale.csv"
    (elsewhere / "scale.csv").write_text("prediction,sc1\n")
    assert read_experiment(path).scale_with == Path("scale.csv")


@pytest.mark.parametrize("value", [None, "asis", "raw"])
def test_words_for_scaling(folder: Path, value: str | None) -> None:
    assert read_experiment(config(folder, scale_with=value)).scale_with == value


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"use_wandb": True}, "`use_wandb` is ignored"),
        ({"use_thumbnails": "true"}, "`use_thumbnails` is ignored"),
        ({"custom_sections": ["mine.ipynb"]}, "`custom_sections` is ignored"),
        ({"section_order": "evaluation"}, "`section_order` is ignored"),
        ({"general_sections": ["evaluation"]}, "`general_sections` decides which files"),
        ({"train_file": "t.csv"}, "`train_file` belongs to another RSMTool command"),
        ({"trim_min": 0}, "human scores of 0 are left out"),
        ({"min_n_per_group": 5}, "there are no `subgroups`"),
    ],
)
def test_what_is_not_done_is_noted(folder: Path, fields: dict[str, Any], said: str) -> None:
    assert any(said in note for note in read_experiment(config(folder, **fields)).notes)


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"experiment_id": None}, "`experiment_id` must be given in the configuration, but it is not."),
    ({"experiment_id": "my essays"}, "must be without blanks"),
    ({"experiment_id": "half\ud800"}, "must be without blanks"),
    ({"experiment_id": "../essays"}, "must be without blanks, '/'"),
    ({"experiment_id": "a\\b"}, "must be without blanks, '/', '\\'"),
    ({"experiment_id": ".."}, "not begin with a dot"),
    ({"experiment_id": "x" * 201}, "at most 200 characters, but it has 201"),
    ({"experiment_id": 5}, "`experiment_id` must be a text, not 5."),
    ({"predictions_file": "q.csv"}, '`predictions_file` must name a file, but there is no "q.csv" here nor in'),
    ({"predictions_file": ["p.csv"]}, '`predictions_file` must be a text, not ["p.csv"].'),
    ({"trim_min": "one"}, '`trim_min` must be a number, not "one".'),
    ({"trim_max": True}, "`trim_max` must be a number, not true."),
    ({"trim_max": "nan"}, '`trim_max` must be a number, not "nan".'),
    ({"trim_min": 6}, "`trim_min` must be below `trim_max`, but they are 6 and 6."),
    ({"trim_tolerance": -1}, "`trim_tolerance` must be at least 0, not -1."),
    ({"human_score_column": "engine"}, '`human_score_column` and `system_score_column` must differ, but both are "en'),
    ({"second_human_score_column": "h1"}, "`human_score_column` and `second_human_score_column` must differ"),
    ({"second_human_score_column": "engine"}, "`system_score_column` and `second_human_score_column` must differ"),
    ({"human_score_column": "H1"}, '`human_score_column` must name a column of the table, but there is no column "H1"'),
    ({"human_score_column": "h3"}, 'There are: "id", "h1", "h2", "engine", "l1", "who".'),
    ({"id_column": "ident"}, "`id_column` must name a column"),
    ({"candidate_column": "whom"}, 'no column "whom". Did you mean "who"?'),
    ({"subgroups": ["l2"]}, '`subgroups` must name a column of the table, but there is no column "l2"'),
    ({"subgroups": {"l1": 1}}, '`subgroups` must be a list of texts, or one text with commas, not {"l1": 1}.'),
    ({"subgroups": [1]}, "`subgroups` must be a list of texts"),
    ({"subgroups": ["h1"]}, '"h1" is. Copy it under another name'),
    ({"exclude_zero_scores": "maybe"}, '`exclude_zero_scores` must be true or false, not "maybe".'),
    ({"min_items_per_candidate": 2}, "`min_items_per_candidate` needs `candidate_column`"),
    ({"min_items_per_candidate": 1.5, "candidate_column": "who"}, "must be a whole number of at least 1, not 1.5."),
    ({"flag_column": "l1"}, '`flag_column` must be an object such as {"advisory": ["0"]}, not "l1".'),
    ({"flag_column": {"l1": []}}, '`flag_column` must list the texts or numbers that may stay, but "l1" has [].'),
    ({"flag_column": {"l9": [1]}}, '`flag_column` must name a column of the table, but there is no column "l9"'),
    ({"flag_column": {"l1": ["zzz"]}}, "Some responses must be usable, but all 24 were left out"),
    ({"scale_with": "none.csv"}, '`scale_with` must name a file, or "asis", "raw" or null, but there is no "none.csv"'),
    ({"scale_with": 3}, "`scale_with` must be a text, not 3."),
    ({"rater_error_variance": -0.1}, "`rater_error_variance` must be at least 0, not -0.1."),
    ({"min_n_per_group": {"l2": 5}, "subgroups": "l1"}, "`min_n_per_group` must have a number for each of `subgroups`"),
    ({"min_n_per_group": "few", "subgroups": "l1"}, '`min_n_per_group` must be a number, not "few".'),
    ({"file_format": "sav"}, '`file_format` must be one of "csv", "tsv", "xlsx", "jsonlines", not "sav".'),
    ({"general_sections": ["fairnes_analyses"]}, 'no section "fairnes_analyses". Did you mean "fairness_analyses"?'),
    ({"sub_groups": ["l1"]}, 'The configuration has no field "sub_groups". Did you mean "subgroups"'),
    ({"tolerance": 1}, 'The configuration has no field "tolerance".'),
]


@pytest.mark.parametrize(("fields", "said"), MISTAKES, ids=[str(fields)[:50] for fields, _ in MISTAKES])
def test_mistakes(folder: Path, adjudge_cli: Any, fields: dict[str, Any], said: str) -> None:
    ended = adjudge_cli("rsmeval", config(folder, **fields), folder / "out")
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err
    assert ended.err.startswith("adjudge: ")
    assert ended.err.count("\n") == 1
    assert not (folder / "out").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1]", "must hold one JSON object, but it holds a list"),
        ("", "must hold one JSON object, but line 1"),
        ('{\n"a": 1,,\n}', "line 2"),
        ('{\n/* two\nlines */ "a": 1,,\n}', "line 3"),
        ('{"trim_min": 1, "trim_min": 2}', "`trim_min` must be given once"),
        ("{'trim_min': 1, 'trim_min': 2}", "`trim_min` must be given once"),
        ("[" * 100_000, "nested too deeply"),
        ("{'trim_min': " + "[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_configuration(folder: Path, text: str, said: str) -> None:
    with pytest.raises(AdjudgeError, match=said.replace("`", ".")):
        read_experiment(config(folder, text))


def test_unreadable_configurations(folder: Path, adjudge_cli: Any) -> None:
    assert "must be an existing file" in adjudge_cli("rsmeval", folder / "none.json").err
    (folder / "latin.json").write_bytes(b'{"description": "\xe9"}')
    assert "must be UTF-8" in adjudge_cli("rsmeval", folder / "latin.json").err


# What `rsmeval generate --subgroups` of RSMTool 12.0.0 prints.
GENERATED = Path(__file__).parents[1] / "golden" / "rsmeval_generate.txt"


def test_an_example_is_the_one_rsmtool_prints(folder: Path, adjudge_cli: Any) -> None:
    theirs = GENERATED.read_text()
    said = adjudge_cli("rsmeval", "generate", "--subgroups")
    assert (said.code, said.out) == (0, theirs)
    assert "must be edited" in said.err
    by_group = ("data_description_by_group", "evaluation_by_group", "fairness_analyses")
    without = [line for line in theirs.splitlines() if line.strip().strip('",') not in by_group]
    assert adjudge_cli("rsmeval", "generate", "-q").out.splitlines() == without
    asked = ("rsmeval", "generate", "-g", "-q", "-o", folder / "new.json")
    assert adjudge_cli(*asked).code == 0
    assert (folder / "new.json").read_text() == theirs
    assert "must be a new file" in adjudge_cli(*asked).err
    assert "by hand" in adjudge_cli("rsmeval", "generate", "-i").err


def test_an_example_that_was_not_edited_is_refused(folder: Path, adjudge_cli: Any) -> None:
    adjudge_cli("rsmeval", "generate", "-o", folder / "new.json")
    said = adjudge_cli("rsmeval", folder / "new.json", folder / "out")
    assert said.code == 2
    assert "ENTER_VALUE_HERE" in said.err
