"""How often is the answer yes? A whole task: reading, statistic, metric, study, declaration."""

from dataclasses import dataclass, replace

import numpy as np

from adjudge.data.cleaning import LeftOut, case_weights, check_columns, facts_of, levels_of_rows, text_column
from adjudge.data.facts import check_rows
from adjudge.data.keys import keys_of_rows
from adjudge.data.reading import BLOCK_ROWS, Block
from adjudge.data.systems import slices_of
from adjudge.engines.base import Tally
from adjudge.evaluation.declaration import Basis, Role, Task, View
from adjudge.evaluation.panels import BarPanel, Panels
from adjudge.metrics.base import Direction, Share, metric
from adjudge.statistics.base import Statistic, ratio
from adjudge.statistics.cells import draw_cells, generator


@dataclass(frozen=True)
class Answers:
    """Whether each row says yes."""

    yes: np.ndarray

    def of_rows(self, rows):
        return Answers(self.yes[rows])


@dataclass(frozen=True)
class Yeses(Statistic):
    """What rows weigh that say no, and yes."""

    counts: np.ndarray
    squares: float
    rows: int

    @classmethod
    def summing(cls, judgements, pilot=None):
        def sums(weights):
            counts, squares = weights.sums_by(judgements.yes.astype(np.int64), 2)
            return cls(counts, float(squares.sum()), weights.rows)

        return sums

    def __add__(self, other):
        return Yeses(self.counts + other.counts, self.squares + other.squares, self.rows + other.rows)

    def scaled(self, unit):
        return replace(self, counts=self.counts * unit, squares=self.squares * unit**2)

    @property
    def total(self):
        return self.counts.sum(-1)

    @property
    def effective_rows(self):
        return ratio(self.total**2, self.squares)

    def resampled(self, kind, replicates, seed, stream):
        return replace(self, counts=draw_cells(self.counts, kind, replicates, generator(seed, stream)))

    def tile(self, start, stop):
        return replace(self, counts=self.counts[start:stop])


@metric(
    over=Yeses,
    label="Share of yes",
    direction=Direction.HIGHER,
    range=(0.0, 1.0),
    best=1.0,
    undefined="there are no rows",
    intervals=("wilson", "bootstrap"),
    share=lambda yeses: Share(yeses.counts[..., 1], yeses.total, yeses.squares),
    references=["this test"],
)
def yes_share(yeses):
    """Share of rows that say yes.

    Undefined when there are no rows.
    """
    return ratio(yeses.counts[..., 1], yeses.total)


@dataclass(frozen=True)
class AnswerReading:
    """Which columns hold the answer, the weight and the slices."""

    answer: str
    weight: str | None
    slices: tuple

    block_rows = BLOCK_ROWS
    together = None

    def texts(self):
        return tuple(dict.fromkeys([self.answer, *(name for names in self.slices for name in names)]))

    def numbers(self):
        return () if self.weight is None else (self.weight,)

    def settled(self, facts):
        return self

    def read(self, batch, first_row):
        left_out = LeftOut.none_of(batch.rows)
        for name in (self.answer, *self.numbers()):
            left_out.drop_unusable(batch, name, "answer")
        rows, said = left_out.rows, text_column(batch, self.answer)
        levels = tuple(levels_of_rows(batch, columns, rows) for columns in self.slices)
        weight = case_weights(batch, self.weight, rows)
        slices = tuple(zip(self.slices, levels, strict=True))
        facts = facts_of(batch, left_out, slices=slices, weight=weight)
        yes = np.array([label == "yes" for label in said.labels], dtype=bool)[said.codes[rows]]
        keys = keys_of_rows(first_row, first_row + batch.rows)[rows]
        return Block(len(rows), facts, {"answers": Answers(yes)}, weight, keys, levels)


@dataclass(frozen=True)
class AnswerStudy:
    """One request."""

    reading: AnswerReading
    unit = "row"
    clustered = False

    @classmethod
    def of(cls, columns, given):
        reading = AnswerReading(given["answer"], given.get("weight"), slices_of(given.get("slices"), columns))
        crossed = (("slices", name) for names in reading.slices for name in names)
        check_columns([("answer", reading.answer), *crossed], columns)
        return cls(reading)

    @property
    def slices(self):
        return self.reading.slices

    def allows(self, metric):
        return "" if metric.over is Yeses else "it is not about yes and no"

    def offered(self, task):
        return task.metrics

    def tallies(self, request, first):
        return (Tally("answers", Yeses),)

    def judge(self, request, collected):
        check_rows(collected.facts, request.source.name, "Some rows must have an answer")

    def checks(self, request, collected):
        return ()

    def unit_weight(self, facts):
        return 1.0

    def views(self, request, collected):
        tally = next(tally for _, tally in collected.sums)
        return [View("answers", (Basis(tally),), request.candidates)]

    def columns(self):
        return {"answer": self.reading.answer, "weight": self.reading.weight}

    def used_rows(self, facts):
        return facts.used

    def categories(self, collected):
        return ("no", "yes")

    def choices(self, request, collected):
        return {}

    def finished(self, page):
        counts = page.collected.find("answers", Yeses).counts
        return page.table, Panels(
            bars=[BarPanel("Answers", "", ["no", "yes"], ["all"], [(counts / counts.sum()).tolist()])]
        )


TASK = Task(
    name="yeses",
    question="How often is the answer yes?",
    roles=(
        Role("answer", "column of answers", required=True),
        Role("weight", "column of case weights"),
        Role("slices", "columns to evaluate level by level", many=True),
    ),
    metrics=(yes_share,),
    study=AnswerStudy.of,
    headline=("yes_share",),
)
