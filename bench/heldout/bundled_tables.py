"""Tables of rows in bundles, of which the designs of bench/heldout/bundles.py are made."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.heldout.designs import Random, Table, expit, yes_no

WORDS = np.array(list("abcde"), dtype=object)


def bundled(random: Random, n: int, mean: float, spread: float) -> Any:
    """Which of n bundles each row is of: lognormal sizes, one row at least."""
    sizes = mean * np.exp(spread * random.standard_normal(n) - spread**2 / 2)
    return np.repeat(np.arange(n), np.maximum(1, np.rint(sizes)).astype(int))


def part_of(random: Random, of: Any, share: float) -> Any:
    """The part that each row is of, the same for all of a bundle."""
    return np.where((random.random(int(of.max()) + 1) < share)[of], "few", "most")


def _drawn(random: Random, shares: Any) -> Any:
    """A place for each row of shares."""
    return np.minimum((shares.cumsum(1) < random.random(len(shares))[:, None]).sum(1), shares.shape[1] - 1)


def candidates_answers(random: Random, n: int) -> Table:
    """Two raters of four labels, one to twenty answers of a candidate, who has habits; the second narrows c to b."""
    of = bundled(random, n, 5, 0.6)
    usual = np.array([0.5, 0.28, 0.16, 0.06])
    truth = _drawn(random, random.dirichlet(3 * usual, n)[of])
    hard = random.beta(2, 8, n)[of]
    said = [np.where(random.random(len(of)) < hard, random.choice(4, len(of), p=usual), truth) for _ in range(2)]
    said[1] = np.where((said[1] == 2) & (random.random(len(of)) < 0.25), 1, said[1])
    return {f"r{k}": WORDS[one] for k, one in enumerate(said)} | {"c": of, "g": part_of(random, of, 0.2)}


def in_documents(random: Random, n: int) -> Table:
    """Three raters of five topics; the last is in one document of eight, and there in a third of the items."""
    of = bundled(random, n, 6, 0.7)
    rare = (random.random(n) < 0.125)[of] & (random.random(len(of)) < 0.35)
    truth = np.where(rare, 4, random.choice(4, len(of), p=(0.5, 0.25, 0.15, 0.1)))
    right = random.beta(14, 2, n)[of][:, None]
    said = np.where(random.random((len(of), 3)) < right, truth[:, None], random.choice(4, (len(of), 3)))
    return {f"r{k}": WORDS[said[:, k]] for k in range(3)} | {"c": of}


def two_labels_asked(random: Random, n: int) -> Table:
    """Two raters of three labels; both err where a model is in doubt, and the second calls b what he doubts."""
    doubt = random.beta(1, 4, n)
    truth = random.choice(3, n, p=(0.6, 0.25, 0.15))
    first = np.where(random.random(n) < 0.8 * doubt, random.integers(0, 3, n), truth)
    second = np.where(random.random(n) < 0.5 * doubt, 1, truth)
    return {"r0": WORDS[first], "r1": WORDS[second], "doubt": doubt}


def flagged(random: Random, n: int) -> Table:
    """A finding of one in eight, which two raters see in four cases of five; one sees it where it is not, too."""
    there = random.random(n) < 0.12
    plain = random.beta(4, 1, n)
    first, second = (np.where(there, random.random(n) < plain, random.random(n) < fp) for fp in (0.03, 0.01))
    return {"r0": np.where(first, "y", "n"), "r1": np.where(second, "y", "n")}


def three_of_items(random: Random, n: int) -> Table:
    """Three raters of three labels; in a part of one in five they agree less, and c is a tenth."""
    few = random.random(n) < 0.2
    truth = np.where(few, random.choice(3, n, p=(0.55, 0.35, 0.1)), random.choice(3, n, p=(0.8, 0.15, 0.05)))
    right = np.where(few, 0.82, 0.94)[:, None]
    said = np.where(random.random((n, 3)) < right, truth[:, None], random.integers(0, 3, (n, 3)))
    return {f"r{k}": WORDS[said[:, k]] for k in range(3)} | {"g": np.where(few, "few", "most")}


def grades(random: Random, n: int) -> Table:
    """Five grades of two graders, who are kind to a class together; classes are strong or weak."""
    of = bundled(random, n, 7, 0.5)
    level = 3.2 + 0.8 * random.standard_normal(n)[of] + 0.8 * random.standard_normal(len(of))
    kind = 0.4 * random.standard_normal(n)[of]
    said = [level + k * kind + 0.6 * random.standard_normal(len(of)) for k in (0, 1)]
    table = {f"r{k}": np.clip(np.rint(one), 1, 5) for k, one in enumerate(said)}
    return table | {"c": of, "g": part_of(random, of, 0.18)}


def of_patients(random: Random, n: int) -> Table:
    """Two devices, two to a dozen readings of a patient; the second reads more of some patients, in gamma amounts."""
    of = bundled(random, n, 4, 0.5)
    level = random.gamma(5.0, 4.0, n)[of] + 2 * random.standard_normal(len(of))
    off = (random.gamma(1.5, 1.0, n) - 1.0)[of]
    return {"r0": level + random.standard_normal(len(of)), "r1": level + off + random.standard_t(6, len(of)), "c": of}


def readings(random: Random, n: int) -> Table:
    """The same, one of each, and a part of one in five whose second readings are skewed."""
    few = random.random(n) < 0.2
    level = random.gamma(5.0, 4.0, n)
    second = level + np.where(few, random.gamma(1.2, 1.5, n), 0.8 * random.standard_normal(n))
    return {"r0": level + 0.8 * random.standard_normal(n), "r1": second, "g": np.where(few, "few", "most")}


def tags_in_documents(random: Random, n: int) -> Table:
    """Three raters of six tags, in paragraphs of documents that are rich or poor of them."""
    of = bundled(random, n, 5, 0.6)
    rich = random.gamma(2.0, 0.5, n)[of]
    usual = np.array([0.45, 0.3, 0.2, 0.12, 0.06, 0.03])
    true = random.random((len(of), 6)) < np.clip(usual * rich[:, None], 0, 0.95)
    table: Table = {}
    for k, (keeps, adds) in enumerate(((0.9, 0.02), (0.85, 0.02), (0.65, 0.04))):
        says = np.where(true, random.random((len(of), 6)) < keeps, random.random((len(of), 6)) < adds)
        table[f"r{k}"] = np.array(
            ["|".join(c for c, s in zip("uvwxyz", row, strict=True) if s) or "none" for row in says], dtype=object
        )
    return table | {"c": of, "rich": rich}


def sentences(random: Random, n: int) -> Table:
    """Sentences of documents with spans of two kinds; the second rater misses many in some documents."""
    of = bundled(random, n, 5, 0.7)
    long = np.clip(np.rint(np.exp(2.5 + 0.5 * random.standard_normal(len(of)))), 5, 40).astype(int)
    keeps = random.beta(6, 2, n)[of]
    rows: list[list[str]] = [[], []]
    for words, likely in zip(long, keeps, strict=True):
        starts = np.arange(1, words - 2, 4)
        starts = starts[random.random(len(starts)) < 0.35]
        kinds = random.choice(["A", "B"], len(starts), p=(0.8, 0.2))
        for row, share in zip(rows, (0.93, likely), strict=True):
            marks = ["O"] * int(words)
            for at, kind in zip(starts, kinds, strict=True):
                if random.random() < share:
                    more = 1 + (random.random() < 0.5 * share)
                    marks[at : at + more] = [f"B-{kind}"] + [f"I-{kind}"] * (more - 1)
            row.append(" ".join(marks))
    table = {f"r{k}": np.array(row, dtype=object) for k, row in enumerate(rows)}
    return table | {"c": of, "long": long, "g": part_of(random, of, 0.25)}


def costs_of_users(random: Random, n: int) -> Table:
    """Costs of users, some of whom are dear, in answers of which dear ones are right less often."""
    of = bundled(random, n, 6, 0.8)
    cost = random.gamma(2.0, 1.0, n)[of] * random.gamma(1.2, 0.8, len(of)) + 0.05
    return {"x": cost, "right": (random.random(len(of)) < expit(1.6 - 0.3 * cost)) * 1, "c": of}


def marks_in_documents(random: Random, n: int) -> Table:
    """Marks of 0 to 1 before and after a disturbance, which spoils one document of eight, and others a little."""
    of = bundled(random, n, 4, 0.5)
    first = random.beta(4, 2, len(of))
    lost = np.where(random.random(n) < 0.125, random.beta(2, 3, n), random.beta(1, 30, n))[of]
    return {"x": first, "z": first * (1 - lost) * random.beta(30, 1, len(of)), "c": of}


def kept_in_documents(random: Random, n: int) -> Table:
    """Right and wrong before and after a disturbance, in documents that lose more or less."""
    of = bundled(random, n, 5, 0.5)
    first = random.random(len(of)) < random.beta(8, 2, n)[of]
    after = np.where(first, random.random(len(of)) > random.beta(0.6, 6, n)[of], random.random(len(of)) < 0.12)
    return {"x": first * 1, "z": after * 1, "c": of}


def tries_of_templates(random: Random, n: int) -> Table:
    """Two to six tries of tasks that are made of templates, which nearly always or seldom go well."""
    of = bundled(random, n, 4, 0.4)
    skill = np.where(random.random(n) < 0.7, random.beta(12, 1, n), random.beta(2, 3, n))[of]
    right = (random.random((len(of), 6)) < skill[:, None]) * 1.0
    right[np.arange(6) >= random.integers(2, 7, len(of))[:, None]] = np.nan
    return {f"t{k}": right[:, k] for k in range(6)} | {"c": of}


def lines_of_plants(random: Random, n: int) -> Table:
    """Hours and failures of lines of plants with gamma rates, of two services that a plant makes worse together."""
    of = bundled(random, n, 4, 0.6)
    hours = random.gamma(3.0, 40.0, len(of))
    plant = random.gamma(2.0, 0.5, n)[of]
    own = [random.gamma(4.0, 0.25, n)[of] * plant * rate * hours for rate in (0.012, 0.02)]
    first, second = (random.poisson(one) for one in own)
    return {"h": hours, "f": first, "h2": hours, "f2": second, "any": (first > 2) * 1, "c": of}


def heard_by_teams(random: Random, n: int) -> Table:
    """Ten answers of one to nine people of a team, who like a system together."""
    of = bundled(random, n, 4, 0.5)
    fond = 3.6 + 0.6 * random.standard_normal(n)[of] + 0.5 * random.standard_normal(len(of))
    level = fond[:, None] + 0.8 * random.standard_normal((len(of), 10))
    answers = np.clip(np.rint(np.where(np.arange(10) % 2 == 1, 6 - level, level)), 1, 5)
    return {f"q{k}": answers[:, k] for k in range(10)} | {"c": of}


def at_stations(random: Random, n: int) -> Table:
    """Amounts at stations of unequal length, missed by a factor that a station has in common."""
    of = bundled(random, n, 14, 0.7)
    y = np.exp(2.2 + 0.4 * random.standard_normal(n)[of] + 0.5 * random.standard_normal(len(of)))
    factor = np.exp(0.25 * random.standard_normal(n)[of] + 0.3 * random.laplace(size=len(of)) / 2**0.5)
    return {"y": y, "m": y * factor, "c": of, "g": part_of(random, of, 0.3)}


def forecasts(random: Random, n: int) -> Table:
    """A forecast's nine tenths and its ends, in regions that are underestimated together; skewed quantities."""
    of = bundled(random, n, 6, 0.7)
    wide = random.gamma(4.0, 0.6, len(of)) + 0.3
    level = 30 + 5 * random.standard_normal(len(of))
    y = level + 1.2 * random.standard_normal(n)[of] + wide * (random.gamma(1.5, 1.0, len(of)) - 1.5)
    return {"y": y, "m": level + 1.5 * wide, "lo": level - 1.6 * wide, "hi": level + 2.5 * wide, "wide": wide, "c": of}


