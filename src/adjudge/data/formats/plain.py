"""Tables whose column names follow a convention: scikit-learn, yardstick, RSMTool, TREC."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from adjudge.data.formats.base import PREDICTIONS, QUERIES, SCORES, Imported, Importer, Picks, columns_of_rows, refused
from adjudge.data.formats.numbers import as_number
from adjudge.data.formats.outcomes import Columns
from adjudge.data.formats.records import table_rows
from adjudge.data.formats.sample import Sample
from adjudge.data.formats.trec import read_qrels, read_run
from adjudge.errors import quoted

NO_SCORE, NO_PREDICTION = "no score", "missing prediction"
UNJUDGED, UNANSWERED = "query without judgements", "query without results"


def read_sklearn(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """y_true, y_pred and perhaps a score, which speaks of the label that sorts last."""
    (path,) = paths
    rows = list(table_rows(path))
    score = next((name for name in ("y_score", "y_prob", "y_proba") if name in sample.header), None)
    index = "" if "" in sample.header else None
    columns: Columns = {
        "item": [str(place) if index is None else row[index] for place, row in enumerate(rows)],
        "reference": [row["y_true"] for row in rows],
    }
    roles: dict[str, object] = {"reference": "reference", "id": "item"}
    if "y_pred" in sample.header:
        columns["prediction"] = [row["y_pred"] for row in rows]
        roles["prediction"] = "prediction"
    left_out: Counter[str] = Counter()
    if score is not None:
        columns["score"] = [None if row[score] is None else as_number(row[score]) for row in rows]
        roles |= {"score": "score", "positive": max((row["y_true"] for row in rows if row["y_true"]), default=None)}
        left_out[NO_SCORE] += sum(value is None for value in columns["score"])
    return Imported(
        "scikit-learn", path.name, PREDICTIONS, columns, dict(+left_out), roles, (), (path,), here=(NO_SCORE,)
    )


def read_yardstick(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """truth, a predicted class, and a probability for each class; NA is missing here, as R writes it."""
    (path,) = paths
    predicted = next(name for name in PREDICTED if name in sample.header)
    rows = [{name: None if cell == "NA" else cell for name, cell in row.items()} for row in table_rows(path)]
    kept = [row for row in rows if row["truth"] is not None and row[predicted] is not None]
    left_out = {NO_PREDICTION: len(rows) - len(kept)} if len(rows) > len(kept) else {}
    levels = {str(row["truth"]) for row in kept} | {str(row[predicted]) for row in kept}
    named = {f".pred_{level}": level for level in levels} | {level: level for level in levels}
    chances = {level: name for name in sample.header if (level := named.get(name)) is not None}
    columns: Columns = {"reference": [row["truth"] for row in kept]}
    columns["prediction"] = [row[predicted] for row in kept]
    columns |= {level: [as_number(row[name]) for row in kept] for level, name in chances.items()}
    score = {level: level for level in chances} if len(chances) == len(levels) > 1 else None
    answers: dict[str, object] = {"prediction": "prediction"} | ({} if score is None else {"score": score})
    roles = {"reference": "reference", "systems": {predicted: answers}}
    return Imported("yardstick", path.name, PREDICTIONS, columns, left_out, roles, (), (path,))


PREDICTED = (".pred_class", "estimate", "predicted")


def read_rsmtool(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Human and system scores by response, from one file or several; forms of one score are not systems."""
    records: dict[str, dict[str, object]] = {}
    for path in paths:
        for row in table_rows(path):
            records.setdefault(str(row["spkitemid"]), {}).update({name: cell for name, cell in row.items() if cell})
    form = next((name for name in ("scale", "raw") if any(name in one for one in records.values())), None)
    if form is None:
        raise refused(
            paths[0].name, "hold a system's scores", "it has neither scale nor raw", "Name the file of predictions."
        )
    names = {"reference": "sc1", "second": "sc2", "score": form}
    columns: Columns = {"item": list(records)}
    columns |= {name: [as_number(one.get(column)) for one in records.values()] for name, column in names.items()}
    if all(value is None for value in columns["second"]):
        del columns["second"]
    raters = [name for name in ("reference", "second") if name in columns]
    roles = {"raters": raters, "prediction": "score", "reference": "reference", "id": "item"}
    return Imported("RSMTool", paths[0].name, SCORES, columns, {}, roles, (), tuple(paths))


def read_trec(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Judgements and one run: the documents that were retrieved for judged queries, in the order of their scores."""
    if len(paths) != 2:
        raise refused(
            paths[0].name,
            "come with judgements and a run",
            "there is one file",
            "Use `adjudge ranking QRELS --runs RUN`.",
        )
    kinds = sorted(paths, key=lambda path: len(path.open(errors="ignore").readline().split()))
    qrels, run = read_qrels(kinds[0]), read_run(kinds[1])
    judged, answered = ({query for query, _ in known} for known in (qrels.relevance, run.scores))
    left_out = {UNJUDGED: len(answered - judged), UNANSWERED: len(judged - answered)}
    rows: list[tuple[str, str, object, float, int]] = []
    documents: dict[str, list[tuple[float, str]]] = {query: [] for query in sorted(judged & answered)}
    for (query, name), score in run.scores.items():
        if query in documents:
            documents[query].append((score, name))
    for query, scored in documents.items():
        # Equal scores: documents by falling name, as trec_eval does.
        for place, (score, name) in enumerate(sorted(scored, reverse=True), 1):
            relevance = qrels.relevance.get((query, name))
            rows.append((query, name, None if relevance is None else max(relevance, 0), score, place))
    names = ("query", "document", "relevance", "score", "rank_in_file")
    columns = columns_of_rows(names, rows)
    roles = {
        "query": "query",
        "document": "document",
        "relevance": "relevance",
        "systems": {run.name: {"score": "score"}},
    }
    counted = {reason: count for reason, count in left_out.items() if count}
    return Imported("TREC", quoted(kinds[1].name).strip('"'), QUERIES, columns, counted, roles, (), tuple(paths))


def _fields(sample: Sample) -> list[list[str]]:
    return [line.split() for line in sample.lines[:50] if line.strip()] if sample.shape == "text" else []


def _is_run(sample: Sample) -> bool:
    lines = _fields(sample)
    return bool(lines) and all(len(line) == 6 and line[1] == "Q0" for line in lines)


def _is_qrels(sample: Sample) -> bool:
    lines = _fields(sample)
    return bool(lines) and all(len(line) == 4 and isinstance(as_number(line[3]), (int, float)) for line in lines)


IMPORTERS = (
    Importer(
        "scikit-learn",
        {"sklearn": lambda s: s.heads("y_true") and bool({"y_pred", "y_score", "y_prob"} & {*s.header})},
        read_sklearn,
    ),
    Importer(
        "yardstick", {"yardstick": lambda s: s.heads("truth") and bool({*PREDICTED} & {*s.header})}, read_yardstick
    ),
    Importer("RSMTool", {"rsmtool": lambda s: s.heads("spkitemid")}, read_rsmtool, alone=False),
    Importer("TREC", {"trec.run": _is_run, "trec.qrels": _is_qrels}, read_trec, alone=False),
)
