"""Makes the tables of `adjudge demo TASK`: simulated, small, and with something in each that a reader should find."""

from __future__ import annotations

import csv
from pathlib import Path
from random import Random
from typing import Any

FOLDER = Path("src/adjudge/demo")


def essays() -> list[dict[str, Any]]:
    """600 essays of six first languages; the engine is a quarter of a point too strict with one of them."""
    r, rows = Random(11), []
    for number in range(600):
        language = r.choices(["Arabic", "German", "Hindi", "Japanese", "Korean", "Spanish"], [11, 28, 13, 16, 8, 24])[0]
        worth = r.gauss(3.5, 1.0)
        engine = worth + r.gauss(0, 0.45) - (0.3 if language == "Korean" else 0)
        second = _grade(worth + r.gauss(0, 0.55)) if r.random() < 0.45 else ""
        first = _grade(worth + r.gauss(0, 0.55))
        rows.append({"essay": f"e{number:03}", "language": language, "rater_1": first, "rater_2": second,
                     "engine": round(engine, 2)})  # fmt: skip
    return rows


def _grade(value: float) -> int:
    return min(6, max(1, round(value)))


def feelings() -> list[dict[str, Any]]:
    """400 items, three of eight raters each; one mostly guesses, and two labels are hard to tell apart."""
    r, rows = Random(12), []
    labels = ["anger", "disgust", "fear", "joy", "neutral"]
    near = {"anger": "disgust", "disgust": "anger"}
    for number in range(400):
        truth = r.choices(labels, [20, 12, 13, 30, 25])[0]
        row: dict[str, Any] = {"item": f"i{number:03}", "source": r.choice(["forum", "news"])}
        chosen = set(r.sample(range(8), 3))
        for rater in range(8):
            said = truth
            if rater == 6 and r.random() < 0.75:
                said = r.choice(labels)
            elif truth in near and r.random() < 0.25:
                said = near[truth]
            elif r.random() < 0.07:
                said = r.choice(labels)
            row[f"r{rater + 1}"] = said if rater in chosen else ""
        rows.append(row)
    return rows


def flats() -> list[dict[str, Any]]:
    """700 flats; the model is better than the rule, and too low where flats are dear."""
    r, rows = Random(13), []
    for number in range(700):
        town = r.choices(["north", "south", "centre"], [40, 40, 20])[0]
        price = max(40.0, r.lognormvariate(5.1, 0.45) * (1.35 if town == "centre" else 1.0))
        model = price + r.gauss(0, 18) - (0.3 * (price - 300) if price > 300 else 0)
        rule = 120 + 0.45 * price + r.gauss(0, 35)
        rows.append({"flat": f"f{number:03}", "town": town, "price": round(price), "model": round(model, 1),
                     "rule": round(rule, 1)})  # fmt: skip
    return rows


def searches() -> list[dict[str, Any]]:
    """90 queries of twelve documents; the reranker is better than word overlap, less so for questions."""
    r, rows = Random(14), []
    for number in range(90):
        kind = r.choice(["name", "question", "topic"])
        for document in range(12):
            relevance = r.choices([0, 1, 2, 3], [70, 15, 10, 5])[0]
            noise = 1.5 if kind == "question" else 0.9
            rows.append({"query": f"q{number:02}", "kind": kind, "document": f"d{document:02}", "relevance": relevance,
                         "overlap": round(0.7 * relevance + r.gauss(0, 1.3), 3),
                         "reranker": round(relevance + r.gauss(0, noise), 3)})  # fmt: skip
    return rows


def offers() -> list[dict[str, Any]]:
    """2,000 customers, half of them with an offer, which helps those whom the score ranks first."""
    r, rows = Random(15), []
    for number in range(2_000):
        open_to_it = r.random()
        offer = r.choice(["control", "offer"])
        bought = r.random() < 0.12 + (0.25 * open_to_it if offer == "offer" else 0.0)
        rows.append({"customer": f"c{number:04}", "offer": offer, "bought": int(bought),
                     "score": round(0.7 * open_to_it + 0.3 * r.random(), 3)})  # fmt: skip
    return rows