def posts(random: Random, n: int) -> Table:
    """Posts of threads, a quarter positive; a thread is heated or not, and scores see a part of that."""
    of = bundled(random, n, 5, 0.8)
    heat = random.standard_normal(n)[of]
    yes = random.random(len(of)) < expit(-1.4 + 0.9 * heat)
    score = expit(np.where(yes, 1.1, -1.2) + 0.4 * heat + random.logistic(0, 0.55, len(of)))
    return {"y": yes_no(yes), "p": np.clip(score, 1e-4, 1 - 1e-4), "c": of, "g": part_of(random, of, 0.2)}


def queries_of_users(random: Random, n: int) -> Table:
    """Queries of users, of ten documents in four grades; a user's queries are easy or hard together."""
    user = bundled(random, n, 4, 0.7)
    hard = random.random(n)[user] < 0.35
    share = np.where(hard, 0.15, 0.35)
    grade = (random.random((len(user), 10)) < share[:, None]) * random.integers(1, 4, (len(user), 10))
    score = np.where(hard, 0.3, 1.0)[:, None] * grade + random.standard_normal((len(user), 10))
    query = np.repeat(np.arange(len(user)), 10)
    return {
        "q": query, "rel": grade.reshape(-1), "m": score.reshape(-1), "c": user[query], "hard": hard[query],
        "g": part_of(random, user, 0.25)[query],
    }  # fmt: skip


