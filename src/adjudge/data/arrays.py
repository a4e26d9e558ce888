"""Plain arrays as judgements: what makes a metric callable on two lists. What cannot be read is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.foreign import is_arrow, unmasked
from adjudge.data.judgements.columns import Array, Judgements, Scores, checked_scores, floats_of, refuse_beyond
from adjudge.data.judgements.labels import label_text, labels_of, number_in
from adjudge.data.label_values import among, called, meet, refuse_strangers, usual_positive
from adjudge.errors import BadValue, SettingError, listed, literal, quoted

MOST_LABELS, FEW_TIMES = 20, 5  # that predictions may have, and times those of the reference


def checked_arrays(*arrays: object, categories: object = None) -> list[object]:
    """The arrays, what is masked in them missing; all but the first may be left out.

    Refused is what is no array: a lone value, a text, which would be taken letter by letter, or what has no order.

    >>> checked_arrays([1, 2], None, categories=[2, 1])
    [[1, 2], None]
    """
    if categories is not None and not is_listed(categories):
        raise SettingError(f"`categories` must be a list of labels, not {literal(categories)}.")
    for place, one in enumerate(arrays):
        if one is None and place > 0:
            continue
        if not is_listed(one):
            raise SettingError(f"Values must be in a list or an array, but some are of type {type(one).__name__}.")
    check_same_order(*arrays)
    return [unmasked(one) for one in arrays]


def is_listed(values: object) -> bool:
    """Whether values stand in an order, one after another.

    >>> is_listed([1, 2]), is_listed("ab")
    (True, False)
    """
    is_lone = not hasattr(values, "__len__") or getattr(values, "ndim", 1) == 0
    is_lone = is_lone or (is_arrow(values) and not hasattr(values, "type"))  # a table, which is no array
    return not is_lone and not isinstance(values, (str, bytes, Mapping, Set))


def check_same_order(*arrays: object) -> None:
    """Refuse columns of a frame whose index names the same rows in another order: values are taken by their place.

    >>> check_same_order([1, 2], None)
    """
    known = [index for index in (getattr(one, "index", None) for one in arrays) if hasattr(index, "equals")]
    indexes = [np.asarray(index) for index in known]
    for index in indexes[1:]:
        if len(index) != len(indexes[0]) or np.array_equal(index, indexes[0]):
            continue
        one, other = (each.astype(str) for each in (indexes[0], index))
        again = np.array_equal(np.sort(one), np.sort(other))
        counted = any(np.array_equal(each, np.arange(len(each))) for each in (indexes[0], index))
        if again or (not counted and np.isin(one, other).any()):
            named = "the same rows in different orders" if again else "rows of which only some are the same"
            raise SettingError(
                f"Columns must have their rows in the same order, but their indexes name {named}. Put them in one "
                "order, or give their values alone."
            )


def rows_in(matrix: Any, what: str) -> list[list[object]]:  # Any: whatever can be walked through
    """The rows of a matrix, each a list.

    >>> rows_in([(1, 2), [3, 4]], "Ratings")
    [[1, 2], [3, 4]]
    """
    try:
        return [list(row) for row in matrix]
    except TypeError:
        raise BadValue(f"{what} must be a matrix: a list of rows, each of which is a list, but one is not.") from None


def decisions_of(reference: object, prediction: object, positive: object = None) -> Judgements:
    """A reference and the labels predicted, row by row.

    >>> decisions_of(["a", "b"], ["a", "a"]).prediction.codes.tolist()
    [0, 0]
    """
    _need_two(prediction)
    given = () if positive is None else (positive,)
    columns = labels_of(reference, "reference"), labels_of(prediction, "prediction")
    (labels, predicted), _ = meet(columns, *given)
    if len(predicted) != len(labels):
        raise BadValue(
            f"`prediction` must be as long as `reference` ({len(labels)} rows), but it has {len(predicted)}."
        )
    refuse_strangers(labels.categories, predicted.categories)
    _refuse_scores(labels.categories, predicted.categories)
    _check_positive(positive, (*labels.categories, *predicted.categories))
    return Judgements(labels, prediction=predicted)


def _refuse_scores(known: Sequence[str], predicted: Sequence[str]) -> None:
    """Refuse numbers with decimals, nearly all different, where few labels are to be met."""
    if len(predicted) <= max(MOST_LABELS, FEW_TIMES * len(known)):
        return
    fractions = [label for label in predicted if (number_in(label) or 0.0) % 1]
    if len(fractions) > len(predicted) / 2:
        raise BadValue(
            f"`prediction` must be labels, as the {len(known)} of `reference` are, but has {len(predicted):,} "
            f"different values, such as {quoted(fractions[0])}. Give scores to a metric of scores, such as roc_auc."
        )


def scored_of(
    reference: object, score: object, positive: object = None, categories: Sequence[object] | None = None
) -> Judgements:
    """A reference and a score for each row, or one for each row and category: then `categories` names the columns.

    >>> scored_of([0, 1], [0.2, 0.7]).scores.categories
    ('1',)
    """
    _need_two(score)
    given = [*([] if positive is None else [positive]), *([] if categories is None else categories)]
    (labels,), meeting = meet([labels_of(reference, "reference")], *given)
    values = checked_scores(score, len(labels))
    refuse_beyond(values, "Scores")
    if values.shape[1] == 1:
        return Judgements(labels, scores=Scores((positive_category(labels.categories, positive),), values))
    named = labels.categories if categories is None else tuple(called(label_text(c), meeting) for c in categories)
    if len(named) != values.shape[1]:
        raise SettingError(
            f"`categories` must name each of the {values.shape[1]} score columns, "
            f"but there are {len(named)}: {listed(named)}."
        )
    return Judgements(labels, scores=Scores(named, values))


def _need_two(second: object) -> None:
    if second is None:
        raise SettingError("This metric needs two arrays: the reference, and the prediction or score.")


def positive_category(categories: tuple[str, ...], positive: object) -> str:
    """The category a single score speaks of: the given one, or the last of two (1, True, "yes").

    Of a lone label it is the usual one of its pair, whether it occurs or not.

    >>> positive_category(("0",), None), positive_category(("ham", "spam"), None)
    ('1', 'spam')
    """
    if positive is not None:
        if len(categories) > 1:
            _check_positive(positive, categories)
        return among(positive, categories)
    named = categories[-1] if len(categories) == 2 else usual_positive(categories)
    if named is None:
        raise SettingError(
            f"`positive` must say which category a high score stands for: there are {listed(categories)}."
        )
    return named


def _check_positive(positive: object, known: tuple[str, ...]) -> None:
    if positive is not None and known and among(positive, known) not in known:
        raise SettingError(f"`positive` must be one of {listed(dict.fromkeys(known))}, not {quoted(positive)}.")


def rated_and_scored(ratings: object, scores: object) -> tuple[Array, Array | None]:
    """Ratings as a matrix, a column for each rater, and a system's scores, if there are any."""
    matrix = checked_ratings(ratings)
    refuse_beyond(matrix, "Ratings")
    if scores is None and matrix.shape[1] < 2:
        raise SettingError("This metric needs the ratings and the system's scores, or a matrix of ratings.")
    if scores is None:
        return matrix, None
    columns = checked_scores(scores, len(matrix))
    if columns.shape[1] != 1:
        raise BadValue(f"Scores must be one for each response, but there are {columns.shape[1]}.")
    values = columns[:, 0]
    refuse_beyond(values, "Scores")
    return matrix, values


