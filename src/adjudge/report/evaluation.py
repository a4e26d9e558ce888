"""An evaluation in the hand: an outcome that can be asked, shown, saved and loaded again."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.diagnosis.checks.check import Check
from adjudge.errors import InputError, SettingError, did_you_mean, listed, quoted
from adjudge.evaluation.asking.arguments import shown
from adjudge.evaluation.asking.border import bordered
from adjudge.evaluation.asking.command import command_of
from adjudge.evaluation.asking.other_sheets import naming_sheets
from adjudge.evaluation.asking.settings import Progress
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.request import Request, request, tabled
from adjudge.evaluation.results import ResultTable, StateKey
from adjudge.evaluation.take_away.exports import AnyFrame, to_arrow, to_csv, to_json, write_table
from adjudge.evaluation.take_away.kept_items import KeptItems, kept_items
from adjudge.evaluation.take_away.panel_tables import flags_of, panel_tables
from adjudge.evaluation.take_away.saving import loaded, saved
from adjudge.evaluation.take_away.tables import TakenTable
from adjudge.evaluation.take_away.writing import write_whole
from adjudge.evaluation.walk import walk
from adjudge.inference.intervals.interval import Estimate
from adjudge.report.answers.first_screen import states_of
from adjudge.report.summary import Summary
from adjudge.tasks import task_named, task_names

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, repr=False)
class StatedTable(ResultTable):
    """Rows that can be chosen by the state of a claim about them, too: `where(state="beyond")`."""

    outcome: Outcome = field(compare=False)

    def known_states(self) -> Mapping[StateKey, str]:
        """The state of every claim of the first screen."""
        return states_of(self.outcome, task_named(self.outcome.task))


@dataclass(frozen=True)
class Evaluation(AnyFrame):
    """What `adjudge.evaluate` returns."""

    outcome: Outcome
    request: Request | None = field(default=None, repr=False, compare=False)  # the table, to be read again; not saved
    kept: KeptItems | None = field(default=None, repr=False, compare=False)  # the rows, where they were saved with it

    @property
    def items(self) -> TakenTable:
        """A table of every row, item, query or pair: what was said of it, its cost, and how much it moves the result.

        It is made when it is used, from the table that was evaluated, which is read again.

        >>> table = {"label": ["a", "a", "b"], "guess": ["a", "b", "b"]}
        >>> evaluate(table, reference="label", prediction="guess").items.records()[1]["right"]
        False
        """
        return self.taken("items")

    @property
    def queue(self) -> TakenTable:
        """A table of the items to adjudicate, the most uncertain first."""
        return self.taken("queue")

    @property
    def consensus(self) -> TakenTable:
        """A table of each item's probable label, with probabilities and the model that was used."""
        return self.taken("consensus")

    @property
    def flags(self) -> TakenTable:
        """A table of what lies beyond a limit, and of what looks like a mistake in the table."""
        return flags_of(self.outcome, task_named(self.outcome.task).flags)

    @property
    def panels(self) -> dict[str, TakenTable]:
        """The numbers behind every picture, by its title, as tables.

        >>> table = {"label": ["a", "a", "b"], "guess": ["a", "b", "b"]}
        >>> evaluate(table, reference="label", prediction="guess").panels["Confusion matrix of guess"].records()[0]
        {'reference': 'a', 'prediction': 'a', 'weight': 1.0}
        """
        return panel_tables(self.outcome.panels)

    def taken(self, name: str) -> TakenTable:
        """A table to take away, by the name of its option: see the command's --help."""
        offered = {one.name: one for one in task_named(self.outcome.task).takes_away}
        if not isinstance(name, str) or name not in (*offered, "flags"):
            known = listed([*offered, "flags"])
            raise SettingError(
                f"A table to take away must be one that {self.outcome.task} offers, {known}, not {quoted(name)}."
            )
        if name == "flags":
            return self.flags
        if (request := self.request) is None:
            raise InputError(
                f"`{name}` must be made from the table, which a saved evaluation does not hold. Evaluate it again."
            )
        return TakenTable(name, offered[name].help, lambda: offered[name].parts(request))

    @property
    def table(self) -> ResultTable:
        """Every estimate by every method, one row each."""
        return StatedTable(self.outcome.table.rows, self.outcome)

    @property
    def left_out(self) -> dict[str, int]:
        """How many rows were left out, by reason."""
        return dict(self.outcome.data.left_out)

    @property
    def checks(self) -> list[Check]:
        """What looks like a mistake in the table, the gravest first."""
        return list(self.outcome.checks)

    def __getitem__(self, metric: str) -> Estimate:
        """The estimate of a metric over all rows, by its default method."""
        return self.get(metric)

    def get(self, metric: str, **choices: str) -> Estimate:
        """One estimate; `system`, `slice`, `category` and `method` choose among several.

        Where all raters are one system, what is not said to be of two of them is of all.
        """
        systems = self.outcome.systems
        named = isinstance(metric, str) and any(row.metric == metric and row.system in systems for row in self.table)
        if len(systems) == 1 and named:
            choices = {"system": systems[0], **choices}
        return self.table.find(metric, **choices).as_estimate()

    def slice(self, column: str) -> ResultTable:
        """The estimates of each level of a slice column."""
        known = self.outcome.slice_columns
        if not isinstance(column, str) or column not in known:
            raise SettingError(
                f"`slice` must be one that was evaluated, not {quoted(column)}. {did_you_mean(column, known)}"
            )
        return self.table.where(lambda row: row.slice.startswith(f"{column} = "))

    @property
    def summary(self) -> Summary:
        """The facts that every renderer shows."""
        from adjudge.report.summarize import summarize

        return summarize(self.outcome, task_named(self.outcome.task))

    def content(self, form: str) -> str | bytes:
        """What a file of some form holds: html, json, csv, safe_csv, markdown or save."""
        from adjudge.report import html, markdown

        forms: dict[str, Callable[[], str | bytes]] = {
            "html": lambda: html.render(self.summary),
            "json": lambda: to_json(self.outcome),
            "csv": lambda: to_csv(self.table),
            "safe_csv": lambda: to_csv(self.table, safe=True),
            "markdown": lambda: markdown.render(self.summary),
            "save": lambda: saved(self.outcome),
            "save_with_items": lambda: saved(self.outcome, self._items_to_keep()),
        }
        if not isinstance(form, str) or form not in forms:
            raise SettingError(f"`form` must be one of {listed(forms)}, not {shown(form)}.")
        return forms[form]()

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write one self-contained HTML page."""
        return write_whole(path, self.content("html"))

    def write_markdown(self, path: str | os.PathLike[str]) -> Path:
        """Write the result as Markdown tables."""
        return write_whole(path, self.content("markdown"))

    @bordered
    def save(self, path: str | os.PathLike[str], *, with_items: bool = False) -> Path:
        """Write everything to a file that `adjudge.load` reads back.

        With `with_items` the rows go with it, ids, references and answers: then `adjudge.compare` can pair it with
        another that was saved so.
        """
        return write_whole(path, self.content("save_with_items" if with_items else "save"))

    def _items_to_keep(self) -> KeptItems:
        if self.kept is not None:
            return self.kept
        if self.request is None:
            raise InputError(
                "`with_items` must have the table, which this saved evaluation does not hold. Evaluate it again."
            )
        return kept_items(self.request)

    def write_json(self, path: str | os.PathLike[str]) -> Path:
        """Write the results for programs."""
        return write_whole(path, self.content("json"))

    @bordered
    def write_table_as_csv(self, path: str | os.PathLike[str], *, safe: bool = False) -> Path:
        """Write the table as comma-separated text, whatever the file is called.

        With `safe`, text that begins like a formula of a spreadsheet has an apostrophe before it.
        """
        return write_whole(path, self.content("safe_csv" if safe else "csv"))

    def write_table(self, path: str | os.PathLike[str]) -> Path:
        """Write the table as .csv, .tex or .parquet."""
        return write_table(self.table, path)

    def to_arrow(self) -> pa.Table:
        """The table as a pyarrow Table."""
        return to_arrow(self.table)

    @bordered
    def show(self, *, everything: bool = False) -> None:
        """Print the result to the terminal: what a person reads first, or everything."""
        from adjudge.report import terminal

        terminal.render(self.summary, everything=everything)

    def __repr__(self) -> str:
        from adjudge.report.card import as_text

        return as_text(self.summary.answer)

    def _repr_html_(self) -> str:
        from adjudge.report.card import as_html

        return as_html(self.summary.answer)


def evaluate(
    table: object,
    answers: object = None,
    *,
    task: str = "classification",
    labels: Any = None,  # of two arrays, their names; otherwise a setting of the task, checked there
    progress: Progress | None = None,
    **given: object,
) -> Evaluation:
    """Evaluate a table of judgements: every metric of the task, each with its interval.

    `table` is a path, a data frame or a dict of arrays. Columns are given by role: `reference`, and
    `prediction` and/or `score` (one column, or one for each category as {category: column}), or
    `systems` for several, and optionally `weight`, `slices`, `cluster` and `id`. `positive` names the
    label a lone score speaks of. `metrics`, `threshold`, `level`, `replicates`, `seed`, `bootstrap`
    ("percentile", "bca", "poisson", "bayesian") and `engine` ("auto", "memory", "stream") are settings; `missing`,
    `decimal` and `delimiter` say how values are written, `ok` names checks of the data to silence.

    The second argument may be the task's name. Two arrays stand for a table of two columns: what is true, and what was
    answered. Answers with a column for each label are scores, and `labels` names their columns; one column of scores
    needs `positive`, the label it speaks of.

    >>> table = {"label": ["a", "a", "b", "b"], "guess": ["a", "b", "b", "b"]}
    >>> evaluation = evaluate(table, reference="label", prediction="guess")
    >>> evaluation["accuracy"].value
    0.75
    >>> evaluate(["a", "a", "b", "b"], ["a", "b", "b", "b"])["accuracy"].value
    0.75
    """
    if isinstance(answers, str):
        task, answers = answers, None
    if answers is not None:
        table, given = tabled(table, answers, labels, given)
    elif labels is not None:  # a setting of the task
        given = given | {"labels": labels}
    declared = task_named(task)
    if progress is not None and not callable(progress):
        raise SettingError(f"`progress` must be a function of three arguments, not {shown(progress)}. Leave it out.")
    with naming_sheets(table):
        checked = request(declared, table, **given)
    outcome = walk(checked) if progress is None else walk(checked, progress)
    return Evaluation(outcome.made_by(command_of(declared, table, given)), checked)


def load(path: str | os.PathLike[str]) -> Evaluation:
    """Read an evaluation that was saved."""
    outcome, kept = loaded(path)
    if outcome.task not in task_names():
        raise InputError(
            f"{quoted(Path(path).name)} must hold one of the tasks {listed(task_names())}, but it holds "
            f"{quoted(outcome.task)}. Was it saved by a newer adjudge?"
        )
    evaluation = Evaluation(outcome, kept=kept)
    try:
        for form in ("html", "markdown"):
            evaluation.content(form)
    except Exception as error:  # whatever a renderer stumbles over
        raise InputError(
            f"{quoted(Path(path).name)} must be a whole saved evaluation, but its parts do not fit together. "
            "Evaluate the table again."
        ) from error
    return evaluation