def votes(random: Random, n: int) -> Table:
    """Votes on pairs of prompts that lean together; a trait which ties in a quarter, and errs more on long ones."""
    of = bundled(random, n, 5, 0.7)
    long = np.rint(2 + 18 * random.beta(1.5, 2.5, len(of)))
    first = random.random(len(of)) < random.beta(3, 3, n)[of]
    right = random.random(len(of)) < expit(1.6 - 0.1 * long + 0.6 * random.standard_normal(n)[of])
    kind = np.where(first == right, "a", "b").astype(object)
    kind[random.random(len(of)) < 0.25] = "tie"
    table = {"preferred_text": np.where(first, "a", "b"), "kind": kind, "long": long}
    return table | {"c": np.array([f"p{one}" for one in of]), "g": part_of(random, of, 0.25)}


def rated_responses(random: Random, n: int) -> Table:
    """Responses of candidates of six points, four in ten rated twice; scores err by candidate, more on weak ones."""
    of = bundled(random, n, 6, 0.6)
    few = part_of(random, of, 0.22)
    level = 3.5 - 0.4 * (few == "few") + 0.8 * random.standard_normal(n)[of] + 0.6 * random.standard_normal(len(of))
    h1, h2 = (np.clip(np.rint(level + 0.5 * random.standard_normal(len(of))), 1, 6) for _ in range(2))
    again = (random.random(len(of)) < 0.4) | (n >= 20_000)
    wide = np.where(level < 3, 0.55, 0.3)
    machine = level - 0.15 * (few == "few") + 0.3 * random.standard_normal(n)[of]
    return {
        "h1": h1, "h2": np.where(again, h2, np.nan), "e": machine + wide * random.standard_normal(len(of)), "c": of,
        "g": few,
    }  # fmt: skip


def with_a_judge(random: Random, n: int) -> Table:
    """Answers in chats of users, a third labelled by people; a judge who errs more with some users."""
    of = bundled(random, n, 8, 0.7)
    yes = random.random(len(of)) < random.beta(2, 4, n)[of]
    judge = np.where(random.random(len(of)) < random.beta(1, 7, n)[of], ~yes, yes)
    says = np.where(random.random(len(of)) < 0.85, yes, random.random(len(of)) < 0.35)
    seen = (random.random(len(of)) < 1 / 3) | (n >= 20_000)
    words = yes_no(yes).astype(object)
    return {"h": np.where(seen, words, None), "j": yes_no(judge), "m": yes_no(says), "c": of}