def checked_ratings(ratings: object) -> Array:
    """Ratings as numbers, (responses, raters): finite, or NaN where a response was not rated.

    >>> checked_ratings([[1, 2], [3, None]])
    array([[ 1.,  2.],
           [ 3., nan]])
    """
    if (values := floats_of(ratings)) is None:
        raise BadValue("Ratings must be numbers, in a list or in rows of equal length, but some are not.")
    matrix = values[:, None] if values.ndim == 1 else values
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise BadValue(f"Ratings must be a list or a matrix of responses × raters, but the shape is {values.shape}.")
    if np.isinf(matrix).any() or (matrix.shape[1] == 1 and np.isnan(matrix).any()):
        raise BadValue("Ratings must be finite numbers, but some are missing or infinite. Leave those rows out first.")
    return matrix


REFERENCE, ANSWER = "reference", "answer"


def table_of(
    reference: object, answers: object, labels: Sequence[object] | None = None
) -> tuple[dict[str, object], dict[str, object]]:
    """The columns and the roles of two arrays; answers in several columns are a score for each of the labels.

    >>> table_of([1, 0], [1, 1])[1]
    {'reference': 'reference', 'prediction': 'answer'}
    >>> table_of(["a", "b"], [[0.9, 0.1], [0.2, 0.8]], ["a", "b"])[1]["score"]
    {'a': 'score of a', 'b': 'score of b'}
    """
    check_same_order(reference, answers)
    true, given = array_of(reference), array_of(answers)
    if true.ndim != 1 or given.ndim not in (1, 2) or len(true) != len(given):
        sizes = " and ".join(" × ".join(map(str, one.shape)) or "one value" for one in (true, given))
        also = "," if true.ndim == 1 else ", and the first one value in each,"
        raise SettingError(f"Two arrays must have the same number of rows{also} but they have {sizes}.")
    if given.ndim == 1:
        return {REFERENCE: reference, ANSWER: answers}, {"reference": REFERENCE, "prediction": ANSWER}
    names = [str(label) for label in (_in_order(true) if labels is None else labels)]
    if len(names) != given.shape[1] or len(set(names)) < len(names):
        raise SettingError(
            f"`labels` must name each of the {given.shape[1]} columns of scores, in their order, but they are "
            f"{listed(names)}."
        )
    columns = {f"score of {name}": given[:, place] for place, name in enumerate(names)}
    return {REFERENCE: reference} | columns, {"reference": REFERENCE, "score": dict(zip(names, columns, strict=True))}


def is_column(value: object) -> bool:
    """Whether something is a lone column of values, not a table or the name of one."""
    if isinstance(value, (str, bytes, Mapping)) or hasattr(value, "__fspath__") or hasattr(type(value), "columns"):
        return False
    return isinstance(value, (list, tuple, np.ndarray)) or hasattr(value, "to_numpy")


def array_of(values: object) -> NDArray[np.generic]:
    """A list, an array or a column of a frame as an array.

    >>> array_of([1, 2]).shape
    (2,)
    """
    try:
        return np.asarray(values.to_numpy() if hasattr(values, "to_numpy") else unmasked(values))
    except Exception:  # rows of different lengths, and what a frame's library raises
        raise SettingError("The rows of an array must be of equal length, but some are not.") from None


def _in_order(true: NDArray[np.generic]) -> list[str]:
    """The labels as scikit-learn orders the columns of scores: numbers by their size, other labels as text."""
    labels = sorted({str(label) for label in true.tolist()})
    numbers = [number_in(label) for label in labels]
    return labels if None in numbers else sorted(labels, key=lambda label: number_in(label) or 0.0)
