"""Every sentence of the data check, word by word, in checks.md: does each say what was found and what to do?

After a change of wording: ADJUDGE_WRITE_MESSAGES=1 pytest tests/messages, and read the difference.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge.diagnosis.checks.check import KEYS, STOP, Check
from adjudge.diagnosis.checks.leaks import PartOfData, leak_checks, unanswered

BOOK = Path(__file__).parent / "checks.md"
TITLE = "# Every sentence of the data check\n\nWritten by test_check_sentences.py.\n"
ROWS = range(120)
LABEL = [("a", "b", "c")[row % 3] for row in ROWS]
GUESS = ["a" if row % 4 == 0 else LABEL[row] for row in ROWS]
YES = [row % 2 for row in ROWS]
SCORE = [0.3 + 0.4 * YES[row] + (row * 37 % 61 - 30) / 100 for row in ROWS]
NUMBER = [row * 37 % 61 / 7 for row in ROWS]
NEAR = [value + (row * 53 % 59) / 30 for row, value in enumerate(NUMBER)]

MIXED = [("a", "b", "c")[row * row % 61 % 3] for row in ROWS]
ALSO = ["a" if row % 7 == 0 else one for row, one in enumerate(MIXED)]
GRADES = [1 + row * row % 61 % 5 for row in ROWS]
AGAIN = [min(5, max(1, one + (1, -1, 1, -1, 0)[row % 5])) for row, one in enumerate(GRADES)]


def lost_rows() -> list[Check]:
    """Rows and cells that were lost, moved or filled in, of numbers without an order."""
    rows = range(240)
    number = [(row * row * 37 + row * 11) % 997 / 7 + 20 for row in rows]
    near = [value + (row * 53 % 59) / 9 - 3 for row, value in enumerate(number)]
    kept = [value for row, value in enumerate(near) if row % 5]
    spoilt = [
        [near[row - 3] for row in rows],
        near[:100] + near[99:-1],
        sorted(near),
        [12 * value if row % 5 == 0 else value for row, value in enumerate(near)],
        [value if row % 5 else sum(kept) / len(kept) for row, value in enumerate(near)],
        [value if row % 5 else 80.5 for row, value in enumerate(near)],
        [value if row % 5 else near[row - 1] for row, value in enumerate(near)],
    ]
    tables = [{"y": number, "m": column} for column in spoilt]
    return [check for table in tables for check in checks(table, "regression", reference="y", prediction="m")]


def counted() -> list[Check]:
    """Counts in place of rows, and results side by side."""
    cells = {"label": ["a", "a", "b", "b"], "guess": ["a", "b", "a", "b"], "count": [120, 14, 20, 96]}
    roles = {"reference": "label", "prediction": "guess", "replicates": 100}
    one, again = (adjudge.evaluate({"label": LABEL, "guess": GUESS}, **roles) for _ in range(2))
    capitals = adjudge.evaluate(
        {"label": [label.upper() for label in LABEL], "guess": [label.upper() for label in GUESS]}, **roles
    )
    beside = [adjudge.compare(one, other, names=["old", "new"]).checks for other in (again, capitals)]
    return [
        *checks(cells, "classification", reference="label", prediction="guess"),
        *(check for of in beside for check in of),
    ]


def made_from_answers() -> list[Check]:
    """Slices that are the answers, a judge in percent, one list, ranks as scores, texts that say nothing."""
    table = {"label": LABEL, "guess": GUESS, "copy": LABEL}
    table["right"] = [str(a == b) for a, b in zip(LABEL, GUESS, strict=True)]
    lists = {"q": [0] * 120, "rel": [row * row % 61 % 3 for row in ROWS], "rank": [1 + row * 7 % 10 for row in ROWS]}
    votes = {"human": ["ab"[yes] for yes in YES], "judge": ["ab"[yes or not row % 9] for row, yes in enumerate(YES)]}
    texts = {
        "a": ["no answer" if row % 4 else f"answer {row}" for row in ROWS],
        "b": ["" if row % 3 else f"b {row}" for row in ROWS],
    }
    percents = {"h": [yes if row % 3 else None for row, yes in enumerate(YES)], "j": [90 * one for one in SCORE]}
    roles: dict[str, Any] = {"reference": "human", "annotators": ["judge"], "text_a": "a", "text_b": "b"}
    return [
        *checks(table, "classification", reference="label", prediction="guess", slices=["copy", "right"]),
        *checks(lists, "ranking", query="q", relevance="rel", score="rank"),
        *checks(votes | texts, "preference", **roles),
        *checks(percents, "judges", reference="h", judge="j"),
    ]


def stood_for(folder: Path) -> list[Check]:
    """Numbers, tags, votes and lists that stand for something else than they are given as."""
    number = [(row * row * 37 + row * 11) % 997 / 7 + 20 for row in ROWS]
    off = [(row * 53 % 59) / 9 - 3 for row in ROWS]
    days = [20240000 + 100 * (1 + row % 12) + 1 + row % 28 for row in ROWS]
    ranks = [1 + sorted(number).index(one) for one in number]
    tables = [{"y": number, "m": column} for column in (off, [1 + one / 40 for one in off], ranks)]
    tables.append({"y": days, "m": days[::-1]})
    found = [check for table in tables for check in checks(table, "regression", reference="y", prediction="m")]
    near = {"y": number, "m": [one + two - 0.1 for one, two in zip(number, off, strict=True)]}
    found += checks(near, "regression", reference="y", prediction="m", quantile=0.95)
    watched = {"h": [24] * 120, "old": [row % 3 for row in ROWS], "new": [row % 3 for row in ROWS]}
    found += checks(watched, "failures", exposure="h", failures=["old", "new"])
    found += checks({**watched, "long": [1440] * 120}, "failures", exposure=["h", "long"], failures=["old", "new"])
    found += rated(*[[row % 3, place % 3] for place, row in enumerate(range(40))])
    judged = {
        "human": ["a" if row % 9 == 0 else None for row in ROWS],
        "judge": ["b" if row % 9 else "a" for row in ROWS],
    }
    found += checks({**judged, "said": LABEL}, "judges", reference="human", judge="judge", prediction="said")
    log = {"h": [24] * 60, "f": [row % 3 for row in range(60)]}
    found += adjudge.compare(log, log, names=["old", "new"], task="failures", exposure="h", failures="f").checks
    tags = {"g": ["O B-A I-A O B-B"] * 60, "i": ["O I-A I-A O I-A"] * 60, "b": ["O B-A B-A O B-A"] * 60}
    found += checks(tags, "agreement", raters=["g", "i", "b"], measurement="spans")
    votes = {"pair": [row // 2 for row in ROWS], "who": ["ann", "model"] * 60, "vote": ["a", 0, "b", 1] * 30}
    found += checks(votes, "preference", pair="pair", annotator="who", vote="vote", reference="ann")
    few = {"pair": [row // 60 for row in ROWS], "who": [row % 60 for row in ROWS], "vote": ["a", "b", "b"] * 40}
    found += checks(few, "preference", pair="pair", annotator="who", vote="vote", reference="1")
    both = {"human": ["ab"[yes] for yes in YES], "judge": ["ab"[row // 2 % 2] for row in ROWS]}
    turned = {"again": ["ba"[row // 2 % 2] for row in ROWS], "copy": both["judge"]}
    for name in turned:
        votes = {"reference": "human", "annotators": ["judge"], "swapped": {"judge": name}}
        found += checks(both | turned, "preference", **votes)
    lists = {"q": [row // 5 for row in ROWS], "r": [100 * (row * row % 61 % 3) for row in ROWS], "s": NEAR, "t": NEAR}
    found += checks(lists, "ranking", query="q", relevance="r", score=["s", "t"], metrics=["ndcg(at=5)"])
    suite = {
        "what": ["x"] * 120,
        "g": [row // 2 for row in ROWS],
        "kind": ["mft", "dir"] * 60,
        "want": ["a", "up"] * 60,
    }
    suite |= {"said": ["a", "b"] * 60, "s": [90 * one for one in SCORE]}
    roles = {"phenomenon": "what", "group": "g", "kind": "kind", "expect": "want", "prediction": "said", "score": "s"}
    found += checks(suite, "diagnostic", **roles)
    return found + in_runs(folder) + points_of_thousands(folder)


def in_runs(folder: Path) -> list[Check]:
    """Runs that do not go with their judgements, or with themselves."""
    qrels, run = folder / "qrels", folder / "run"
    items = [(f"q{query}", f"d{item}", (query + item) % 3 % 2) for query in range(24) for item in range(5)]
    qrels.write_text("".join(f"{q} 0 {d} {grade}\n" for q, d, grade in items))
    found = []
    for document, queries, turned in (("{}.txt", 24, 1), ("{}", 20, -1), ("{}", 23, 1)):
        lines = (
            f"{q} Q0 {document.format(d)} {d[1]} {turned * -int(d[1])} s\n" for q, d, _ in items if int(q[1:]) < queries
        )
        run.write_text("".join(lines))
        found += adjudge.ranking(str(qrels), runs=str(run), replicates=100).checks
    run.write_text("".join(f"{q} Q0 {d if int(d[1]) > 3 else 'x' + d} 1 {d[1]} s\n" for q, d, _ in items))
    return found + adjudge.ranking(str(qrels), runs=str(run), replicates=100).checks


def points_of_thousands(folder: Path) -> list[Check]:
    """Points that part thousands, and numbers that are required of."""
    written = [f"{500 + 10 * (row * row % 401):,}".replace(",", ".") for row in ROWS]
    path = folder / "points.csv"
    path.write_text("\n".join(["y;m", *(f"{one};{row * 13 % 97}" for row, one in enumerate(written))]))
    found = adjudge.regression(str(path), reference="y", prediction="m", replicates=100).checks
    path.write_text("y;m\n" + "1.250.000;3\n" * 60 + "2;3\n" * 10)
    found = [*found, *adjudge.regression(str(path), reference="y", prediction="m", replicates=100).checks]
    asked = {f"q{place}": [4 + row % 2 for row in ROWS] for place in range(1, 11)}
    usability = f"system_usability({', '.join(asked)}) >= 40"
    purpose = {"table": [{"name": "log", "characteristic": "usability", "requirement": [usability]}]}
    grown = {"table": [{"name": "log", "characteristic": "efficiency", "requirement": ["p95(ms) <= 9"]}]}
    tables = ((purpose, asked), (grown, {"ms": [row * row for row in range(60)]}))
    outcomes = (adjudge.adequacy(one, {"log": of}).outcomes.values() for one, of in tables)
    return found + [check for of in outcomes for outcome in of for check in outcome.checks]


def from_other_programs() -> list[Check]:
    """Tables that a join, a spreadsheet or a notebook left behind, and metrics that miss a setting."""
    number = [(row * row * 37 + row * 11) % 997 / 7 + 20 for row in ROWS]
    near = [value + (row * 53 % 59) / 9 - 3 for row, value in enumerate(number)]
    joined = [(row // 2, row, other) for row in ROWS for other in (row // 2 * 2, row // 2 * 2 + 1)]
    crossed = {"k": [k for k, *_ in joined], "y": [number[a] for _, a, _ in joined], "p": [near[b] for *_, b in joined]}
    stacked = {"model": ["A"] * 120 + ["B"] * 120, "y": 2 * number, "p": near + near[::-1]}
    angle = [row * 37 % 120 * 3.0 for row in ROWS]
    turned = {"y": angle, "p": [(one + 4 * (row % 5) - 8) % 360 for row, one in enumerate(angle)]}
    labels = {"label": LABEL, "guess": GUESS, "split": ["train"] * 80 + ["test"] * 40}
    labels |= {"page": [f"p{row}" if row % 4 == 0 else None for row in ROWS]}
    labels |= {"age": [("1-5", "6-10", "15-Nov")[row * row % 61 % 3] for row in ROWS]}
    dotted = {name: [{"a": "1.1", "b": "1.10", "c": "2"}[one] for one in labels[name]] for name in ("label", "guess")}
    sure = [0.5 + 0.4 * (row * 37 % 61) / 61 for row in ROWS]
    roles = {"reference": "y", "prediction": "p"}
    return [
        *(check for table in (crossed, stacked, turned) for check in checks(table, "regression", **roles)),
        *checks({"y": number, "p": [0.3 * one for one in near[::-1]]}, "regression", **roles),
        *checks({"y": number, "p": near}, "regression", **roles, quantile=0.5, metrics=["pinball_loss"]),
        *checks({"y": number, "p": near}, "regression", **roles, quantile=0.9, metrics=["pinball_loss"]),
        *checks(labels, "classification", reference="label", prediction="guess", slices=["page", "age"]),
        *checks(dotted, "classification", reference="label", prediction="guess"),
        *by_score(sure, [int(row % 4 == 0) for row in ROWS]),
        *by_score([row / 121 + 0.0001 * (row % 7) for row in ROWS], [row * row % 61 % 2 for row in ROWS]),
        *scored([1 + row * row % 61 % 9 / 2 for row in ROWS], engine=[1 + row % 4 + 0.3 for row in ROWS], min=1, max=5),
    ]


def decided(label: list[Any] = LABEL, guess: list[Any] = GUESS, **given: Any) -> list[Check]:
    return checks({"label": label, "guess": guess}, "classification", reference="label", prediction="guess", **given)


def checks(table: dict[str, Any], task: str, **given: Any) -> list[Check]:
    return adjudge.evaluate(table, task, replicates=100, **given).checks


def by_score(score: list[float], label: list[Any] = YES) -> list[Check]:
    return checks({"label": label, "p": score}, "classification", reference="label", score="p")


def rated(*columns: list[Any], **given: Any) -> list[Check]:
    table = {f"r{place}": column for place, column in enumerate(columns, 1)}
    return checks(table, "agreement", raters=list(table), **given)


def predicted(*columns: list[float]) -> list[Check]:
    table = {"y": NUMBER, **{f"m{place}": column for place, column in enumerate(columns, 1)}}
    return checks(table, "regression", reference="y", prediction=[name for name in table if name != "y"])


def in_rows(*rows: tuple[Any, ...], **given: Any) -> list[Check]:
    names = ("item", "rater", "rating") if "start" not in given else ("item", "rater", "from", "to")
    table = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    return checks(table, "agreement", item="item", rater="rater", **given)


def of_lists(score: list[float], query: list[str] | None = None) -> list[Check]:
    table = {"query": query or [f"q{row // 4}" for row in ROWS], "relevance": [row % 4 for row in ROWS], "s": score}
    return checks(table, "ranking", query="query", relevance="relevance", score="s", metrics="ndcg")


def voted(votes: list[str]) -> list[Check]:
    names = [f"n{row}" for row in ROWS]
    table = {"a": names, "b": names[::-1], "human": [("text_a", "text_b")[yes] for yes in YES], "judge": votes}
    return checks(table, "preference", reference="human", annotators=["judge"], text_a="a", text_b="b")


def scored(*raters: list[float], engine: list[float], **given: Any) -> list[Check]:
    table = {f"h{place}": column for place, column in enumerate(raters, 1)}
    return checks({**table, "e": engine}, "scoring", raters=list(table), prediction="e", **given)


def beside_one_another() -> list[Check]:
    """Columns that do not belong together row by row, are made of one another, or stand on another scale."""
    engine = [one + row * 37 % 61 / 100 - 0.3 for row, one in enumerate(GRADES)]
    mean = [(one + two) / 2 for one, two in zip(GRADES, AGAIN, strict=True)]
    spans = [[{"label": "PER", "start": 10 * k, "end": 10 * k + 3 + row % 4} for k in (0, 3, 7)] for row in ROWS]
    moved = [[one | {"end": one["end"] - 1} for one in each] for each in spans]
    words = [[one | {"start": one["start"] // 5, "end": one["end"] // 5 + 1} for one in each] for each in spans]
    in_bytes = [
        [one | {"start": one["start"] + one["start"] // 8, "end": one["end"] + one["end"] // 8} for one in each]
        for each in spans
    ]
    renamed = [[one | {"label": "person"} for one in each] for each in spans]
    halfway = [each if row % 2 else moved[row] for row, each in enumerate(spans)]
    half = [each if row % 2 else [] for row, each in enumerate(spans)]
    elsewhere = [[{"label": "PER", "start": 200 + row, "end": 230 + row}] if row % 2 else [] for row in ROWS]
    across = [[*each, *(one | {"end": one["end"] + 1} for one in each)] for each in spans]
    sets = ["x|y" if row % 3 else "xy"[row % 2] for row in ROWS]
    pair = {
        "human": [("a", "b")[yes] for yes in YES],
        "judge": [("a", "b")[yes or not row % 9] for row, yes in enumerate(YES)],
    }
    roles: dict[str, Any] = {"reference": "human", "annotators": ["judge"]}
    hours = [20.0 + row * 37 % 61 for row in ROWS]
    failed = [row * row % 7 // 3 for row in ROWS]
    return [
        *decided(MIXED, [ALSO[row - 1] for row in ROWS]),
        *predicted([NEAR[row - 1] for row in ROWS]),
        *lost_rows(),
        *made_from_answers(),
        *counted(),
        *checks({"y": sorted(NUMBER), "m": sorted(NEAR)}, "regression", reference="y", prediction="m"),
        *predicted([value if row % 3 else NUMBER[row] for row, value in enumerate(NEAR)]),
        *predicted([1000 * value if row % 10 == 0 else value for row, value in enumerate(NEAR)]),
        *predicted([0 if row % 10 == 0 else value + 1 for row, value in enumerate(NEAR)]),
        *checks(
            {"y": [*NUMBER, sum(NUMBER) / 120], "m": [*NEAR, sum(NEAR) / 120]},
            "regression",
            reference="y",
            prediction="m",
        ),
        *checks(
            {"y": NUMBER, "m": [f"{one:.1f} kg" for one in NEAR[:9]] + NEAR[9:]},
            "regression",
            reference="y",
            prediction="m",
        ),
        *rated(GRADES, AGAIN, mean, measurement="interval"),
        *rated(GRADES, [one - 1 for one in AGAIN], measurement="interval"),
        *rated(NUMBER * 2, [20 * one for one in NEAR * 2], measurement="interval"),
        *rated(NUMBER * 2, [100 + one for one in NEAR * 2], measurement="interval"),
        *in_rows(*((row, who, MIXED[row]) for row in ROWS for who in ("ann", "Ann")), rating="rating", ok="C4"),
        *scored(GRADES, AGAIN, engine=mean),
        *scored(GRADES, AGAIN, engine=[(one - 1) / 5 for one in engine]),
        *scored(GRADES, AGAIN, engine=engine, min=0, max=100),
        *scored([one - 1 for one in GRADES], engine=engine, min=0, max=5),
        *scored(GRADES, [9 if row % 9 == 0 else one for row, one in enumerate(AGAIN)], engine=engine, min=1, max=5),
        *checks({"y_pred": GUESS, "y_true": LABEL}, "classification", reference="y_pred", prediction="y_true"),
        *checks(
            {"a": [int(one > 0.5) for one in SCORE], "b": YES, "p": SCORE},
            "classification",
            reference="a",
            prediction="b",
            score="p",
        ),
        *decided(MIXED, [{"a": "b", "b": "c", "c": "a"}[one] for one in ALSO]),
        *decided(MIXED, [{"a": "b", "b": "a", "c": "ab"[row % 2]}[one] for row, one in enumerate(MIXED)]),
        *decided(MIXED, [{"a": "\u0430"}.get(one, one) for one in ALSO], ok="C39"),
        *decided([{"a": "é"}.get(one, one) for one in MIXED], [{"a": "e"}.get(one, one) for one in ALSO]),
        *decided(["a;b" if row % 9 == 0 else one for row, one in enumerate(MIXED)], ALSO),
        *decided(
            [f"is {one}" for one in MIXED],
            [f"is {one} ({row % 4})" if row % 5 == 0 else f"is {one}" for row, one in enumerate(ALSO)],
        ),
        *decided([-1 if row % 5 == 0 else one for row, one in enumerate(GRADES)], AGAIN),
        *decided(["truth", *MIXED], ["answer", *ALSO]),
        *decided(["[x]", *MIXED], ["[x]", *ALSO]),
        *decided(["string", *MIXED], ["string", *ALSO]),
        *decided([*MIXED, "Total"], [*ALSO, "120"]),
        *rated(MIXED, ALSO, [{"a": "b", "b": "c", "c": "a"}[one] for one in ALSO]),
        *rated(MIXED, ALSO, [{"a": "skip"}.get(one, one) for one in ALSO]),
        *rated(GRADES, AGAIN, measurement="ordinal", scale=["2", "4", "1", "5", "3"]),
        *rated(
            *([("low", "fair", "good", "fine", "top")[one - 1] for one in who] for who in (GRADES, AGAIN)),
            measurement="ordinal",
            scale=["fair", "fine", "good", "low", "top"],
        ),
        *predicted([-value if row % 20 == 0 else value for row, value in enumerate(NEAR)]),
        *checks({"y": NUMBER * 2, "m": NEAR + [-value for value in NEAR]}, "regression", reference="y", prediction="m"),
        *predicted([1.1 * value + 2 for value in NUMBER]),
        *predicted([round(value) for value in NUMBER]),
        *checks(
            {"y": [*NUMBER, sum(NUMBER)] * 3, "m": [*NEAR, sum(NEAR)] * 3}, "regression", reference="y", prediction="m"
        ),
        *checks({"y": [sum(NUMBER), *NUMBER], "m": [sum(NEAR), *NEAR]}, "regression", reference="y", prediction="m"),
        *by_score([1.7e9 + row * 37 % 61 for row in ROWS]),
        *checks(
            {
                "label": LABEL,
                "guess": GUESS,
                "w": [2019 + row % 3 for row in ROWS],
                "one": ["x"] * 120,
                "na": ["NA", "b"] * 60,
            },
            "classification",
            reference="label",
            prediction="guess",
            weight="w",
            slices=["one", "na"],
        ),
        *checks(
            {
                "y": YES,
                "p": [1 - yes if row % 9 == 0 else yes for row, yes in enumerate(YES)],
                "s": [row * 37 % 61 / 61 for row in ROWS],
            },
            "classification",
            reference="y",
            prediction="p",
            score="s",
        ),
        *checks(
            {"y": LABEL, "a": SCORE, "b": NUMBER, "c": [0] * 120},
            "classification",
            reference="y",
            score={"a": "a", "b": "a", "c": "c"},
        ),
        *checks({"y": YES, "t": YES, "s": NUMBER}, "uplift", outcome="y", treatment="t", score="s"),
        *(
            check
            for y in (
                [1 - yes for yes in YES],
                [yes if one < 4 else 1 - yes for yes, one in zip(YES, NUMBER, strict=True)],
                [yes * (row % 3 % 2) for row, yes in enumerate(YES)],
            )
            for check in checks({"y": y, "t": YES, "s": NUMBER}, "uplift", outcome="y", treatment="t", score="s")
        ),
        *checks(
            {"y": [*NUMBER, sum(NUMBER) / 120, 1.25], "p": [*NEAR, sum(NEAR) / 120, 1.5]},
            "regression",
            reference="y",
            prediction="p",
        ),
        *decided(level=0.05),
        *checks(pair | {"judge": [("b", "a")[yes] for yes in YES]}, "preference", **roles),
        *checks(pair | {"judge": ["1" if yes else "a" for yes in YES]}, "preference", **roles),
        *checks(pair | {"ma": ["x"] * 120, "mb": ["x"] * 120}, "preference", **roles, model_a="ma", model_b="mb"),
        *(
            check
            for other in (spans, moved, words, [[]] * 120, in_bytes, renamed, halfway, half, elsewhere, across)
            for check in rated(*(list(map(json.dumps, one)) for one in (spans, other)), measurement="spans")
        ),
        *rated(sets, sets, measurement="sets"),
        *rated(sets, [one.replace("|", ",") for one in sets], measurement="sets"),
        *checks(
            {"hours": [sum(hours[: row + 1]) for row in ROWS], "failed": [sum(failed[: row + 1]) for row in ROWS]},
            "failures",
            exposure="hours",
            failures="failed",
        ),
        *checks(
            {"h": hours, "m": [60 * one for one in hours], "old": failed, "new": failed[::-1]},
            "failures",
            exposure=["h", "m"],
            failures=["old", "new"],
        ),
        *checks(
            {"query": [f"q{row // 4}" for row in ROWS], "relevance": [1 + row % 4 for row in ROWS], "s": NUMBER},
            "ranking",
            query="query",
            relevance="relevance",
            score="s",
            metrics="ndcg",
        ),
    ]


def written_by_hand() -> list[Check]:
    """Names in two ways, lines that are no rows, codes, and answers of another kind."""
    by_score = {"reference": "y", "prediction": "g", "score": "p"}
    points = [row * 37 % 61 % 4 for row in ROWS]
    guess = [one if row % 5 else 3 - one for row, one in enumerate(points)]
    pair = {"winner": ["a", "b"] * 60, "model_a": ["m1", "M1", "m2"] * 40, "model_b": ["old"] * 120}
    sure = [abs(one - 0.5) + 0.5 if 0 <= one <= 1 else 0.5 for one in SCORE]
    engine = [1 + one + row * 37 % 61 / 100 - 0.3 for row, one in enumerate(GRADES)]
    items = [(f"{who}{row}" if who == "cy" else row, who, MIXED[row]) for who in ("ann", "ben", "cy") for row in ROWS]
    roles = {"reference": "label", "prediction": "guess"}
    table = {"label": LABEL, "guess": GUESS, "part": ["de", "DE", "en"] * 40}
    again: dict[str, Any] = {"label": MIXED + MIXED[:30], "guess": ALSO + ALSO[:30], "id": [*ROWS, *range(30)]}
    return [
        *checks(table, "classification", **roles, slices=["part"]),
        *checks(table, "classification", **roles, cluster="part"),
        *checks(again, "classification", **roles),
        *decided([-1 if row % 10 == 0 else one for row, one in enumerate(points)], guess),
        *decided([*points, "Total"], [*guess, 77]),
        *decided([*points, sum(points)], [*guess, sum(guess)]),
        *checks({"y": YES, "g": [int(one > 0.5) for one in SCORE], "p": sure}, "classification", **by_score),
        *predicted([2.5 * value for value in NEAR]),
        *predicted([1000 * value if row == 5 else value for row, value in enumerate(NEAR)]),
        *scored([one - 1 for one in GRADES], engine=engine, min=1, max=5),
        *scored(GRADES, engine=engine, training={"h1": GRADES, "e": engine}),
        *in_rows(*items, rating="rating", ok="C4"),
        *of_lists([row % 4 for row in ROWS], query=[f"q{row if row < 40 else row // 4}" for row in ROWS]),
        *checks(
            {
                "bought": YES,
                "mail": [row // 2 % 2 for row in ROWS],
                "score": [one + row / 999 for row, one in enumerate(YES)],
            },
            "uplift",
            outcome="bought",
            treatment="mail",
            score="score",
        ),
        *checks(
            {"h": [0 if row % 10 == 0 else 20 + row for row in ROWS], "f": [row % 3 for row in ROWS]},
            "failures",
            exposure="h",
            failures="f",
        ),
        *checks(
            {"h": [20.5 + row * row for row in ROWS], "f": [1 + row % 3 for row in ROWS]},
            "failures",
            exposure="h",
            failures="f",
        ),
        *checks(pair, "preference"),
    ]


def found_in(folder: Path) -> list[Check]:
    """Every check, made to speak once or more."""
    (folder / "t.csv").write_text("label;p\n" + "0;0,2\n1;0.8\n" * 60)
    answers = [{"user_id": who, "value": label} for who, label in (("ann", "yes"), ("ben", "no"))]
    record = {"id": "d1", "fields": {}, "suggestions": {}, "responses": {"label": answers}}
    (folder / "argilla.json").write_text(json.dumps([record]))
    counts = [[5 - row % 3, row % 2, (row % 3) - row % 2 + 2] for row in ROWS]
    spans = [(f"t{row}", who, 0, 4) for row in range(12) for who in ("ann", "ben") if who == "ann" or row < 6]
    again = [(row // 2 % 60, ("ann", "ben")[row % 2], "ab"[row % 3 == 0]) for row in range(124)]
    one_label = [LABEL[row] if row % 40 == 0 else "a" for row in ROWS]
    return [
        *decided(["a"] * 120, ["b"] * 120),
        *decided(guess=["A" if one == "a" and row % 2 else one for row, one in enumerate(GUESS)]),
        *decided([str(1 - one) for one in YES], [str(one) for one in YES]),
        *by_score([1 - one for one in SCORE]),
        *predicted([-one for one in NEAR]),
        *decided(guess=LABEL),
        *by_score([0.1 + 0.8 * one for one in YES]),
        *rated(LABEL, LABEL),
        *checks(
            {"label": YES + YES[:12], "p": [s / 3 for s in SCORE + SCORE[:12]]},
            "classification",
            reference="label",
            score="p",
        ),
        *in_rows(*again, rating="rating"),
        *decided([None if row % 10 == 0 else one for row, one in enumerate(LABEL)]),
        *decided(guess=["a"] * 120),
        *predicted([3.0] * 120),
        *rated(LABEL, ["a"] * 120),
        *decided(["a"] * 115 + ["b"] * 5, ["a"] * 110 + ["c"] * 10),
        *by_score([100 * one for one in SCORE]),
        *by_score([one / 5 for one in SCORE]),
        *rated(LABEL, GUESS, one_label),
        *rated(LABEL, GUESS, GUESS),
        *checks(
            {"h": [1 + row % 5 for row in ROWS], "m": [2.0 * (1 + row % 5) for row in ROWS]},
            "scoring",
            raters="h",
            prediction="m",
            min=1,
            max=5,
        ),
        *adjudge.evaluate(folder / "t.csv", reference="label", score="p", replicates=100).checks,
        *adjudge.agreement(folder / "argilla.json", replicates=100).checks,
        *checks(
            {"label": LABEL, "a": SCORE, "b": NUMBER}, "classification", reference="label", score={"a": "a", "b": "b"}
        ),
        *decided(["NA" if row % 9 == 0 else one for row, one in enumerate(LABEL)]),
        *rated(*([row[place] for row in counts] for place in range(3))),
        *predicted(NEAR, NEAR),
        *checks(
            {"label": LABEL, "guess": GUESS, "w": list(range(500, 620))},
            "classification",
            reference="label",
            prediction="guess",
            weight="w",
        ),
        *checks(
            {"label": LABEL, "guess": GUESS, "w": [1 + 30 * (row % 20 == 0) for row in ROWS]},
            "classification",
            reference="label",
            prediction="guess",
            weight="w",
        ),
        *in_rows(*spans, start="from", end="to", measurement="spans"),
        *decided(guess=["a" if row < 40 else LABEL[row] for row in ROWS]),
        *checks(
            {"label": LABEL * 2, "guess": [LABEL[row % 120] if row % 24 < 14 else "a" for row in range(240)]}
            | {"user": [f"user {row % 24}" for row in range(240)]},
            "classification",
            reference="label",
            prediction="guess",
        ),
        *checks(
            {"label": [None if row % 20 == 0 else LABEL[row % 120] for row in range(480)], "guess": GUESS * 4}
            | {"place": ["north" if row % 4 == 0 else "south" if row % 97 else "west" for row in range(480)]},
            "classification",
            reference="label",
            prediction="guess",
            slices=["place"],
        ),
        *by_score([round(0.2 + one / 2, 3) for one in SCORE[:60] * 2]),
        *checks(
            {"human": [1 if row % 2 and row < 60 else None for row in ROWS], "judge": [row % 2 for row in ROWS]},
            "judges",
            reference="human",
            judge="judge",
        ),
        *decided(cluster="label", slices=["guess"]),
        *checks(
            {"label": LABEL, "guess": GUESS, "name": [f"n{row}" for row in ROWS]},
            "classification",
            reference="label",
            prediction="guess",
            slices=["name"],
        ),
        *decided([*LABEL, "label", *LABEL], [*GUESS, "guess", *GUESS]),
        *predicted([100 * value for value in NEAR], [value + 1e6 for value in NEAR]),
        *predicted([-999 if row % 10 == 0 else value for row, value in enumerate(NEAR)]),
        *rated([row % 5 for row in ROWS], [4 - row % 5 for row in ROWS], measurement="interval"),
        *by_score([float(yes) for yes in YES]),
        *by_score([0.8 * yes + row / 1_000 for row, yes in enumerate(YES)]),
        *by_score([float(yes and row % 3 > 0) for row, yes in enumerate(YES)]),
        *checks(
            {
                "h": [-1 if row % 10 == 0 else 1 + row % 6 for row in ROWS],
                "e": [1 + row % 6 + row % 7 / 10 for row in ROWS],
            },
            "scoring",
            raters=["h"],
            prediction="e",
            min=1,
            max=6,
        ),
        *of_lists([-(row % 4) for row in ROWS]),
        *of_lists([row % 4 + row % 3 / 10 for row in ROWS], query=[f"q{row // 2}" for row in ROWS]),
        *of_lists([1.0 for _ in ROWS]),
        *of_lists([row % 4 for row in ROWS], query=[f"q{row}" for row in ROWS]),
        *checks({"people": YES, "judge": YES}, "judges", reference="people", judge="judge"),
        *checks({"people": YES, "judge": [1 - yes for yes in YES]}, "judges", reference="people", judge="judge"),
        *checks(
            {"bought": [row % 3 % 2 for row in ROWS], "mail": YES, "score": SCORE},
            "uplift",
            outcome="bought",
            treatment="mail",
            score="score",
        ),
        *voted([("text_a", "text_b")[yes] for yes in YES]),
        *voted(["text_a" for _ in YES]),
        *checks(
            {"a": [f"n{row}" for row in ROWS], "b": [f"n{row + row % 9}" for row in ROWS], "human": ["a", "b"] * 60}
            | {"judge": ["a", "b", "b"] * 40},
            "preference",
            reference="human",
            annotators=["judge"],
            text_a="a",
            text_b="b",
        ),
        *decided(
            [("a", "b", "c")[row % 3] for row in range(1_200)], [("a", "b", "c")[row // 3 % 3] for row in range(1_200)]
        ),
        *checks({"y": YES, "p": SCORE}, "classification", reference="y", score="p", positive=1, threshold=50),
        *checks({"h": SCORE, "e": [row % 4 for row in ROWS]}, "scoring", raters=["h"], prediction="e"),
        *beside_one_another(),
        *from_other_programs(),
        *stood_for(folder),
        *written_by_hand(),
        *mixed_and_misspelled(),
        *unanswered("submission.csv", 12, 1, 120),
        *leak_checks({"train": PartOfData(["a", "b"], ["Hello", "x"]), "test": PartOfData(["b"], ["hello "])}),
    ]


def mixed_and_misspelled() -> list[Check]:
    """Degrees of two scales, lines between rows, slips of the keys, points with and without words, rows of words."""
    degrees = [10 + row * 37 % 101 / 10 for row in range(200)]
    near = [true + row * 53 % 17 / 10 - 0.8 for row, true in enumerate(degrees)]
    lines = [guess if row % 2 == 0 else (near[row - 1] + near[min(row + 1, 198)]) / 2 for row, guess in enumerate(near)]
    ratings = [str(1 + row % 3) for row in range(120)]
    points = [
        f"{point} - {['low', 'mid', 'high'][int(point) - 1]}" if row % 4 else point for row, point in enumerate(ratings)
    ]
    words = [("neutral", "positive")[row % 2] for row in range(119)]
    tags = [("O", "B-PER")[row % 2] for row in range(120)]
    numbers = {"reference": "y", "prediction": "m"}
    return [
        *checks(
            {"y": degrees, "m": [one if row % 2 else 1.8 * one + 32 for row, one in enumerate(near)]},
            "regression",
            **numbers,
        ),
        *checks({"y": degrees, "m": lines}, "regression", **numbers),
        *checks({"a": points, "b": points[1:] + points[:1]}, "agreement", raters=["a", "b"]),
        *checks({"a": ["nuetral", *words], "b": [*words, "neutral"]}, "agreement", raters=["a", "b"]),
        *checks({"a": tags, "b": tags[1:] + tags[:1]}, "agreement", raters=["a", "b"], measurement="spans"),
    ]


def test_sentences(tmp_path: Path) -> None:
    found = sorted(set(found_in(tmp_path)), key=lambda check: (int(check.key[1:]), check.severity, check.sentence))
    refused = {"C14"}
    assert {check.key for check in found} | refused == set(KEYS)
    assert STOP not in {check.severity for check in found}
    lines = [f"- **{check.key}** ({check.severity}) {check.sentence}" for check in found]
    text = TITLE + "\n" + "\n".join(lines) + "\n"
    if os.environ.get("ADJUDGE_WRITE_MESSAGES"):
        BOOK.write_text(text)
    assert text == BOOK.read_text()


@pytest.mark.parametrize("key", KEYS)
def test_every_check_is_explained(key: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "checks.md").read_text()
    assert f"| {key} |" in page
