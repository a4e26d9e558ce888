"""Doors beside those of one table: gold standards, folders, other tools' functions, own metrics, plans, completion."""

from __future__ import annotations

import io
import json
import os
import shutil
import warnings
import zipfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
from tests.fuzz.checks import Defect, check_message, check_outputs, check_printed
from tests.fuzz.commands import FILES, NUMBERS, Likely, likely_question, name, outputs, plain, requirement, run_command
from tests.fuzz.doors import exchange, writable
from tests.fuzz.exports import EXPORTS, changed, changed_content, mangled
from tests.fuzz.questions import metric_name, short
from tests.fuzz.tables import columns, damaged, in_file, in_memory
from tests.fuzz.values import ODD_NUMBERS, ODD_TEXTS, number, odd_value

import adjudge
from adjudge.data.formats import icai
from adjudge.errors import AdjudgeError
from adjudge.evaluation.take_away.saving import saved
from adjudge.interop import feedback_forensics, ml_metrics, trec
from adjudge.interop.formats import asked_in, queue_tasks, read_export
from adjudge.interop.rsmtool_outputs import is_output_folder, read_outputs
from adjudge.metrics.own import OWN
from adjudge.report.cubes import cube_of, evaluate_cube
from adjudge.tasks import task_names

GOLDEN = EXPORTS.parent


# A gold standard in a file of its own


def against_gold(random: Random, folder: Path) -> None:
    """A reference, submissions, other parts and who annotated it, each in a file or a frame."""
    likely = likely_question(random, folder)
    table = likely.table | {"id": list(range(len(next(iter(likely.table.values()), []))))}
    table["part"] = [random.choice(("train", "test", None)) for _ in table["id"]]
    frames = [_cut(random, table) for _ in range(random.choice((2, 2, 3)))]
    columns_known, asked = list(table), dict(likely.question)
    asked.pop("id", None)
    gold: dict[str, Any] = {"id": "id"}
    if random.random() < 0.5:
        gold["gold_raters"] = random.sample(columns_known, min(len(columns_known), random.choice((1, 2, 3))))
    if random.random() < 0.4:
        gold["part"] = random.choice(("part", *columns_known))
    if random.random() < 0.4:
        gold["content"] = random.sample(columns_known, 1)
    if random.random() < 0.4:
        gold["names"] = [name(random) for _ in frames[1:]]
    if random.random() < 0.1:
        gold[random.choice(("id", "gold_raters", "part", "content", "names", "parts"))] = odd_value(random)
    if random.random() < 0.5:
        parts = {"parts": [in_memory(random, _cut(random, table))]} if random.random() < 0.4 else {}
        held = [in_memory(random, one) for one in frames]
        given = parts | gold | asked
        check_outputs(random, adjudge.compare(*held[1:], gold=held[0], task=likely.task.name, **given))
        return
    paths = []
    for place, frame in enumerate(frames):
        (folder / f"f{place}").mkdir()
        paths.append(in_file(random, frame, folder / f"f{place}", damage=0.05))
    words: list[Any] = ["compare", *paths[1:], "--gold", paths[0], "--task", likely.task.name]
    for option, value in (gold | ({"parts": paths[:1]} if random.random() < 0.3 else {})).items():
        words += [f"--{option.replace('_', '-')}", *(value if isinstance(value, list) else [value])]
    run_command(random, [*words, *likely.words[2:], *outputs(random, folder, FILES[:5], 0.1)], folder)


