"""RSMTool's own figures of a table of scores, without reading or reports: run by a Python that has rsmtool.

    python rsmtool_analyses.py scores.csv

Prints one line of JSON: the processor seconds of its metrics and of its fairness regressions, and some figures.
"""

import json
import sys
import time

import numpy as np
import pandas as pd
from rsmtool.analyzer import Analyzer
from rsmtool.configuration_parser import Configuration
from rsmtool.container import DataContainer
from rsmtool.fairness_utils import get_fairness_analyses

SLICES = ["l1", "gender"]


def main(path: str) -> None:
    table = pd.read_csv(path, dtype=dict.fromkeys(SLICES, str), keep_default_na=True)
    scores = pd.DataFrame({"spkitemid": table["id"].astype(str), "sc1": table["h1"], "raw": table["engine"]})
    scores["raw_trim"] = scores["raw"].clip(1 - 0.4998, 6 + 0.4998)
    scores["raw_trim_round"] = np.rint(scores["raw_trim"]).astype(int)
    frames = {
        "pred_test": scores,
        "test_metadata": table[SLICES].assign(spkitemid=scores["spkitemid"]),
        "test_human_scores": pd.DataFrame({"spkitemid": scores["spkitemid"], "sc1": table["h1"], "sc2": table["h2"]}),
    }
    container = DataContainer([{"name": name, "frame": frame} for name, frame in frames.items()])
    settings = Configuration(
        {
            "experiment_id": "bench",
            "predictions_file": path,
            "system_score_column": "engine",
            "trim_min": 1,
            "trim_max": 6,
            "second_human_score_column": "h2",
            "subgroups": SLICES,
        },
        context="rsmeval",
    )
    settings["use_scaled_predictions"] = False
    start = time.process_time()
    _, found = Analyzer().run_prediction_analyses(container, settings)
    metrics = time.process_time() - start
    both = scores.merge(frames["test_metadata"], on="spkitemid")
    start = time.process_time()
    for name in SLICES:
        get_fairness_analyses(both.copy(), name, "raw_trim")
    fairness = time.process_time() - start
    print(
        json.dumps(
            {
                "metrics": metrics,
                "fairness": fairness,
                "qwk": float(found["eval"].loc["raw_trim", "wtkappa"]),
                "prmse": float(found["true_score_eval"].loc["raw_trim", "PRMSE true"]),
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])
