"""The same pairs in every form: files of two versions, tables wide and long, folders, several files at once."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tasks.preference.tables import annotated, evaluated, table_of, write_icai

import adjudge
from adjudge.data.formats import icai
from adjudge.data.formats.annotated_pairs import annotated_pairs
from adjudge.data.formats.pair_tables import open_pairs, pairs_of
from adjudge.data.formats.written_votes import WrittenVotes
from adjudge.data.judgements.votes import BOTH, A, B
from adjudge.errors import AdjudgeError, InputError

TABLE = table_of(120)
TRAITS = ("polite", "odd", "verbose")


def strengths(evaluation: adjudge.Evaluation) -> dict[str, float]:
    rows = [
        row for row in evaluation.table.first_methods() if row.metric == "preference_strength" and row.slice == "all"
    ]
    return {row.system.removeprefix("AI: is "): row.estimate for row in rows}


EXPECTED = strengths(evaluated(TABLE))


def rows_of(table: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]


def write(path: Path, table: dict[str, list[Any]]) -> Path:
    import pyarrow as pa
    import pyarrow.csv as pcsv
    import pyarrow.parquet as pq

    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows_of(table)))
    elif path.suffix == ".csv":
        pcsv.write_csv(pa.table(table), path)
    else:
        pq.write_table(pa.table(table), path)
    return path


@pytest.mark.parametrize("name", ["pairs.csv", "pairs.jsonl", "pairs.parquet"])
@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_wide_tables(tmp_path: Path, name: str, engine: str) -> None:
    assert strengths(evaluated(write(tmp_path / name, TABLE), engine=engine)) == EXPECTED


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("name", ["pairs.json", "pairs.json.gz"])
def test_annotated_pairs(tmp_path: Path, version: str, name: str) -> None:
    import gzip

    text = json.dumps(annotated(TABLE, version)).encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    found = evaluated(path, models=True, split="category")
    assert {name: value for name, value in strengths(found).items() if "·" not in name} == EXPECTED
    assert found.outcome.data.roles["reference"].startswith("Default: preferred_text")
    by_id = evaluated(path, reference="ref", annotators=["polite", "is odd", "AI: is verbose"])
    assert strengths(by_id) == EXPECTED


def test_one_row_for_each_vote() -> None:
    long = [
        {"pair": TABLE["id"][row], "who": who, "vote": TABLE[who][row], "category": TABLE["category"][row]}
        for row in range(120)
        for who in ("preferred_text", *TRAITS)
        if TABLE[who][row] is not None
    ]
    order = np.random.default_rng(1).permutation(len(long))
    again = [long[place] for place in order] + [long[0] | {"vote": "invalid"}]
    found = evaluated(again, pair="pair", annotator="who", vote="vote", split="category")
    roles = found.outcome.data.roles
    assert {role: roles[role] for role in ("pair", "annotator", "vote")} == {
        "pair": "pair",
        "annotator": "who",
        "vote": "vote",
    }
    assert strengths(found) == EXPECTED
    assert found.outcome.settings.choices["Votes given twice, of which the first stands"] == "1"


def test_votes_of_a_pair_that_stood_in_another_order() -> None:
    """Who saw the two answers the other way round votes for the other model: the first row says nothing of it."""
    models = [("x", "y"), ("y", "x")]
    rows = [
        {"pair": pair, "who": who, "vote": "ab"[turned], "model_a": models[turned][0], "model_b": models[turned][1]}
        for pair in range(40)
        for turned, who in ((0, "ann"), (pair % 2, "ben"))
    ]
    given = {"pair": "pair", "annotator": "who", "vote": "vote", "reference": "ann"}
    with pytest.raises(InputError, match=r'`model_a` must be the same.* has both "x" and "y" in pair "1"'):
        evaluated(rows, **given)
    alike = [row | {"vote": "a", "model_a": "x", "model_b": "y"} for row in rows]
    assert evaluated(alike, **given, ok=["C4", "C8", "C24", "C17"]).outcome.data.used == 40
    with pytest.raises(InputError, match=r'`slices` must be the same.* "day" has both "0" and "1"'):
        evaluated([row | {"day": place % 2} for place, row in enumerate(alike)], **given, slices="day")


def test_results_of_icai(tmp_path: Path) -> None:
    assert strengths(evaluated(write_icai(tmp_path, TABLE))) == {"polite": EXPECTED["polite"]}


def test_arena_tables() -> None:
    table = {
        "model_a": ["x", "y", "x", "y"],
        "model_b": ["y", "x", "y", "x"],
        "winner": ["model_a", "model_b", "tie", "tie (bothbad)"],
        "judge": ["model_a", "model_a", "model_b", "model_a"],
    }
    found = evaluated(table)
    assert found.outcome.data.roles["reference"] == "winner"
    assert found["preference_strength"].value == 0.0
    assert found["preference_relevance"].value == 1.0
    ranking = next(panel for panel in found.outcome.panels.tables if panel.title == "Ranking of models")
    assert [row[1] for row in ranking.rows] == ["x", "y"]


def test_several_files(tmp_path: Path) -> None:
    first, second = annotated(TABLE), annotated(TABLE)
    for pair in first["comparisons"][60:]:
        del pair["annotations"]["odd" if "odd" in pair["annotations"] else "ref"]
    second["comparisons"] = second["comparisons"][50:]
    second["comparisons"][0]["annotations"]["ref"]["pref"] = "b" if TABLE["preferred_text"][50] == "a" else "a"
    paths = []
    for name, file in (("one", first), ("two", second)):
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(json.dumps(file))
    for given in ({"table": paths[0], "merge": [str(paths[1])]}, {"table": str(tmp_path / "*.json")}, {"table": paths}):
        found = evaluated(**given)
        assert strengths(found) == EXPECTED
        assert found.outcome.settings.choices["Votes that two files give differently, of which the first stands"] == "1"
    assert {row.slice for row in evaluated(paths, split="dataset").table} == {"all", "dataset = one"}
    second["comparisons"][0]["response_a"]["text"] = "another"
    paths[1].write_text(json.dumps(second))
    with pytest.raises(AdjudgeError, match="must be the same in all files"):
        evaluated(paths)


def test_what_a_file_may_lack_and_what_is_read_as_written() -> None:
    pair = {"id": 1, "response_a": {"text": "x"}, "response_b": {"text": "y"}}
    votes = {"r": {"pref": "a"}, "s": {"pref": "A"}, "t": {"pref": True}, "u": {}, "stranger": {"pref": "a"}}
    file = {
        "annotators": {name: {"description": "same", "type": "principle"} for name in "rstuv"},
        "comparisons": [
            pair | {"annotations": votes},
            pair | {"annotations": votes},
            pair | {"id": 2, "response_b": {"text": ""}},
        ],
    }
    pairs = annotated_pairs(file, "a file")
    assert list(pairs.votes) == ["AI: same", "AI: same (s)", "AI: same (t)", "AI: same (u)", "AI: same (v)"]
    assert [int(codes[0]) for codes in pairs.votes.values()] == [0, 6, 6, 5, 7]
    assert list(pairs.notes.values()) == ["1", "1"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '{"annotators": {"x": {}},\n "comparisons": [\n{"text_a": "p", "text_b": "q"},\n{"annotations": []}]}',
            "on line 4",
        ),
        ('{"annotators": {"x": {}}, "comparisons": {}}', "`comparisons`"),
        ('{"annotators": [],\n"comparisons": []}', "`annotators`"),
        ('{"comparisons": [1,\n2', "must hold one JSON object"),
        ('{"rows": []}', "must be of annotated pairs"),
        ('{"annotators": {"x": {}}, "comparisons": []}', "A table of pairs must have rows"),
    ],
)
def test_malformed_files_are_refused_with_their_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "pairs.json"
    path.write_text(text)
    with pytest.raises(AdjudgeError, match=said):
        evaluated(path)


def test_grades_of_multipref_are_votes() -> None:
    """A row for each annotation, as its tables are once their lists are taken apart."""
    table = {
        "comparison_id": ["c1", "c2", "c3", "c4"],
        "completion_a": ["yes", "no", "maybe", "so"],
        "completion_b": ["longer yes", "n", "perhaps", "thus"],
        "overall_pref": ["A-is-clearly-better", "B-is-slightly-better", "Tie", "A-is-slightly-better"],
        "helpful_pref": ["A-is-slightly-better", "A-is-clearly-better", "Tie", "A-is-slightly-better"],
    }
    found = adjudge.preference(table, replicates=100)
    assert found["preference_strength"].value == pytest.approx((2 - 1) / 4)
    assert found.outcome.data.roles["reference"] == "overall_pref"
    assert found.outcome.data.roles["text_a"] == "completion_a"


def test_votes_are_read_however_they_are_written() -> None:
    plain = {"x": {"pref": "a"}, "y": {"pref": None, "no_pref_reason": "both"}}
    written = [
        json.dumps(plain),
        json.dumps(plain, indent=2),
        json.dumps({name: {**vote, "why": "it says }, { and \\"} for name, vote in plain.items()}),
        json.dumps({name: {"more": {"deep": {}}, **vote} for name, vote in plain.items()}),
        json.dumps({"z": {"pref": "b"}, **plain, "nobody": {}}),
        '{"x": {"pref": "b"}, "y": {"pref": null, "no_pref_reason": "both"}, "x": {"pref": "a"}}',
    ]
    votes = WrittenVotes(["x", "y"], letters=True)
    assert votes.matrix([one.encode() for one in written]).tolist() == [[A, BOTH]] * len(written)
    assert votes.matrix([one.encode() for one in written[:2]]).tolist() == [[A, BOTH]] * 2  # by what was met before


def damaged_icai(folder: Path, **changed: bytes) -> str:
    """What is said of a result folder of ICAI with other files."""
    files = {
        icai.TRAIN: b"index,text_a,text_b,preferred_text\n0,x,y,text_a\n1,p,q,text_b\n",
        icai.PRINCIPLES: b'{"1": "Select the response that is short."}',
        icai.VOTES: b'index,votes\n0,"{1: True}"\n1,"{1: False}"\n',
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    for role, content in changed.items():
        (folder / getattr(icai, role)).write_bytes(content)
    with pytest.raises(InputError) as refusal:
        open_pairs(folder)
    return str(refusal.value)


ICAI_DAMAGE: list[tuple[dict[str, bytes], str]] = [
    ({"TRAIN": b"index,text_a,preferred_text\n0,\xe9,text_a\n"}, "must be UTF-8 text, but line 2"),
    ({"TRAIN": b"index,text_a,preferred_text\n0,a,text_a\n0,b,text_b\n"}, 'must have its own index, but two have "0"'),
    ({"TRAIN": b"index,text_a,preferred_text\n0\n"}, "must have 3 cells"),
    ({"VOTES": b'index,votes\n0,"' + b"x" * 140_000 + b'"\n'}, "must hold `index` and `votes`, a dictionary"),
    ({"VOTES": b"index,votes\n0,\xe9\n"}, "must be UTF-8 text, but line 2"),
    ({"PRINCIPLES": b"{"}, "must be whole JSON"),
    ({"PRINCIPLES": b"[1]"}, "must be one JSON object"),
    ({"PRINCIPLES": b'{"1": 3}'}, 'must be a sentence, but "1" is not'),
    ({"PRINCIPLES": b"[" * 100_000}, "nested too deeply"),
]


@pytest.mark.parametrize(("changed", "reason"), ICAI_DAMAGE)
def test_a_damaged_folder_of_icai_is_refused(tmp_path: Path, changed: dict[str, bytes], reason: str) -> None:
    assert reason in damaged_icai(tmp_path, **changed)


def test_long_answers_and_principles_of_one_name_in_a_folder_of_icai(tmp_path: Path) -> None:
    """An answer of 140,000 letters is read, an index without a name counts, and two principles stay two."""
    long = "x" * 140_000
    (tmp_path / icai.TRAIN).write_text(f",text_a,text_b,preferred_text\n7,{long},y,text_a\n8,p,q,text_b\n")
    (tmp_path / icai.PRINCIPLES).write_text('{"1": "Select the response that is short.", "2": "is short"}')
    (tmp_path / icai.VOTES).write_text('index,votes\n7,"{1: True, 2: False}"\n8,"{1: False, 2: True}"\n')
    pairs = pairs_of(tmp_path)
    assert pairs.columns["id"] == ["7", "8"]
    assert pairs.columns["text_a"] == [long, "p"]
    assert {name: votes.tolist() for name, votes in pairs.votes.items()} == {
        "Default: preferred_text": [A, B],
        "AI: is short": [A, A],
        "AI: is short (2)": [B, B],
    }


def test_a_packed_file_without_an_end_is_refused(tmp_path: Path) -> None:
    """A gigabyte and more of blanks in a megabyte."""
    path = tmp_path / "pairs.json.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(65):
            file.write(b" " * (1 << 24))
    with pytest.raises(InputError, match="must not become more than 100 times as long"):
        open_pairs(path)
