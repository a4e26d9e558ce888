"""Files of other tools become the tables they must: every golden case, with what is left out and what is refused."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from adjudge.data.formats import imported, importers, readers_of, recognised
from adjudge.data.formats.base import SPANS, TABLES, Imported
from adjudge.data.formats.opening import foreign_paths
from adjudge.data.tables.files import open_files
from adjudge.errors import AdjudgeError, InputError

GOLDEN = Path(__file__).parents[1] / "golden" / "formats"
SIGNATURES: dict[str, str | None] = json.loads((GOLDEN / "signatures.json").read_text())
CASES = [
    pytest.param(folder.name, case, id=f"{folder.name}-{number}-{case['files'][0]}")
    for folder in sorted(GOLDEN.iterdir())
    if (folder / "expected.json").exists()
    for number, case in enumerate(json.loads((folder / "expected.json").read_text())["cases"])
]
PICKED = ("question", "item", "filter")


def export_of(path: Path) -> str | None:
    """The kind of file that another tool wrote; None where it is none that is known."""
    sample, readers = readers_of(path)
    kinds = [kind for one in readers for kind, is_so in one.kinds.items() if is_so(sample)]
    return kinds[0] if len(kinds) == 1 else None


@pytest.mark.parametrize("name", sorted(SIGNATURES))
def test_a_file_is_recognised_by_what_it_holds(name: str) -> None:
    expected = SIGNATURES[name]
    assert export_of(GOLDEN / name) == (None if expected == "empty" else expected)


def picks_of(tool: str, case: dict[str, Any]) -> dict[str, str]:
    """What the case says was chosen, in the words of `pick`."""
    picks = {name: case[name] for name in PICKED if case.get(name)}
    if case.get("predictions") or case.get("suggestions"):
        picks["machines"] = "only"
    if "scorers" in case and case["table"] == "ratings":
        picks["scorers"] = ",".join(case["scorers"])
    if case.get("reference") == "ground_truth":
        picks["reference"] = "ground_truth"
    if tool == "mlflow":
        picks |= case.get("roles", {})
    if tool == "doccano" and "confirmed" in case["files"][0]:
        picks["empty"] = "judged"
    if tool == "forms" and "column" in case:
        picks["question"] = case["column"]
    return picks


def read(tool: str, case: dict[str, Any], **more: str) -> Imported:
    paths = [GOLDEN / tool / name for name in case["files"]]
    tables = ("ratings",) if tool == "inspect_ai" and case.get("table") == "ratings" else TABLES
    found = imported(paths, picks_of(tool, case) | more, tables)
    assert found is not None
    return found


@pytest.mark.parametrize("token", ["\x85", "\u2028", "\xa0", "\x0c", "x"])
def test_a_token_of_conll_may_be_any_sign(tmp_path: Path, token: str) -> None:
    """A sign that could end a line elsewhere is a token like any other, and ends no sentence."""
    path = tmp_path / "tags.conll"
    path.write_text(f"{token} O\nJohn B-PER\n{token} I-PER\n\nA O\nB O\n", encoding="utf-8", newline="")
    kept = imported([path], {}, TABLES)
    assert kept is not None
    assert kept.columns["rating"] == [[["PER", 1, 3]], []]


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_lines_of_doccano_end_in_any_way(tmp_path: Path, end: str) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("ann.csv", end.join(("id,text,label", "1,x,a", "2,y,a#b", "")))
    kept = imported([path], {}, TABLES)
    assert kept is not None
    assert kept.columns["item"] == ["1", "2"]


def test_cells_of_doccano_beyond_what_can_be_held_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("ann.csv", f"id,text,label\n1,{'x' * 140_000},a\n")
    with pytest.raises(InputError, match="must hold CSV, but field larger than field limit"):
        imported([path], {}, TABLES)


def rows_of(found: Imported, columns: list[str]) -> list[list[Any]]:
    """The rows as the golden tables have them: of spans, one for each."""
    columns = [name for name in columns if name != "preference"]
    if found.table != SPANS:
        return [list(row) for row in zip(*(found.columns[name] for name in columns), strict=True)]
    each = zip(found.columns["item"], found.columns["rater"], found.columns["rating"], strict=True)
    spans = [
        {"item": item, "rater": rater, "label": label, "start": start, "end": end}
        for item, rater, marked in each
        for label, start, end in marked
    ]
    return [[span[name] for name in columns] for span in spans]


def in_order(rows: list[list[Any]]) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def same(value: Any) -> Any:
    """Numbers by value: 4 and 4.0 are one."""
    if isinstance(value, list):
        return [same(one) for one in value]
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


@pytest.mark.parametrize(
    ("tool", "case"), [one for one in CASES if "rows" in one.values[1] and "refused" not in one.values[1]]
)
def test_a_file_becomes_its_table(tool: str, case: dict[str, Any]) -> None:
    found = read(tool, case)
    assert found.table == case["table"]
    assert in_order(same(rows_of(found, case["columns"]))) == in_order(same(case["rows"]))
    assert dict(found.left_out) == case["left_out"]
    if found.table == SPANS and case.get("annotated"):
        pairs = list(zip(found.columns["item"], found.columns["rater"], strict=True))
        expected = case["annotated"]
        if isinstance(expected[0], str):
            assert sorted(item for item, _ in pairs) == sorted(expected)
        else:
            assert sorted(map(list, pairs)) == sorted(expected)
    if "data_check" in case:
        said = " ".join([*found.notes, *found.doubts]).lower()
        assert all(word in said for word in case["data_check"].lower().split()[:5])


@pytest.mark.parametrize(("tool", "case"), [one for one in CASES if "refused" in one.values[1]])
def test_what_a_file_cannot_tell_is_refused(tool: str, case: dict[str, Any]) -> None:
    if case.get("readable_as") == "ratings":  # read, and warned of
        found = read(tool, case)
        assert in_order(rows_of(found, ["item", "rater", "rating"])) == in_order(case["rows"])
        assert "does not tell" in " ".join(found.notes)
        return
    with pytest.raises(AdjudgeError) as refusal:
        read(tool, case)
    assert "\n" not in str(refusal.value)
    assert str(refusal.value).endswith((".", "'"))


def test_readable_when_the_user_says_so() -> None:
    case = {"files": ["no_session.jsonl"]}
    found = read("prodigy", case, rater="ann")
    assert rows_of(found, ["item", "rating"]) == [["-101", "accept"], ["-102", "reject"]]
    found = read("doccano", {"files": ["cls_shared_jsonl_all.zip"]}, **{"as": "one rater"})
    assert rows_of(found, ["item", "rating"]) == [["4", ["positive"]], ["5", ["negative"]]]
    found = read("forms", {"files": ["responses.csv"], "column": "Which topics apply to 1?"}, options="Price,Staff")
    assert found.columns["rating"] == [["Price"], ["Price"]]
    assert read("label_studio", {"files": ["ner.conll"]}, **{"as": "one rater"}).rows == 3
    hull = read("brat", {"files": ["ann"]}, discontinuous="hull")
    assert ["PER", 28, 41] in hull.columns["rating"][0]


def test_every_importer_has_a_golden_case() -> None:
    tools = {
        found[0].tool
        for name, kind in SIGNATURES.items()
        if kind not in (None, "empty") and (found := recognised(GOLDEN / name))
    }
    assert {one.tool for one in importers()} == tools


def test_a_lone_file_of_spans_is_known_by_its_first_line(tmp_path: Path) -> None:
    head, layer = "#FORMAT=WebAnno TSV 3.3", "#T_SP=webanno.custom.Entity|value"
    for number, lines in enumerate(([head, layer], [layer, head])):
        path = tmp_path / f"{number}.tsv"
        path.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
        assert (export_of(path) == "webanno_tsv3") == (number == 0)


def test_files_of_one_rater_each_are_one_table(tmp_path: Path) -> None:
    """INCEpTION writes a file for each annotator, so that a pattern means all of them; of others each is a table."""
    tsv = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Entity|value\n\n"
    for name in ("ann.tsv", "eva.tsv"):
        (tmp_path / name).write_text(tsv, encoding="utf-8")
    assert [path.name for path in foreign_paths(tmp_path / "*.tsv")] == ["ann.tsv", "eva.tsv"]


def test_a_folder_with_tables_is_not_taken_for_documents(tmp_path: Path) -> None:
    for name, text in {"a.tsv": "r\tp\na\tb\n", "notes.txt": "so", "b.csv": "r,p\na,b\n"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert foreign_paths(tmp_path) == []
    with pytest.raises(
        InputError, match=r'holds none, only "a\.tsv", "b\.csv", "notes\.txt"\. .* such as ".*/\*\.tsv"'
    ):
        open_files(str(tmp_path))
    (tmp_path / "ann.tsv").write_text("#FORMAT=WebAnno TSV 3.3\n#T_SP=a.Entity|value\n\n", encoding="utf-8")
    assert foreign_paths(tmp_path) == [tmp_path]


def test_a_question_without_labels_is_not_asked_about(tmp_path: Path) -> None:
    """Of a label and a remark to each task, only the label can be compared."""
    results = [
        {"from_name": "topic", "to_name": "text", "type": "choices", "value": {"choices": ["a"]}},
        {"from_name": "remark", "to_name": "text", "type": "textarea", "value": {"text": ["so"]}},
    ]
    tasks = [
        {
            "id": place,
            "data": {"text": "x"},
            "annotations": [{"id": 10 * place + who, "completed_by": who, "result": results} for who in (1, 2)],
        }
        for place in (1, 2)
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    found = imported([path])
    assert found is not None
    assert ["a"] * 4 in [list(values) for values in found.columns.values()]
