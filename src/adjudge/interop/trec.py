"""Files of TREC: judgements (qrels) and runs, evaluated as a ranking; several runs are several systems."""

from __future__ import annotations

import os
from collections.abc import Sequence

from adjudge.data.formats.trec import Qrels, Run, read_qrels, read_run, trec_table
from adjudge.evaluation.declaration import Given
from adjudge.report.evaluation import Evaluation
from adjudge.report.evaluation import evaluate as evaluate_table

__all__ = ["Qrels", "Run", "evaluate", "read_qrels", "read_run", "trec_table"]

File = str | os.PathLike[str]


def evaluate(qrels: File, runs: File | Sequence[File], **settings: object) -> Evaluation:
    """How good runs are, by what was judged; `settings` are those of `adjudge.ranking`.

    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "qrels").write_text("q1 0 a 1\\nq1 0 b 0\\nq2 0 a 1\\n")
    >>> _ = (folder / "run").write_text("q1 Q0 b 1 2.0 mine\\nq1 Q0 a 2 1.0 mine\\n")
    >>> evaluate(folder / "qrels", folder / "run")["mean_reciprocal_rank"].value
    0.25
    """
    given: Given = {"runs": [runs] if isinstance(runs, (str, os.PathLike)) else runs, **settings}
    return evaluate_table(qrels, "ranking", **given)