def answers() -> list[dict[str, Any]]:
    """600 pairs of answers: people prefer the more structured and the less hedged one; humour does not matter."""
    r, rows = Random(16), []
    for number in range(600):
        votes = {trait: r.choice(["a", "b", "tie"]) for trait in ("structured", "hedged", "humour")}
        pull = 0.9 * _side(votes["structured"]) - 0.5 * _side(votes["hedged"]) + r.gauss(0, 1)
        rows.append({"pair": f"p{number:03}", "subject": r.choice(["code", "cooking", "travel"]),
                     "human": "a" if pull > 0 else "b", **votes})  # fmt: skip
    return rows


def suite() -> list[dict[str, Any]]:
    """A suite of seven phenomena, one of them without a case; the new version breaks negation and mends dates."""
    r, rows = Random(19), []
    shares = {"negation": 12, "dates": 8, "spelling": 8, "names": 8, "quotation": 4, "comparison": 8}
    for phenomenon, templates in shares.items():
        for template in range(templates):
            weak = r.betavariate(1, 9)
            for number in range(12):
                expect = r.choice(["good", "bad"])
                other = "bad" if expect == "good" else "good"
                old = r.random() < (0.22 if phenomenon == "dates" else weak)
                new = r.random() < {"negation": 0.2 + weak, "dates": 0.02}.get(phenomenon, weak / 2) or (
                    old and phenomenon != "dates" and r.random() < 0.8
                )
                again = old if r.random() < 0.98 else not old
                rows.append({"case": f"{phenomenon[:3]}-{template:02}-{number:02}", "phenomenon": phenomenon,
                             "template": f"{phenomenon} {template + 1}", "kind": "mft", "group": "",
                             "origin": r.choices(["templated", "real"], [80, 20])[0], "expect": expect, "known": "",
                             "v41": other if old else expect, "v42": other if new else expect,
                             "v41 again": other if again else expect})  # fmt: skip
    rows += _typos(r)
    for row in r.sample([row for row in rows if row["kind"] == "mft" and row["v41"] != row["expect"]], 6):
        row["known"] = "yes"
    return [*rows, {"case": "", "phenomenon": "coreference"}]


def _typos(r: Random) -> list[dict[str, Any]]:
    """40 real sentences, each with two changes that must not change the answer."""
    rows = []
    for number in range(40):
        said = r.choice(["good", "bad"])
        for change in range(3):
            flips = [change > 0 and r.random() < chance for chance in (0.12, 0.08, 0.12)]
            answers = [("bad" if said == "good" else "good") if flip else said for flip in flips]
            rows.append({"case": f"typ-{number:02}-{change}", "phenomenon": "typing errors", "template": "",
                         "kind": "inv" if change else "", "group": f"sentence {number}", "origin": "real",
                         "expect": "", "known": "", "v41": answers[0], "v42": answers[1],
                         "v41 again": answers[2]})  # fmt: skip
    return rows


def _side(vote: str) -> int:
    return {"a": 1, "b": -1}.get(vote, 0)


def replies() -> list[dict[str, Any]]:
    """2,000 replies of an assistant; a judge read all of them, people 200, and the judge is too kind to one topic."""
    r, rows = Random(18), []
    labelled = set(r.sample(range(2000), 200))
    for number in range(2000):
        topic = r.choices(["billing", "returns", "technical"], [35, 35, 30])[0]
        good = r.random() < {"billing": 0.85, "returns": 0.8, "technical": 0.6}[topic]
        kind = 0.35 if topic == "technical" else 0.12
        judge = int(r.random() < (0.95 if good else kind))
        rows.append({"reply": f"a{number:04}", "topic": topic, "human": int(good) if number in labelled else "",
                     "judge": judge})  # fmt: skip
    return rows


def main() -> None:
    """Write all of them."""
    for make in (essays, feelings, flats, searches, offers, answers, suite, replies):
        rows = make()
        with (FOLDER / f"{make.__name__}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
