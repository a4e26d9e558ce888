"""Writes the part of docs/validation/decisions.md that is about gates, from the figures in gates.csv."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parents[1] / "docs" / "validation"
BEGIN, END = "<!-- gates: written by python -m bench.gates -->", "<!-- end of gates -->"
TITLE = "# How often decisions are wrong\n\nWhat is promised of verdicts and tests, and what simulations found.\n"
LEAD = """## Gates: how often a violated requirement passes

A requirement is violated by any truth beyond its bound; it passes most often with the truth exactly at the
bound, which is what is simulated here. The promise is 5 % for exact methods and at most 6 % for the others.
Each row is a design, each column a number of units (rows, queries or clusters); a figure of `python -m
bench.gates`, which takes about ten minutes. {samples} `*`: above 6 % by more than two standard errors. Shares
are summed over all that can be seen. Some methods were chosen on these very designs: the end of this part says
which; the others were tried once.
"""
NOTES = """
What was changed because of these figures, and so is judged on designs it was chosen on:

- Shares of clustered or weighted rows: Korn and Graubard's interval alone let 10 % pass with 20 clusters of 20
  that are much alike, and 7 % where wrong rows weigh more. Two imagined rows in the variance (V + 2 / (G n), G
  units of n rows) bring that to the figures above.
- Differences in clusters: the guard of single rows let 7 % pass where whole clusters break; imagined rows are
  now worth as little as a row of such a cluster is (the design effect of each system alone).
- Means of values in a known range (NDCG): what both Student's limits with the guard and Wilson's with Student's
  quantile allow.

- RMSE, MAE, R² and other means of losses: the interval that is shown let 18, 12 and 9 % pass (30, 50, 100 rows) where
  one error in twenty is fivefold. A gate's limit is at least what unseen rows would make of the mean: 1 − 0.05^(1/n)
  of all, about 3 in n, each twice as far off as the largest seen, or 6.5 times as far as errors usually are (the mean
  without the √n largest), whichever is more; n is rows in effect: Kish's with weights, and with clusters the rows that
  their design effect leaves. So the allowance follows what rows show: of errors that look normal it is modest, of
  long tails it grows with the largest. Both factors were chosen by `python -m bench.gate_errors` on twelve designs
  ([gate_errors.csv](gate_errors.csv): normal, t, Laplace, lognormal, Weibull, unequal spreads, uniform, one in twenty
  and one in fifty fivefold, one in ten fourfold). There the worst, one in twenty fivefold with 100 rows,
  passed in 5.1 % (± 0.3) of 6,000 tables; with six times as far, as it was before, in 5.7 %. Those marked *held out*
  chose nothing, nor did clusters and weights: of rows by themselves the worst passed in 3.5 %, of 15 clusters in 6.0 %
  (± 2.6) of 83 tables, and in 4.2 % (± 0.8) of 600 others.
  What it costs, as the median limit over the measured RMSE of normal errors:

  | rows | 30 | 50 | 100 | 200 | 300 | 1,000 |
  |:--|--:|--:|--:|--:|--:|--:|
  | a chi-square limit, which takes them for normal | 1.27 | 1.20 | 1.13 | 1.09 | 1.07 | 1.04 |
  | the gate | 1.84 | 1.60 | 1.37 | 1.23 | 1.17 | 1.07 |
  | with fourteen times as usual, as it once was | 3.26 | 2.71 | 2.16 | 1.75 | 1.56 | 1.22 |

  Of 30 rows no rule does much better: a fifth of tables show no error of one in twenty, and many more a small one, and
  all of these look normal. A limit of 1.65 times the measured value lets 9 % of that design pass.
- Differences of unbounded means (RMSE, MAE): two imagined units, as far out as the largest, which is taken to hold
  1/√n of all squares, were chosen on normal errors and on t errors with 5 degrees, with 30 to 300 rows, this design
  among them; Laplace errors were not tried.

Where the promise does not hold: *errors that few rows show*, in the tables of that name, of which up to 42 % pass. Of
100 rows, 37 % hold none of what is one in a hundred, and 3 % none of what is one in thirty; of 30 rows 36 % and 21 %
hold none of what is one in thirty and one in twenty. If such errors are tenfold, the RMSE is 1.4 to 2.4 times that of
the others, and no rule that reads the rows can tell such a table from one of normal errors. Others hold one or two of
them, of a middling size: one in thirty tenfold passes in 13 % of tables of 100 rows, more than the 3 % that show none.
The former limit, fourteen times as far as usual, held all but one of these eight designs, some of which had chosen it
and four of which were held out from that choice, and refused nearly everybody else: that price is in the list above.
Who fears such errors asks for more rows (from 1,000 on every line is at most 2 %), or for a percentile beside the RMSE,
whose limits hold whatever the errors.

Not simulated: slices of `every` by themselves (each is one of the above), relative margins (the same draws as
differences), means with a judge, and operating points whose threshold is chosen on the same rows, which
flatters.
"""


def write_page() -> None:
    """The page with its part about gates made anew; other parts stay as they are."""
    rows = list(csv.DictReader((HERE / "gates.csv").open(encoding="utf-8")))
    grouped: dict[str, dict[tuple[str, str], dict[int, tuple[float, int]]]] = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        # The number of rows stands in a column: it need not stand in the design as well.
        design = re.sub(r"^\d+ and \d+, ", "", row["design"])
        design = re.sub(r"^\d+ of (\d+), ", r"\1 rows each, ", design)
        cell = (float(row["false_pass"]), int(row["samples"]))
        grouped[row["what"]][design, row["method"]][int(row["n"])] = cell
    most = max(int(row["samples"]) for row in rows)
    least = min(int(row["samples"]) for row in rows if int(row["samples"]))
    samples = f"{least:,} to {most:,} tables each: standard errors of 0.1 to 3 points."
    blocks = [LEAD.format(samples=samples), *(_table(what, designs) for what, designs in grouped.items()), NOTES]
    part = "\n".join([BEGIN, "", *blocks, END])
    path = HERE / "decisions.md"
    text = path.read_text(encoding="utf-8") if path.exists() else TITLE
    if BEGIN in text:
        before, _, rest = text.partition(BEGIN)
        text = before + part + rest.partition(END)[2]
    else:
        text = f"{text.rstrip()}\n\n{part}\n"
    path.write_text(text, encoding="utf-8")


def _table(what: str, designs: dict[tuple[str, str], dict[int, tuple[float, int]]]) -> str:
    sizes = sorted({n for cells in designs.values() for n in cells})
    head = f"| {what} | method | " + " | ".join(f"{n:,}" for n in sizes) + " |"
    ruler = "|:--|:--|" + "--:|" * len(sizes)
    lines = [head, ruler]
    for (design, method), cells in designs.items():
        shown = [_cell(*cells[n]) if n in cells else "" for n in sizes]
        lines.append(f"| {design} | {method} | " + " | ".join(shown) + " |")
    return "\n".join(lines) + "\n"


def _cell(rate: float, samples: int) -> str:
    error = (max(rate * (1 - rate), 1e-4) / samples) ** 0.5 if samples else 0.0
    return f"{100 * rate:.1f} %" + ("*" if rate - 2 * error > 0.06 else "")


if __name__ == "__main__":
    write_page()
