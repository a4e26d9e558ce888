"""What is summed and measured of votes: every annotator against every column."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from adjudge.data.judgements.votes import KINDS
from adjudge.data.reading import Block
from adjudge.data.systems import slices_of
from adjudge.data.table_facts import Pair
from adjudge.diagnosis.checks.answers import no_votes, one_place, swapped_votes, vote_checks
from adjudge.diagnosis.checks.check import Check
from adjudge.diagnosis.checks.columns import first_rows
from adjudge.diagnosis.checks.misplaced import same_texts
from adjudge.diagnosis.checks.models import model_checks
from adjudge.diagnosis.checks.repeated_pairs import shown_again
from adjudge.engines.base import WHOLE, WHOLE_ONLY, Collected, Tally
from adjudge.errors import InputError, SettingError, check_choice, noted, quoted
from adjudge.evaluation.cubes.keys import CellKeys, row_keys
from adjudge.evaluation.declaration import Basis, Given, Page, UsualStudy, View, tallies_of
from adjudge.evaluation.measuring.rows import Measured
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.request import Request
from adjudge.evaluation.results import ResultTable, Row
from adjudge.metrics import answer_length, preference_strength, prefers_first, prefers_longer
from adjudge.metrics.base import Metric
from adjudge.statistics.preferences.choice_sums import CHOSE, ChoiceSums
from adjudge.statistics.preferences.pair_units import PairUnits
from adjudge.statistics.preferences.votes import VoteTable
from adjudge.tasks.preference.explanations import chance_warning
from adjudge.tasks.preference.judges import Elsewhere
from adjudge.tasks.preference.panels import preference_found
from adjudge.tasks.preference.ranking import games_of
from adjudge.tasks.preference.reading import CHOICES, LONGER, MODEL, PAIRS, RANDOM, VoteReading, is_computed, view_name

RATINGS = ("bradley_terry", "elo")
ELO = RATINGS[1]
# Not counted in a cube: files of the same pairs are one table already; texts would tell pairs apart, and their lengths.
NOT_COUNTED = ("merge", "split", "text_a", "text_b", "examples", "prompt")
OF_LENGTHS = (prefers_longer.name, answer_length.name)
MOST_REASONS = 3  # that a refusal tells
NO_CHOICE = "The reference must choose an answer in some pairs"


@dataclass(frozen=True)
class PreferenceStudy(UsualStudy):
    """One request: whose votes are read, and what the file says of them."""

    reading: VoteReading
    groups: Mapping[str, str] = field(default_factory=dict)  # what an annotator is: trait, person …
    labels: Mapping[str, str] = field(default_factory=dict)  # a judge's column, and a person's of the same trait
    notes: Mapping[str, str] = field(default_factory=dict)
    examples: int = 0
    rating: str = "bradley_terry"
    order: str | None = None  # of the answers of a pair: RANDOM where it was drawn
    elsewhere: Mapping[str, Elsewhere] = field(default_factory=dict)  # how judges err on other pairs
    swapped: Mapping[str, str] = field(default_factory=dict)  # an annotator's column, and that of the other order
    single_votes: Mapping[str, str] = field(default_factory=dict)  # by role, where a row was one vote

    @classmethod
    def of(cls, columns: Sequence[str], given: Given) -> PreferenceStudy:
        """The roles and settings, checked."""
        reference, models = given.get("reference"), tuple(given.get("models") or ())
        against = tuple(given.get("reference_models") or ())
        measured = (*([] if reference is None else [reference]), *(f"{MODEL}{name}" for name in models))
        annotators = tuple(dict.fromkeys(given["annotators"]))
        if not set(annotators) - set(measured[:1]):
            raise SettingError(
                "`annotators` must include someone besides the reference, but nobody else votes. Name columns of votes."
            )
        people = [name for name, group in given["groups"].items() if group == "person"]
        prompt, examples = given.get("prompt"), given.get("examples") or 0
        if examples < 0:
            raise SettingError(f"`examples` must be 0 or a number of pairs, not {examples}.")
        judges = [*given["labels"], *given["elsewhere"], *given["swapped"]]
        beside = [*given["labels"].values(), *given["swapped"].values(), *people]
        reading = VoteReading(
            columns=measured,
            annotators=tuple(dict.fromkeys([*annotators, *judges])),
            people=tuple(dict.fromkeys(beside)),
            prompt=prompt,
            text_a=given.get("text_a"),
            text_b=given.get("text_b"),
            model_a=given.get("model_a"),
            model_b=given.get("model_b"),
            against=against,
            show_texts=examples > 0,
            weight=given.get("weight"),
            cluster=prompt,
            id=given.get("id"),
            slices=slices_of(given["split"], columns),
        )
        rating = given.get("rating") or RATINGS[0]
        check_choice("rating", rating, RATINGS)
        order = given.get("order")
        if order not in (None, RANDOM):
            raise SettingError(f'`order` must be "{RANDOM}", or be left out, not {quoted(order)}.')
        facts = (given["groups"], given["labels"], given["notes"])
        more = (given["elsewhere"], given["swapped"], given["single_votes"])
        return cls(reading.checked(columns), *facts, examples, rating, order, *more)

    @property
    def unit(self) -> str:
        """What is drawn."""
        return "pair" if self.reading.cluster is None else "prompt"

    @property
    def clustered(self) -> bool:
        """Closed forms know how much the pairs of a prompt have in common."""
        return False

    def allows(self, metric: Metric) -> str:
        """Why a metric cannot be measured."""
        return "" if metric.over in (VoteTable, ChoiceSums, PairUnits) else "it is not about votes"

    def names(self) -> Iterator[tuple[str, str, str]]:
        """Every view: its name, the column and the annotator."""
        for column in self.reading.columns:
            for annotator in self.reading.annotators:
                if annotator != column:
                    yield view_name(annotator, column, self.reading.columns[0]), column, annotator

    def tallies(self, request: Request, first: Block) -> tuple[Tally, ...]:
        """A table of votes for each view; prompts are drawn where some have several pairs."""
        any_view = next(iter(self.names()))[0]
        prompts = first.views[any_view].prompts
        repeated = prompts is not None and len(prompts) > int(prompts.max(initial=-1)) + 1
        # Annotators are compared under the same draws of pairs, or of prompts.
        repeated = repeated or compares_annotators(request)
        votes = tuple(Tally(name, VoteTable, by_rows=repeated, smooth=repeated) for name, _, _ in self.names())
        choices = tuple(Tally(f"{CHOICES}{name}", ChoiceSums, by_rows=repeated) for name in self.reading.columns)
        return (*votes, *choices, Tally(PAIRS, PairUnits, where=WHOLE_ONLY, holds_units=True))

    def judge(self, request: Request, collected: Collected) -> None:
        """Refuse what only the whole table shows: above all, a reference that never chose."""
        self.reading.judge(collected.facts, request.source.name)
        for column in self.reading.columns:
            choices = collected.sums_of(f"{CHOICES}{column}", ChoiceSums)
            if not choices.sums.of(CHOSE) > 0 and not column.startswith(MODEL):
                why = [what for what in collected.facts.unused if what.startswith(quoted(column))]
                more = [f"{len(why) - MOST_REASONS:,} more"] if len(why) > MOST_REASONS else []
                said = "; ".join([*why[:MOST_REASONS], *more])
                raise InputError(
                    f"{NO_CHOICE}, but {quoted(column)} never says a or b{f' ({said})' if said else ''}. "
                    f"Write votes as one of {', '.join(KINDS[:7])}, or name another `reference`."
                )

    def checks(self, request: Request, collected: Collected) -> Iterator[Check]:
        """Pairs of one text, and annotators who always choose one answer, or always as the reference does."""
        texts = [text for text in (request.given.get("text_a"), request.given.get("text_b")) if isinstance(text, str)]
        # Texts are read as their lengths: what the first rows say is read again.
        if len(texts) == 2 and (first := first_rows(request.source, texts, ())) is not None:
            yield from same_texts(first, *texts)
            yield from shown_again(first, *texts) if self.reading.cluster is None and texts[0] != texts[1] else ()
        words = collected.facts.table.labels
        for name in self.reading.names:
            yield from no_votes(name, words.get(name))
        for name, other in self.swapped.items():
            if (facts := collected.facts.table.pairs.get(Pair(name, other, compared=False))) is not None:
                yield from swapped_votes(quoted(name), facts, words.get(name))
        units = collected.find(PAIRS, PairUnits)
        if units is not None and (games := games_of(units.pairs, units.weight)) is not None:
            yield from model_checks(games, alone=all(name.startswith(MODEL) for name in self.reading.annotators))
        views = list(self.names())
        for name, column, annotator in views:
            votes = collected.sums_of(name, VoteTable)
            if is_computed(annotator):  # a model may well have one place in all its pairs
                yield from one_place(quoted(column), votes) if annotator == LONGER and len(views) == 1 else ()
                continue
            yield from vote_checks(quoted(annotator), quoted(column), votes, alone=len(views) == 1)

    def views(self, request: Request, collected: Collected) -> list[View]:
        """Every annotator against every column, the strongest first."""
        every = request.candidates
        metrics = tuple(metric for metric in every if metric.over is VoteTable)
        if not metrics and any(metric.over is PairUnits for metric in every):
            metrics = (preference_strength,)  # fits are read beside strengths
        tallies = {view: tally for (view, _), tally in tallies_of(collected).items()}

        def strength(name: str) -> float:
            return float(
                np.nan_to_num(np.abs(preference_strength.values(collected.sums[WHOLE, tallies[name]])), nan=-1.0)
            )

        views = [
            View(
                name,
                (Basis(tallies[name], stream=f"VoteTable/{name}"),),
                metrics,
                amend=self._with_pairs_noted(column),
                leads=column == self.reading.columns[0],
                system=annotator,
                contest=column if compares_annotators(request) else None,
            )
            for name, column, annotator in self.names()
        ]
        views = sorted(views if metrics else [], key=lambda view: (not view.leads, -strength(view.name)))
        return [*views, *self._choices(tuple(metric for metric in every if metric.over is ChoiceSums), tallies)]

    def _choices(self, metrics: tuple[Metric, ...], tallies: Mapping[str, Tally]) -> Iterator[View]:
        """What each column chose, apart from any annotator; lengths where there are texts."""
        if self.reading.text_a is None or self.reading.text_b is None:
            metrics = tuple(metric for metric in metrics if metric.name not in OF_LENGTHS)
        for column in self.reading.columns if metrics else ():
            name = column if column not in tallies else f"choices of {column}"  # an annotator may be called the same
            tally = tallies[f"{CHOICES}{column}"]
            basis = Basis(tally, stream=f"ChoiceSums/{column}")
            yield View(name, (basis,), metrics, amend=self._counted, leads=False)

    def _counted(self, measured: Measured, rows: Sequence[Row]) -> Iterator[Row]:
        """Rows with the pairs that they rest on."""
        sums: ChoiceSums = measured.statistics[ChoiceSums]
        known = {prefers_first.name: CHOSE, prefers_longer.name: "unequal", answer_length.name: "measured"}
        for row in rows:
            over = known.get(row.metric.partition("(")[0])
            plain = over is None or self.reading.weight is not None
            yield row if plain else replace(row, n=round(float(sums.sums.of(str(over)))))

    def _with_pairs_noted(self, column: str) -> Callable[[Measured, Sequence[Row]], Iterator[Row]]:
        """Rows with the pairs they rest on, and with a warning where a chance of one half is not justified."""

        def amend(measured: Measured, rows: Sequence[Row]) -> Iterator[Row]:
            table: VoteTable = measured.statistics[VoteTable]
            warning = chance_warning(table, by_design=column.startswith(MODEL))
            for row in rows:
                said = warning if row.metric in ("preference_kappa", "preference_strength") else ""
                note = noted(row.note, said)
                n = row.n if self.reading.weight is not None else _pairs_behind(table, row.metric)
                yield replace(row, n=n, note=note)

        return amend

    def columns(self) -> dict[str, str | None]:
        """Who votes may be known by what is said of them; splits are slices; single votes stood in other columns."""
        who = {"reference": ", ".join(self.reading.columns), "annotators": ", ".join(self.reading.annotators)}
        return {**who, "split": None, **self.single_votes}

    def categories(self, collected: Collected) -> tuple[str, ...]:
        """What can be voted."""
        return KINDS[:-1]

    def choices(self, request: Request, collected: Collected) -> dict[str, str]:
        """What the file says of itself, and what a stream leaves out."""
        facts = dict(self.notes)
        if groups := {name: group for name, group in self.groups.items() if name in self.reading.names}:
            facts["Groups"] = "; ".join(
                f"{group}: {sum(1 for one in groups.values() if one == group):,}"
                for group in dict.fromkeys(groups.values())
            )
        if not request.engine.holds_table:
            facts["Not computed when streaming"] = (
                "length control, the joint model, correlations of traits, models and differences by prompt"
            )
        return facts

    def finished(self, page: Page) -> tuple[ResultTable, Panels]:
        """All rows, those of fits too, and everything behind the strengths."""
        return preference_found(self, page)


def compares_annotators(request: Request) -> bool:
    """Whether annotators are systems to be compared: only where one is named as the baseline, or all were asked for.

    There are many, and the first of them is not the one in use.
    """
    return request.comparing.baseline is not None or request.comparing.against == "all"


def _pairs_behind(table: VoteTable, metric: str) -> int:
    if metric.startswith(("preference_accuracy", "preference_kappa")):
        return round(float(table.agreed + table.disagreed))
    return round(float(table.reference_chose if "reference" in metric.partition("(")[2] else table.both_asked))


def vote_keys(request: Request) -> CellKeys:
    """A column `vote:<annotator>` for everybody who votes, the reference first."""
    if request.given.get("rating") == ELO:
        raise SettingError(
            "A cube of votes must be of what does not depend on the order of pairs, which cells do not keep, but "
            f"`rating` is {ELO}. Leave it out, or evaluate the table."
        )
    if LONGER in (request.given.get("annotators") or ()):
        raise SettingError(
            "A cube of votes must be of columns of votes, but nobody votes besides the reference: only the lengths of "
            "texts are measured, which a cube does not keep. Evaluate the table, or give `annotators`."
        )
    votes = {"reference": "vote", "annotators": "vote"}
    keys = row_keys(request, called=votes, without=NOT_COUNTED)
    prompt = {} if keys.unit is None else {"prompt": keys.unit}
    return replace(keys, given={name: value for name, value in keys.given.items() if value or value == 0} | prompt)
