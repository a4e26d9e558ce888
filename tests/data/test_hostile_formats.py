"""Files of other tools that are damaged, hostile or huge: refused in one sentence, or read in little memory."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from pathlib import Path

import pytest

import adjudge
from adjudge.data.formats import archives, imported, recognised
from adjudge.data.formats.archives import Archive
from adjudge.data.formats.records import objects_in
from adjudge.errors import AdjudgeError

GOLDEN = Path(__file__).parents[1] / "golden" / "formats"
TASK = '{"id": 1, "data": {"text": "x"}, "annotations": [{"completed_by": 1, "result": [], "was_cancelled": false}]}'


def refused(call, *words: str) -> None:
    with pytest.raises(AdjudgeError) as refusal:
        call()
    assert "\n" not in str(refusal.value)
    for word in words:
        assert word in str(refusal.value)


def zipped(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


@pytest.mark.parametrize(
    "name", ["../evil.jsonl", "/etc/evil.jsonl", "a\\..\\..\\evil.jsonl", "C:evil.jsonl", "in/../../x.json"]
)
def test_members_that_lead_outside(tmp_path, name):
    path = zipped(tmp_path / "export.zip", **{name: "{}"})
    refused(lambda: adjudge.agreement(path), "leads outside")


def test_zips_in_zips_encrypted_and_damaged_ones(tmp_path):
    refused(lambda: recognised(zipped(tmp_path / "a.zip", **{"inner.zip": "x"})), "a zip file in it")
    path = zipped(tmp_path / "b.zip", **{"ann.jsonl": '{"id": 1, "text": "x", "label": ["a"]}'})
    data = bytearray(path.read_bytes())
    where = data.index(b"PK\x01\x02") + 8
    data[where] |= 1
    path.write_bytes(data)
    refused(lambda: recognised(path), "is encrypted")
    whole = (GOLDEN / "inspect_ai" / "capitals.eval").read_bytes()
    for cut in (len(whole) // 2, len(whole) - 10, 40):
        damaged = tmp_path / "cut.eval"
        damaged.write_bytes(whole[:cut])
        refused(lambda: adjudge.evaluate(tmp_path / "cut.eval"))
    flipped = bytearray(whole)
    flipped[60] ^= 255
    (tmp_path / "flipped.eval").write_bytes(flipped)
    archive = Archive.of(tmp_path / "flipped.eval")
    refused(lambda: [archive.read(name) for name in archive.names], "damaged")


def test_a_member_without_a_name(tmp_path):
    path = zipped(tmp_path / "nameless.zip", **{"x.jsonl": "{}"})
    path.write_bytes(path.read_bytes().replace(b"x.jsonl", b"\0.jsonl"))
    refused(lambda: recognised(path), "has no name")


def test_zip_bombs(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MOST_BYTES", 1 << 20)
    monkeypatch.setattr(archives, "MOST_MEMBERS", 20)
    refused(lambda: recognised(zipped(tmp_path / "bomb.zip", **{"ann.jsonl": "0" * (1 << 21)})), "times what is there")
    refused(lambda: recognised(zipped(tmp_path / "many.zip", **{f"{n}.jsonl": "" for n in range(21)})), "more than 20")


def test_a_member_larger_than_it_says(tmp_path):
    path = zipped(tmp_path / "lie.zip", **{"ann.jsonl": "0" * 10_000})
    data = bytearray(path.read_bytes())
    where = data.index(b"PK\x01\x02") + 24
    data[where : where + 4] = (10).to_bytes(4, "little")
    path.write_bytes(data)
    refused(lambda: Archive.of(path).read("ann.jsonl"), "damaged")


@pytest.mark.parametrize("depth", [150, 5_000, 200_000])
def test_json_that_is_nested_too_deeply(tmp_path, depth):
    path = tmp_path / "deep.json"
    deep = "[" * depth + "]" * depth
    path.write_text(f'[{TASK}, {{"id": 2, "data": {{}}, "annotations": [], "x": {deep}}}]')
    refused(lambda: adjudge.agreement(path), "nested")


@pytest.mark.parametrize("cut", [20, 60, 100])
def test_json_that_is_cut_off(tmp_path, cut):
    whole = f"[{TASK},{TASK}]"
    path = tmp_path / "cut.json"
    path.write_text(whole[: len(TASK) + 2 + cut])
    refused(lambda: imported([path]), "cut off")


def test_what_is_not_what_it_seems(tmp_path):
    path = tmp_path / "odd.json"
    path.write_text(f"[{TASK}, 5]")
    refused(lambda: imported([path]), "one is a int")
    path.write_bytes(b'[{"id": 1, "data": {"t": "\xff"}, "annotations": [{"result": []}]}]')
    refused(lambda: imported([path]), "UTF-8")
    path.write_text('[{"id": null, "data": {}, "annotations": []}]')
    refused(lambda: imported([path]))


@pytest.mark.parametrize("name", sorted(p.name for p in (GOLDEN / "none").iterdir()))
def test_what_must_not_be_guessed_is_an_ordinary_table(name):
    assert recognised(GOLDEN / "none" / name) is None


def test_a_long_array_is_read_in_a_window(tmp_path):
    path = tmp_path / "long.json"
    text = "lorem ipsum " * 400
    with path.open("w") as file:
        for number in range(4_000):
            task = {"id": number, "data": {"text": text}, "annotations": []}
            file.write(("[" if number == 0 else ",") + json.dumps(task))
        file.write("]")
    assert path.stat().st_size > 19_000_000
    tracemalloc.start()
    assert sum(1 for _ in objects_in(path)) == 4_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000


def test_every_submission_is_kept_or_counted():
    path = GOLDEN / "label_studio" / "choices.json"
    tasks = json.loads(path.read_text())
    looked_at = sum(len(task["annotations"]) or 1 for task in tasks)
    for question in ("sentiment", "topics", "quality"):
        found = imported([path], {"question": question})
        assert found is not None
        assert found.rows + sum(found.left_out.values()) == looked_at


def test_raters_can_be_anonymous_and_repeats_kept():
    path = GOLDEN / "label_studio" / "choices.json"
    found = imported([path], {"question": "sentiment", "raters": "anonymous"})
    assert found is not None
    assert set(found.columns["rater"]) == {"R1", "R2", "R3"}
    kept = imported([path], {"question": "sentiment", "repeats": "keep"})
    assert kept is not None
    assert kept.rows == found.rows + 1
