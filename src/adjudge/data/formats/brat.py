"""brat: a folder for each rater, with the text and the annotations of each document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from glob import escape
from pathlib import Path

from adjudge.data.foreign import refusing
from adjudge.data.formats.base import SPANS, Imported, Importer, Picks, RaterAnswers, judgement_table, refused
from adjudge.data.formats.sample import Sample
from adjudge.errors import quoted

TOOL = "brat"
MISSING, BROKEN = "document without .ann", "discontinuous span"
# By the first sign of a line that is no span.
OTHERS = {
    "R": "relation",
    "E": "event",
    "A": "attribute",
    "M": "attribute",
    "N": "normalisation",
    "#": "note",
    "*": "equivalence",
}
LINE = re.compile(r"(?:[TREAMN#]\d+|\*)\t.*")
Span = list[str | int]


def read(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Folders of raters, or a folder of such folders; a document without a file of annotations was not judged."""
    judgements = RaterAnswers(picks)
    for folder, named in _folders(paths):
        rater = folder.resolve().name
        texts = {path.stem: path for path in sorted(folder.glob(f"{named}.txt"))}
        marked = {path.stem: path for path in sorted(folder.glob(f"{named}.ann"))}
        judgements.leave(MISSING, len(texts.keys() - marked.keys()))
        for name, path in marked.items():
            text = _read(texts[name]) if name in texts else None
            judgements.add(name, rater, _spans(path, text, judgements, picks))
    return judgement_table(TOOL, paths, judgements, kind=SPANS)


def _folders(paths: Sequence[Path]) -> list[tuple[Path, str]]:
    """Each rater's folder, and which of its documents."""
    if len(paths) == 1 and paths[0].is_dir() and not any(paths[0].glob("*.ann")):
        return [(one, "*") for one in sorted(paths[0].iterdir()) if one.is_dir() and any(one.glob("*.ann"))]
    return [(path, "*") if path.is_dir() else (path.parent, escape(path.stem)) for path in paths]


def _read(path: Path) -> str:
    with refusing(path.name):
        try:
            return path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            raise refused(path.name, "be UTF-8 text", "it is not", "Convert it to UTF-8.") from None


def _spans(path: Path, text: str | None, judgements: RaterAnswers, picks: Picks) -> list[Span]:
    spans: list[Span] = []
    for number, line in enumerate(_read(path).split("\n"), 1):
        if not line.strip():
            continue
        if not LINE.fullmatch(line.rstrip("\r")):
            raise refused(
                path.name, "hold brat's annotations", f"line {number} is {quoted(line)}", "Is it the right file?"
            )
        if line[0] != "T":
            judgements.leave(OTHERS[line[0]])
            continue
        _, what, *covered = line.rstrip("\r").split("\t")
        label, places = what.split(" ", 1) if " " in what else (what, "")
        pieces = re.findall(r"(\d+) (\d+)", places)
        if not pieces:
            raise refused(path.name, "place its spans", f"line {number} is {quoted(line)}", "Is it the right file?")
        if len(pieces) > 1 and picks["discontinuous"] != "hull":
            judgements.leave(BROKEN)
            continue
        start, end = int(pieces[0][0]), int(pieces[-1][1])
        if text is not None and covered and len(pieces) == 1 and text[start:end].replace("\n", " ") != covered[0]:
            raise refused(
                path.name,
                "mark what its text holds",
                f"line {number} covers other text than {quoted(covered[0])}",
                "Give the text that was annotated.",
            )
        spans.append([label, start, end])
    return spans


def _is_folder(sample: Sample) -> bool:
    return sample.shape == "folder" and any(name.endswith(".ann") for name in sample.members)


def _is_annotations(sample: Sample) -> bool:
    lines = [line.rstrip("\r") for line in sample.lines if line.strip()]
    return sample.shape == "text" and bool(lines) and all(LINE.fullmatch(line) for line in lines)


IMPORTERS = (
    Importer(TOOL, {"brat.ann": _is_annotations, "brat": _is_folder}, read, ("discontinuous", "raters"), alone=False),
)
