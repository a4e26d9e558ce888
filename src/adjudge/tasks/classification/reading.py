"""How rows become labels, decisions and scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import Rows, labels_of_rows, number_column, of_rows
from adjudge.data.facts import Facts
from adjudge.data.judgements.columns import JointJudgements, Judgements, Scores
from adjudge.data.judgements.labels import Labels, ordered_labels
from adjudge.data.judgements.unit_losses import JOINTLY
from adjudge.data.keys import Keys, RowKeys, digest_of, keys_of_fine_rows, keys_of_labels, keys_of_numbers
from adjudge.data.label_values import BY_VALUE, KINDS, called, kinds_of, labels_called, settled_values, usual_positive
from adjudge.data.order import Order
from adjudge.data.reading import Views
from adjudge.data.row_reading import RoleColumn, RowReading
from adjudge.data.source import Batch, code_type
from adjudge.data.systems import SystemRoles
from adjudge.errors import SettingError, listed


@dataclass(frozen=True, kw_only=True)
class LabelReading(RowReading):
    """Which columns hold the reference and each system's answers, and how they are read."""

    reference: str
    systems: tuple[SystemRoles, ...]
    positive: str | None = None  # what a lone score speaks of
    cuts: tuple[float, ...] = ()  # by system, the score from which on a lone score decides for it; none: 0.5
    meeting: str = BY_VALUE  # when two labels are one

    as_labels: ClassVar[str] = "reference, prediction, "
    as_numbers: ClassVar[str] = "score, "

    def answers(self) -> Iterator[RoleColumn]:
        """The reference, then what each system says: decisions, then scores."""
        yield RoleColumn("reference", self.reference)
        yield from (RoleColumn("prediction", s.prediction) for s in self.systems if s.prediction is not None)
        yield from (RoleColumn("score", column, number=True) for s in self.systems for _, column in s.scores)

    @property
    def countable(self) -> bool:
        """Yes where nothing tells rows apart but what one system said of them, decisions among it."""
        one = len(self.systems) == 1 and self.systems[0].prediction is not None and len(self.systems[0].scores) < 2
        return one and not any((self.weight, self.cluster, self.id))

    def views(self, batch: Batch, rows: Rows) -> tuple[Views, dict[str, frozenset[str]]]:
        """Each system's answers, and those of all together."""
        names = dict.fromkeys([self.reference, *(s.prediction for s in self.systems if s.prediction is not None)])
        written = {name: labels_of_rows(batch, name, rows) for name in names}
        labels = {name: labels_called(column, self.meeting) for name, column in written.items()}
        reference = labels[self.reference]
        # Labels that no lone score can speak of are refused when all are known.
        positive = self._positive or usual_positive(reference.categories) or reference.categories[0]
        each = {system.name: self._judgements(batch, system, labels, rows, positive) for system in self.systems}
        seen = {
            "labels": frozenset(reference.categories),
            KINDS: kinds_of([*self._given(), *(label for column in written.values() for label in column.categories)]),
        }
        several = self.id is not None and len(self.systems) > 1
        names_of_rows = labels_of_rows(batch, str(self.id), rows) if several else None
        return each | {JOINTLY: JointJudgements(tuple(each.values()), names_of_rows)}, seen

    def settled(self, facts: Facts) -> Self:
        """The same with labels that meet as all of them must."""
        return settled_values(self, facts)

    def digests(self, views: Views, units: Keys | RowKeys) -> dict[str, int]:
        """Of decisions and scores, where there are several systems."""
        several = {s.name: views[s.name] for s in self.systems} if views and len(self.systems) > 1 else {}
        return {name: digest_of(np.asarray(units), *_keys(one)) for name, one in several.items()}

    def wrong(self, views: Views) -> dict[str, NDArray[np.bool_]]:
        """Decisions that are not the reference; a lone score decides at the cut."""
        return {system.name: self._wrong(views[system.name], self.cut_of(system.name)) for system in self.systems}

    def cut_of(self, system: str) -> float:
        """The score from which on a lone score of a system decides for its label."""
        places = [one.name for one in self.systems]
        return self.cuts[places.index(system)] if self.cuts else 0.5

    def _wrong(self, one: Judgements, cut: float) -> NDArray[np.bool_]:
        if one.prediction is not None:
            codes = {label: code for code, label in enumerate(one.reference.categories)}
            kind = code_type(len(codes))
            meant = np.array([codes.get(label, -1) for label in one.prediction.categories], dtype=kind)
            return np.asarray(meant[one.prediction.codes] != one.reference.codes)
        assert one.scores is not None
        return np.asarray(one.reference.are(one.scores.categories[0]) != (one.scores.values[:, 0] >= cut))

    def twins(self, views: Views) -> Keys | None:
        """Of the reference and all answers, where there are scores with many decimals."""
        each = [views[system.name] for system in self.systems]
        scores = [column for one in each if one.scores is not None for column in one.scores.values.T]
        decided = [one.prediction for one in each if one.prediction is not None]
        order = next((one.scores.order for one in each if one.scores is not None), None)
        labels = [partial(_label_keys, one, order) for one in (each[0].reference, *decided)]
        return keys_of_fine_rows(scores, labels) if scores else None

    def _given(self) -> Iterator[str]:
        """Labels that were given beside the table."""
        yield from (category for system in self.systems for category, _ in system.scores if category is not None)
        if self.positive is not None:
            yield self.positive

    @property
    def _positive(self) -> str | None:
        return None if self.positive is None else called(self.positive, self.meeting)

    def _judgements(
        self, batch: Batch, system: SystemRoles, labels: dict[str, Labels], rows: Rows, positive: str
    ) -> Judgements:
        prediction = None if system.prediction is None else labels[system.prediction]
        if not system.scores:
            return Judgements(labels[self.reference], prediction)
        columns, order = [number_column(batch, column).values for _, column in system.scores], batch.order
        if order is None:
            columns = [of_rows(column, rows) for column in columns]
        elif len(rows) < batch.rows:  # scores are those of the table
            order, some = order.among(rows)
            columns = [column[some] for column in columns]
        values = columns[0][:, None] if len(columns) == 1 else np.stack(columns, axis=1)
        named = tuple(called(str(category), self.meeting) for category, _ in system.scores)
        categories = (positive,) if system.has_one_score else named
        if prediction is None and not system.has_one_score:
            # The largest score decides; of equal ones the first, in the order they were given.
            prediction = Labels(values.argmax(1), categories)
        within = [number_column(batch, column).inside for _, column in system.scores]
        inside = np.stack([one[rows] for one in within if one is not None], axis=1) if within[0] is not None else None
        cut = self.cut_of(system.name) if system.has_one_score else np.inf
        return Judgements(labels[self.reference], prediction, Scores(categories, values, inside, cut, order))

    def positive_among(self, labels: Iterable[str]) -> str | None:
        """What a lone score speaks of: as given, or as usual for such labels; None where no score stands alone."""
        if self.positive is not None or not any(system.has_one_score for system in self.systems):
            return self._positive
        positive = usual_positive(labels)
        if positive is None:
            raise SettingError(
                "`positive` must say which label a high score stands for, unless the labels are 0 and 1, no and yes, "
                f"or false and true. The reference has {listed(ordered_labels(labels))}."
            )
        return positive


def _label_keys(labels: Labels, order: Order | None, rows: Rows) -> Keys:
    codes = labels.codes[rows] if order is None else order.of_rows(rows).spread(labels.codes)
    return keys_of_labels(labels.categories)[codes]


def _keys(judgements: Judgements) -> Iterator[Keys]:
    """A key for each answer to each row."""
    if (prediction := judgements.prediction) is not None:
        yield keys_of_labels(prediction.categories)[prediction.codes]
    if judgements.scores is not None:
        yield from (keys_of_numbers(column) for column in judgements.scores.values.T)
