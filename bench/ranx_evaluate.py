"""ranx's own figures of lists, without preparing them: run by a Python that has ranx.

    python ranx_evaluate.py items.npz

Prints one line of JSON: the processor seconds of its metrics once compiled, and some figures.
"""

import json
import sys
import time

import numpy as np
from ranx import Qrels, Run, evaluate

NAMES = ("ndcg_burges", "mrr", "map", "precision", "recall", "hit_rate")


def main(path: str) -> None:
    """Dictionaries first, then the metrics twice: to compile, and to measure."""
    found = np.load(path)
    size = int(found["items"])
    documents = [f"d{place}" for place in range(size)]

    def lists(name: str, kind: type) -> dict[str, dict[str, float]]:
        rows = found[name].reshape(-1, size).astype(kind).tolist()
        return {f"q{place}": dict(zip(documents, row, strict=True)) for place, row in enumerate(rows)}

    qrels, run = Qrels(lists("relevance", int)), Run(lists("score", float))
    names = [f"{name}@{at}" for at in found["cutoffs"].tolist() for name in NAMES]
    seconds = []
    for _ in range(3):
        start = time.process_time()
        values = evaluate(qrels, run, names, make_comparable=False)
        seconds.append(time.process_time() - start)
    print(json.dumps({"seconds": min(seconds[1:]), **{name: float(value) for name, value in values.items()}}))


main(sys.argv[1])
