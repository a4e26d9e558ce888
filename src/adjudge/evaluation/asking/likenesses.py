"""What columns of the usual roles are called, and what they hold: what `adjudge FILE` guesses by."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Likeness:
    """By what a column is known for a role when nobody says so: what it holds, and what it is usually called."""

    holds: str  # one of the words of `Profile.holds`
    names: tuple[str, ...] = ()  # in small letters: the whole name, or a part of it
    meets: str = ""  # the role whose labels it must share
    within: str = ""  # the role within whose values it must differ: what never does tells of those, not of the rows
    same_in: str = ""  # the role within whose values it must not differ
    always: bool = False  # taken by its name also where the task can do without it
    by_value: bool = False  # may be offered, never taken, for what it holds alone
    unlike: tuple[str, ...] = ()  # names of what is something else, whatever it holds
    asks: tuple[str, str] | None = None  # a setting that goes with it, and its value


_TRUE = (
    "label",
    "gold",
    "truth",
    "target",
    "y",
    "y_true",
    "true",
    "human",
    "reference",
    "actual",
    "class",
    "answer_key",
)
_SYSTEMS = (
    "pred",
    "predicted",
    "prediction",
    "predictions",
    "guess",
    "model",
    "system",
    "y_pred",
    "yhat",
    "engine",
    "output",
)
_SCORES = ("score", "scores", "prob", "proba", "probability", "confidence", "logit", "logits", "p_hat", "yhat")
_PEOPLE = ("rater", "annotator", "coder", "judge", "worker", "reviewer", "grader")

TRUE_LABELS = Likeness("labels", _TRUE, by_value=True)
LABELS = Likeness("labels", _SYSTEMS, meets="reference", by_value=True)
TRUE_NUMBERS = Likeness("continuous", (*_TRUE, "price", "value"), by_value=True)
NUMBERS = Likeness("numbers", (*_SYSTEMS, "machine", "raw"), by_value=True)
_PLACES = ("doc", "docid", "document", "passage", "item", "id", "rank", "position", "row", "nr")
SCORES = Likeness("scores", (*_SCORES, *_SYSTEMS, "s"), by_value=True, unlike=_PLACES)
HUMAN_SCORES = Likeness("grades", (*_PEOPLE, "human", "h", "sc", "score", "r"))
RATERS = Likeness("labels", (*_PEOPLE, "human", "h", "r", "a"), by_value=True)
_ITEMS = ("item", "unit", "document", "doc", "text_id", "task", "id", "example", "text", "sentence", "comment", "post")
ITEM = Likeness("anything", (*_ITEMS, "tweet", "utterance", "image", "instance", "sample", "ticket", "nr"), always=True)
RATER = Likeness("repeated", (*_PEOPLE, "ann", "labeler", "labeller"))
RATING = Likeness(
    "labels",
    ("rating", "ratings", "label", "labels", "annotation", "score", "value", "code", "judgement", "judgment"),
    within="item",
    by_value=True,
)
START, END = (Likeness("amounts", (name,), asks=("measurement", "spans")) for name in ("start", "end"))
SPAN_LABEL = Likeness("few labels", ("label", "tag", "type", "entity", "category"))
_CAME = ("outcome", "y", "response", "visit", "spend", "revenue", "sales")
_BOUGHT = ("bought", "purchase", "purchased", "converted", "conversion", "click", "clicked")
_TREATED = ("treatment", "treated", "treat", "arm", "assigned")
QUERY = Likeness("keys", ("query", "qid", "q", "topic", "query_id"))
RELEVANCE = Likeness("relevance", ("rel", "relevance", "grade", "qrel", "relevant"))
OUTCOME = Likeness("anything", (*_BOUGHT, *_CAME))
TREATMENT = Likeness("two", (*_TREATED, "exposure", "variant", "campaign", "offer", "discount", "mail", "mailed", "w"))
HUMAN = Likeness("anything", ("human", "person", "people", "expert"))
JUDGE = Likeness("anything", ("judge", "llm", "autorater", "grader"))
_TIMES = ("hours", "hour", "days", "day", "minutes", "minute", "seconds", "time", "duration", "requests")
WATCHED = Likeness("amounts", (*_TIMES, "uptime", "runtime", "watched", "exposure"))
_TROUBLES = tuple(one + end for one in ("failure", "fail", "outage", "fault", "incident") for end in ("s", ""))
FAILED = Likeness("amounts", (*_TROUBLES, "failed", "crashes", "crash", "crashed"))
WEIGHT = Likeness("numbers", ("weight", "weights", "sample_weight"), always=True)
ID = Likeness("ids", ("id", "uuid", "key", "index", "name", "message", "row", "nr"), always=True)
SLICES = Likeness("levels")
SLICES_OF_QUERIES, SLICES_OF_ITEMS = (Likeness("levels", same_in=role) for role in ("query", "item"))
CHOICE = Likeness("labels", ("winner", "preferred_text", "preferred", "chosen", "human"))
VOTES = Likeness("votes", by_value=True)
TEXT_A, TEXT_B = (
    Likeness("anything", tuple(f"{text}_{side}" for text in ("text", "response", "answer", "completion")))
    for side in ("a", "b")
)
PROMPT = Likeness("anything", ("prompt",), always=True)
MODEL_A, MODEL_B = (Likeness("anything", (f"model_{side}",)) for side in ("a", "b"))
