"""Makes the tables of `adjudge demo adequacy`: a service that sorts mail, measured in every way that users see."""

from __future__ import annotations

import csv
from pathlib import Path
from random import Random
from typing import Any

FOLDER = Path("src/adjudge/demo/purpose")
LABELS = ["billing", "complaint", "order", "other"]
# How often each version is right, how much more often it errs on misspelt mail, its median time and its cost.
VERSIONS = {"v1": (0.84, 0.10, 240, 0.9), "v2": (0.90, 0.03, 330, 1.6), "v3": (0.93, 0.02, 410, 2.9)}


def mails() -> list[dict[str, Any]]:
    """600 mails, each as it was written and with typing errors, sorted by three versions."""
    r, rows = Random(21), []
    for number in range(600):
        label = r.choices(LABELS, [30, 20, 35, 15])[0]
        desk = r.choices(["support", "rentals"], [75, 25])[0]
        row: dict[str, Any] = {"mail": f"m{number:03}", "desk": desk, "label": label}
        hard = r.random()
        for name, (right, typing, time, cost) in VERSIONS.items():
            level = right - (0.02 if desk == "rentals" else 0.0)
            row[name] = _said(r, label, (hard + r.random()) / 2, level)
            row[f"{name}_misspelt"] = _said(r, label, (hard + r.random()) / 2, level - typing)
            row[f"{name}_ms"] = round(r.lognormvariate(0, 0.35) * time)
            row[f"{name}_cost"] = round(cost * r.uniform(0.7, 1.3), 3)
        rows.append(row)
    return rows


def _said(r: Random, label: str, hard: float, right: float) -> str:
    """A right label, or another one; the harder the mail, the likelier. Mean of two even numbers: a triangle."""
    share = 2 * hard**2 if hard < 0.5 else 1 - 2 * (1 - hard) ** 2
    return label if share < right else r.choice([one for one in LABELS if one != label])


def probes() -> list[dict[str, Any]]:
    """420 attempts to make the service leak or obey a mail; none works."""
    r = Random(22)
    kinds = ["injection", "other people's mail", "system prompt"]
    return [{"probe": f"p{number:03}", "kind": r.choice(kinds), "failed": 0} for number in range(420)]


def cases() -> list[dict[str, Any]]:
    """600 cases of the specification made from 60 templates; one template is handled wrongly now and then."""
    r = Random(23)
    return [
        {
            "case": f"c{number:03}",
            "template": f"t{number % 60:02}",
            "failed": int(number % 60 == 7 and r.random() < 0.4),
        }
        for number in range(600)
    ]


def invalid() -> list[dict[str, Any]]:
    """260 mails that are no mails: empty, binary, endless; almost all are refused as they should be."""
    r = Random(24)
    kinds = ["empty", "binary", "endless", "not a language"]
    return [
        {"input": f"x{number:03}", "kind": r.choice(kinds), "handled": int(r.random() < 0.985)} for number in range(260)
    ]


def watch() -> list[dict[str, Any]]:
    """Forty weeks in service, with the hours it ran and the times it failed."""
    r = Random(25)
    return [{"week": week, "hours": 168, "failures": int(r.random() < 0.28)} for week in range(1, 41)]


def repeats() -> list[dict[str, Any]]:
    """120 mails, each sorted five times."""
    r, rows = Random(26), []
    for number in range(120):
        steady = r.random() < 0.95
        for attempt in range(5):
            rows.append(
                {"mail": f"m{number:03}", "attempt": attempt, "right": int(r.random() < (0.995 if steady else 0.4))}
            )
    return rows


def survey() -> list[dict[str, Any]]:
    """36 people of the desk on ten statements, the time a task took them, and whether they finished it."""
    r, rows = Random(27), []
    for number in range(36):
        liking = r.gauss(1.1, 0.7)
        row: dict[str, Any] = {"person": f"u{number:02}"}
        for question in range(1, 11):
            said = 3 + (liking if question % 2 else -liking) + r.gauss(0, 0.8)
            row[f"q{question}"] = min(5, max(1, round(said)))
        row["seconds"] = round(r.lognormvariate(3.6, 0.4))
        row["finished"] = int(r.random() < 0.97)
        rows.append(row)
    rows[4]["q7"] = ""
    return rows


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    for make in (mails, probes, cases, invalid, watch, repeats, survey):
        rows = make()
        with (FOLDER / f"{make.__name__}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