def _cut(random: Random, table: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Some of the rows, in another order."""
    rows = list(range(len(table["id"])))
    random.shuffle(rows)
    kept = rows[: max(1, len(rows) - random.choice((0, 0, 1, 5)))]
    return {column: [cells[row] for row in kept] for column, cells in table.items()}


# Many files


def many_files(random: Random, folder: Path) -> None:
    """A folder, a pattern or a packed file of tables and of what other tools exported, some of them damaged."""
    inside = folder / "many"
    inside.mkdir()
    likely = likely_question(random, folder)
    if random.random() < 0.5:
        for place in range(random.choice((0, 1, 2, 3))):
            path = in_file(random, likely.table, folder, damage=0.1)
            path.rename(inside / f"{place} {path.name}")
        command = likely.words
    else:
        kind = random.choice([one for one in sorted(EXPORTS.iterdir()) if one.is_dir()])
        for path in sorted(kind.rglob("*")):
            if path.is_file() and path.name != "expected.json":
                target = inside / path.relative_to(kind)
                target.parent.mkdir(parents=True, exist_ok=True)
                mangled(path, target, random) if random.random() < 0.3 else shutil.copy(path, target)
        command = [random.choice(task_names()), "", "--replicates", 100]
    if random.random() < 0.15:
        (inside / random.choice(("empty.csv", ".hidden", "note.txt", "x.parquet", "link"))).write_bytes(b"")
    if random.random() < 0.1:
        (inside / "self").symlink_to(inside, target_is_directory=True)
    where: Any = inside
    if random.random() < 0.2:
        where = folder / "packed.zip"
        with zipfile.ZipFile(where, "w") as packed:
            for place, path in enumerate(one for one in sorted(inside.rglob("*")) if one.is_file()):
                usual = str(path.relative_to(inside))
                packed.write(path, random.choice((usual, usual, usual, f"../up{place}", f"/abs{place}")))
        if random.random() < 0.3:
            where.write_bytes(damaged(random, where.read_bytes()))
    elif random.random() < 0.3:
        where = f"{inside}/{random.choice(('*', '*.csv', '**/*', '?*', '[', '[!a]*'))}"
    command = [command[0], where, *command[2:]]
    words = random.choice(([where], command, command, ["convert", where, "--to", folder / "out.csv"]))
    run_command(random, words, folder)


# Other tools' functions and commands


def other_tools(random: Random, folder: Path) -> None:
    """What stands in for another tool's own functions."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r".*kappas are undefined and were left out")  # which is said on purpose
        random.choice((_forensics, _forensics, _kappas, _trec, _queue, _rsmeval, _rsm_folder, _essays))(random, folder)


PAIRS = json.loads((GOLDEN / "preference.json").read_text())["datasets"]


def _forensics(random: Random, folder: Path) -> None:
    document = changed(random.choice(list(PAIRS.values())), random) if random.random() < 0.5 else None
    if document is None:
        document = json.loads(json.dumps(random.choice(list(PAIRS.values()))))
        exchange(random, document, writable)
    path = folder / "pairs.json"
    content = json.dumps(document, default=str).encode()
    path.write_bytes(damaged(random, content) if random.random() < 0.1 else content)
    path = _icai(random, folder) if random.random() < 0.2 else path
    words = ["-d", str(path), *([str(path)] if random.random() < 0.1 else [])]
    people = [key for one in PAIRS.values() for key in one["annotators"]]
    for option in ("--cols", "--rows", "--split", "--reference-models"):
        if random.random() < 0.2:
            words += [option, random.choice((*people, "prompt", "model_a", random.choice(ODD_TEXTS)))]
    words += random.choice(([], ["--compatible"], ["--check"]))
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = feedback_forensics.main(words, out.write)
        except SystemExit as ended:
            raise AdjudgeError(f"Options are refused with {ended.code}, as argparse does.") from None
    if code not in (0, 2):
        raise Defect(f"exit code {code}")
    if code == 2 and "--check" not in words:
        check_message(err.getvalue().removesuffix("\n"))
        raise AdjudgeError(err.getvalue().strip())
    out.getvalue().encode()


ICAI = {
    icai.TRAIN: b"index,text_a,text_b,preferred_text\n0,x,y,text_a\n1,p,q,text_b\n2,p,q,text_b\n",
    icai.PRINCIPLES: b'{"1": "Select the response that is short.", "2": "Select the response that is polite."}',
    icai.VOTES: b'index,votes\n0,"{1: True, 2: None}"\n1,"{1: False, 2: False}"\n2,"{2: True}"\n',
}


def _icai(random: Random, folder: Path) -> Path:
    """A result folder of ICAI with changed files."""
    for file, content in ICAI.items():
        if random.random() > 0.03:
            (folder / file).write_bytes(changed_content(file, content, random) if random.random() < 0.5 else content)
    return folder


def _kappas(random: Random, folder: Path) -> None:
    rows = random.choice((0, 1, 3, 8))
    pool: tuple[Any, ...] = random.choice(((1, 2, 3), (0.5, 1), ("1", "2"), tuple(ODD_NUMBERS), ODD_TEXTS))

    def several() -> Any:
        return odd_value(random) if random.random() < 0.1 else [random.choice(pool) for _ in range(rows)]

    ends = random.choice(((), (), (0, 4), (odd_value(random), odd_value(random)), (3, 1)))
    ways: tuple[Callable[[], Any], ...] = (
        lambda: ml_metrics.kappa(several(), several(), *ends),
        lambda: ml_metrics.linear_weighted_kappa(several(), several(), *ends),
        lambda: ml_metrics.quadratic_weighted_kappa(several(), several(), *ends),
        lambda: ml_metrics.confusion_matrix(several(), several(), *ends),
        lambda: ml_metrics.histogram(several(), *ends),
        lambda: ml_metrics.mean_quadratic_weighted_kappa([number(random) for _ in range(rows)] or several(), several()),
        lambda: ml_metrics.mean_quadratic_weighted_kappa(several(), None, odd_value(random)),
    )
    random.choice(ways)()


def _essays(random: Random, folder: Path) -> None:
    rows = random.choice((0, 1, 4, 9))

    def cells(usual: Callable[[], Any]) -> list[Any]:
        return [odd_value(random) if random.random() < 0.03 else usual() for _ in range(rows)]

    table = {
        "essay_set": cells(lambda: random.randrange(2)),
        "essay_weight": cells(lambda: 1),
        "essay_score": cells(lambda: random.randrange(4)),
    }
    if random.random() < 0.1:
        del table[random.choice(list(table))]
    solution = pd.DataFrame({key: pd.Series(values, dtype=object) for key, values in table.items()})
    submission = pd.DataFrame({"p": pd.Series(cells(lambda: random.randrange(4)), dtype=object)})
    missing = random.choice(("error", "leave_out", odd_value(random)))
    ml_metrics.weighted_mean_quadratic_weighted_kappa(solution, submission, missing=missing)


def _trec(random: Random, folder: Path) -> None:
    qrels, run = folder / "qrels", folder / "run"
    for path, kept in ((qrels, "qrels.txt"), (run, "run_a.txt")):
        content = (EXPORTS / "trec" / kept).read_bytes()
        path.write_bytes(damaged(random, content) if random.random() < 0.4 else content)
    given = {random.choice(("level", "at", "metrics", "relevant")): odd_value(random)} if random.random() < 0.3 else {}
    runs = random.choice(([run], run, [run, run], str(run), [], odd_value(random)))
    check_outputs(random, trec.evaluate(qrels, runs, **{"replicates": 100} | given))


def _queue(random: Random, folder: Path) -> None:
    votes = {label: random.randrange(3) for label in ("Positive", "Negative", random.choice(ODD_TEXTS)[:50])}
    entry = {"rank": 1, "item": "6", "disagreement": 1.0, "votes": votes, "label": "Positive", "probability": 0.58}
    records: Any = changed([entry] * 3, random) if random.random() < 0.6 else [entry]
    options = None
    if random.random() < 0.7:
        export = folder / "export.json"
        mangled(EXPORTS / "label_studio" / random.choice(("choices.json", "mixed.json", "ner.json")), export, random)
        question = random.choice((None, "sentiment", "topic", random.choice(ODD_TEXTS)))
        item = random.choice(("id", "data.doc", "data.text", random.choice(ODD_TEXTS)))
        options = asked_in(export, question, item=item, with_text=random.random() < 0.5)
        if random.random() < 0.3:
            read_export(export, pick=random.choice((None, {"question": "sentiment"}, odd_value(random))))
    tool = random.choice(("label_studio", "prodigy", "doccano", "argilla"))
    queue_tasks(records, tool, options, blind=random.random() < 0.5).encode("utf-8", "backslashreplace")


def _responses(random: Random, folder: Path) -> tuple[Path, dict[str, Any]]:
    """A table of scores and a configuration that mostly fits it."""
    rows = random.choice((0, 1, 3, 20, 40))
    table: dict[str, list[Any]] = {
        "id": list(range(rows)),
        "raw": [round(random.random() * 4 + 1, 2) for _ in range(rows)],
        "h1": [random.randrange(1, 6) for _ in range(rows)],
        "h2": [random.choice((None, random.randrange(1, 6))) for _ in range(rows)],
        "L1": [random.choice(("x", "y", "z")) for _ in range(rows)],
    }
    for column, values in list(table.items()):
        if random.random() < 0.1:
            table[column] = [odd_value(random) if random.random() < 0.2 else value for value in values]
    path = in_file(random, table, folder, damage=0.05)
    config = {
        "experiment_id": random.choice(("fuzz", "fuzz", random.choice(ODD_TEXTS))),
        "predictions_file": path.name,
        "system_score_column": "raw",
        "human_score_column": "h1",
        "id_column": "id",
        "trim_min": 1,
        "trim_max": 5,
        "subgroups": random.choice(([], ["L1"])),
        **random.choice(({}, {"second_human_score_column": "h2"})),
    }
    if random.random() < 0.2:
        exchange(random, config, writable)
    return path, config


def _rsmeval(random: Random, folder: Path) -> None:
    if random.random() < 0.1:
        words = ["rsmeval", "generate", *random.choice(([], ["-g"], ["-i"], ["-o", folder / "out.json"])), "-q"]
        return run_command(random, words, folder)
    _, config = _responses(random, folder)
    file = folder / random.choice(("config.json", "config.json", "config.txt"))
    content = json.dumps(config, default=str).encode()
    file.write_bytes(damaged(random, content) if random.random() < 0.1 else content)
    form = ["--format", random.choice(("csv", "tsv", "xlsx", "jsonlines", "x"))] if random.random() < 0.3 else []
    times = ["--replicates", random.choice((100, 100, 0, -1, 10**9, "x"))]
    force = random.choice(([], ["-f"]))
    words = ["rsmeval", *random.choice(([], ["run"])), file, folder / "made", *form, *times, *force, "--quiet"]
    return run_command(random, words, folder, notes=True)


def _rsm_folder(random: Random, folder: Path) -> None:
    """Tables as RSMTool leaves them, some with odd figures, read and compared."""
    made = []
    for place in range(2):
        where = folder / f"e{place}" / random.choice(("output", "."))
        where.mkdir(parents=True)
        frame = {"": ["raw_trim", "scale_trim"], "N": [20, 20], "wtkappa": [0.5, 0.6], "corr": [0.5, 0.6], "R2": [0, 1]}
        for _ in range(random.choice((0, 1, 3))):
            frame[random.choice(list(frame))][random.randrange(2)] = odd_value(random)
        path = in_file(random, frame, where, damage=0.1)
        path.rename(where / f"x_eval{random.choice(('.csv', path.suffix, '.jsonlines', '.xlsx', '.tsv'))}")
        if random.random() < 0.1:
            (where / "y_eval.csv").write_text("a,N\n")
        made.append(folder / f"e{place}")
    if random.random() < 0.5:
        if is_output_folder(made[0]):
            check_outputs(random, read_outputs(made[0]), damaged=True)
        return
    run_command(random, ["compare", *made, "--task", "scoring", *outputs(random, folder, FILES[:5])], folder)


# Metrics of one's own


def own_metric(random: Random, folder: Path) -> None:
    """A function of two arrays, some of them failing, as a metric of a task and of arrays."""
    given: dict[str, Any] = {}
    for key, usual in (
        ("name", "mine"),
        ("label", "Mine"),
        ("direction", random.choice(("higher", "lower", "nearest"))),
        ("range", (0, 1)),
        ("best", 0.5),
        ("of", random.choice(("prediction", "score"))),
    ):
        if random.random() < 0.4:
            given[key] = usual if random.random() < 0.7 else odd_value(random)
    answer = random.choice((0.5, 0.5, np.float32(0.25), "0.5", None, odd_value(random)))

    def mine(reference: Any, prediction: Any, weights: Any = None, **more: Any) -> Any:
        if weights is not None and len(weights) > 3:
            return float(np.average(np.asarray(reference) == np.asarray(prediction), weights=weights))
        return answer

    def share(reference: Any, prediction: Any) -> Any:
        return answer if isinstance(answer, str) else float(np.mean(reference == prediction))

    try:
        own = adjudge.metric(random.choice((mine, share, share, lambda a, b: 1 / 0)), **given)
        likely = likely_question(random, folder)
        if random.random() < 0.3:
            repr(own(["a", "b", "b"], ["a", "b", "a"]))
            repr(adjudge.estimate(own, ["a", "b"] * 8, ["a", "b", "a", "a"] * 4, replicates=100))
            return
        question = likely.question | {"metrics": [random.choice((own, own.name)), random.choice(likely.task.metrics)]}
        check_outputs(random, adjudge.evaluate(in_memory(random, likely.table), likely.task.name, **question))
    finally:
        OWN.clear()


# Plans, gates before they are run, adequacy with other tables


def before_a_run(random: Random, folder: Path) -> None:
    """Plans as a function, of a table, and of a gate; verdicts added to a summary."""
    likely = likely_question(random, folder)
    if random.random() < 0.5:
        return _planned(random, likely)
    gate = {"name": "g", "data": Path(likely.words[1]).name, "task": likely.task.name} | likely.question
    records: list[Any] = []
    for _ in range(random.choice((1, 2))):
        record: dict[str, Any] = {"metric": random.choice(likely.task.metrics).name, "at_least": number(random)}
        for key in ("expect", "deviation", "part", "every", "versus", "system", "differing", "correlation"):
            if random.random() < 0.3:
                record[key] = random.choice((0.9, number(random), random.choice(list(likely.table)), "new"))
        records.append(record if random.random() < 0.9 else odd_value(random))
    file = folder / "gate.json"
    file.write_text(json.dumps(plain({"gate": gate, "requirement": records}), default=str))
    words: list[Any] = ["gate", file, "--plan"]
    if random.random() < 0.4:
        words += ["--rows", random.choice((1, 100, 10**6, random.choice(ODD_NUMBERS)))]
    if random.random() < 0.3:
        words += ["--power", random.choice((0.5, 0.99, 1, 0, random.choice(ODD_NUMBERS)))]
    if random.random() < 0.3:
        pilot = folder / "pilot.adjudge"
        run_command(random, [*likely.words, "--save", pilot, "--quiet"], folder)
        words += ["--pilot", pilot]
    if random.random() < 0.2:
        words[2] = "--summary"
        os.environ["GITHUB_STEP_SUMMARY"] = random.choice((str(folder / "summary"), "/dev/full", str(folder), "/no/x"))
    try:
        given = [*words, *outputs(random, folder, ("json", "markdown"))]
        return run_command(random, given, folder, verdicts=True)
    finally:
        os.environ.pop("GITHUB_STEP_SUMMARY", None)


def _planned(random: Random, likely: Likely) -> None:
    metric = random.choice(("accuracy", "recall", "roc_auc", metric_name(random, likely.task)))
    question = random.choice((f"{metric} >= 0.8", metric, requirement(random, likely), odd_value(random)))
    given: dict[str, Any] = {"expect": 0.9} if random.random() < 0.6 else {"difference": 0.05, "differing": 0.2}
    for option in random.sample((*NUMBERS, "judge-correlation", "judged", "samples", "seed"), random.choice((0, 1, 3))):
        usual = random.choice((0.9, 0.1, 0.5, 2, 30, number(random)))
        given[option.replace("-", "_")] = usual if random.random() < 0.7 else odd_value(random)
    if random.random() < 0.4:
        given |= {"pilot": in_memory(random, likely.table), "task": likely.task.name, "samples": 3} | likely.question
    elif random.random() < 0.1:
        given["pilot"] = odd_value(random)
    found = adjudge.plan(question, **given)
    check_printed(repr(found))
    for form in ("json", "csv", "markdown"):
        found.content(form)


# What a shell asks, cubes by hand, and engines


def completed(random: Random, folder: Path) -> None:
    """What can come next, whatever was typed."""
    table, _ = columns(random)
    path = in_file(random, table, folder, damage=0.2)
    words: list[Any] = [random.choice((*task_names(), "compare", "gate", "plan", "convert", "cells", "rsmeval", "x"))]
    options = ("--reference", "--metrics", "--ok", "--slices", "--task", "--to", "--", "")
    pool = (path, folder, folder / "none", *options, *ODD_TEXTS)
    words += [random.choice(pool) for _ in range(random.choice((0, 1, 2, 4)))]
    run_command(random, ["completion", "words", "--", *words], folder)


def by_engines(random: Random, folder: Path) -> None:
    """The same table in memory, streamed and by threads, each an answer or a refusal; and its cube."""
    likely = likely_question(random, folder)
    question = {key: value for key, value in likely.question.items() if key != "engine"}
    ends = []
    for engine in random.sample(("memory", "stream", "threads"), 2):
        try:
            found = adjudge.evaluate(likely.words[1], likely.task.name, **question | {"engine": engine})
        except AdjudgeError as error:
            check_message(str(error))
            ends.append(str(error))
            continue
        check_outputs(random, found)
        saved(found.outcome)
        ends.append("")
    whole = adjudge.evaluate(likely.words[1], likely.task.name, **question)
    steps: Any = {random.choice(list(likely.table)): random.choice((0.1, 1, *ODD_NUMBERS))}
    bits = random.choice((1, 8, 12, 24, *ODD_NUMBERS)) if random.random() < 0.3 else 8
    steps = random.choice((None, steps, steps, [f"{one}={short(step)}" for one, step in steps.items()]))
    cube = cube_of(whole, bits, steps)
    slices = random.sample([*likely.table, *cube.meaning.slices], random.choice((0, 1)))
    check_outputs(random, evaluate_cube(cube, slices, replicates=100))


BESIDE: dict[str, tuple[Callable[[Random, Path], None], float]] = {
    "gold": (against_gold, 0.04),
    "files": (many_files, 0.04),
    "tools": (other_tools, 0.07),
    "own": (own_metric, 0.03),
    "before": (before_a_run, 0.04),
    "completion": (completed, 0.01),
    "engines": (by_engines, 0.03),
}
