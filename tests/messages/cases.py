"""Every input that is refused: a file, what is asked of it, and a name for the message.

A case is run twice, by `adjudge.evaluate` on the file and by the command line, and must say the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

PLAIN = (
    "label,guess,score,weight,person,row\n"
    "ham,ham,0.1,1,ann,1\nspam,ham,0.4,2,ann,2\nspam,spam,0.8,1,bob,3\nham,spam,0.6,1,bob,4\n"
)
RATED = "item,ann,ben,eva,weight,zero,minus,page\n1,a,a,b,1,0,1,x\n2,b,b,b,2,0,-1,x\n3,c,b,,,0,1,y\n4,c,c,c,1,0,1,y\n"
IN_ROWS = "item,rater,rating\n1,ann,a\n1,ben,b\n2,ann,a\n1,eva,a\n"
MEASURED = "ann,ben\n" + "".join(f"{row}.5,{row}.25\n" for row in range(60))
SCORED = (
    "id,who,h1,h2,engine,ok,zero,minus\n"
    "1,ann,1,2,1.4,1,0,1\n2,ann,3,3,3.1,1,0,-1\n3,bob,5,4,4.2,0,0,1\n4,bob,0,,0.3,1,0,1\n"
)
NUMBERS = (
    "row,y,m,n,low,high,word,zero,minus,page\n1,1.5,1.4,2,1,2,a,0,1,x\n2,3,2.5,2,2,3,b,0,-1,x\n3,2,2.2,1,1,3,c,0,1,x\n"
)
LISTED = (
    "q,rel,m,doc,kind,w,minus,word,zero\n"
    "a,1,0.9,x,k,1,-1,one,0\na,0,0.4,y,k,1,0,two,0\nb,0,0.8,x,k,1,0,one,0\nb,2,0.6,x,l,2,0,two,0\n"
)
WATCHED = "h,old,new,less,half,word,none\n168,1,0,-1,0.5,x,0\n168,0,1,1,1,y,0\n24,2,,0,1,z,0\n"
TRIAL = "y,m,arm,three,word,one\n1,0.9,control,a,x,1\n0,0.4,pill,b,y,1\n1,0.2,pill,c,z,1\n0,0.1,control,a,x,1\n"
VOTED = "preferred_text,polite,odd,prompt,w,none\na,a,b,q1,1,x\nb,b,tie,q1,1,y\na,b,,q2,-1,z\nb,a,a,q1,1,x\n"
VOTES = "pair,who,vote\n1,preferred_text,a\n1,polite,b\n2,preferred_text,b\n"
PAIR = '{"text_a": "x", "text_b": "y", "annotations": {"r": {"pref": "text_a"}}}'
WHO = '{"r": {"type": "human"}, "t": {"type": "principle", "description": "is polite"}}'
PAIRS = f'{{"annotators": {WHO},\n"comparisons": ['
MANY = "label,guess,row\n" + "".join(f"a,a,{row}\n" for row in range(2_001))


@dataclass(frozen=True)
class Case:
    """One refusal. `asked` overrides what is asked by default; None takes a default away."""

    content: str | bytes = PLAIN
    asked: dict[str, Any] = field(default_factory=dict)
    name: str = "judgements.csv"
    task: str = "classification"

    @property
    def settings(self) -> dict[str, Any]:
        """What is asked of the file."""
        asked = USUAL[self.task] | {"replicates": 100} | self.asked
        return {key: value for key, value in asked.items() if value is not None}


def score(content: str = PLAIN, **asked: Any) -> Case:
    """A case with a lone score instead of decisions."""
    return Case(content, {"prediction": None, "score": "score"} | asked)


HELPED = "human,judge,m,k\n1,1,1,0\n0,1,0,0\n1,1,1,1\n,0,1,1\n,1,0,1\n"
USUAL: dict[str, dict[str, Any]] = {
    "classification": {"reference": "label", "prediction": "guess"},
    "agreement": {"raters": ["ann", "ben", "eva"]},
    "scoring": {"raters": ["h1", "h2"], "prediction": "engine", "min": 1.0, "max": 6.0},
    "regression": {"reference": "y", "prediction": "m"},
    "ranking": {"query": "q", "relevance": "rel", "score": "m"},
    "uplift": {"outcome": "y", "treatment": "arm", "score": "m"},
    "failures": {"exposure": "h", "failures": ["old", "new"]},
    "preference": {},
    "diagnostic": {"phenomenon": "what", "expect": "want", "prediction": ["old", "new"]},
    "judges": {"reference": "human", "judge": "judge"},
}
SUITE = (
    "what,want,old,new,kind,group,p\n"
    "dates,a,a,b,mft,,1\nnames,b,b,b,mft,,1\ntypos,,a,a,,g,1\ntypos,,a,b,inv,g,1\ntypos,,a,b,dir,g,0\n"
)


def rated(content: str = RATED, **asked: Any) -> Case:
    """A case of agreement."""
    return Case(content, asked, task="agreement")


def spans(content: str, **asked: Any) -> Case:
    """A case of spans in rows."""
    roles = {"raters": None, "item": "item", "rater": "who", "start": "from", "end": "to", "label": "tag"}
    return Case(content, roles | {"measurement": "spans"} | asked, task="agreement")


def scored(content: str = SCORED, **asked: Any) -> Case:
    """A case of scoring."""
    return Case(content, asked, task="scoring")


def predicted(content: str = NUMBERS, **asked: Any) -> Case:
    """A case of regression."""
    return Case(content, asked, task="regression")


def listed(content: str = LISTED, **asked: Any) -> Case:
    """A case of ranking."""
    return Case(content, asked, task="ranking")


def tried(content: str = TRIAL, **asked: Any) -> Case:
    """A case of uplift."""
    return Case(content, asked, task="uplift")


def watched(content: str = WATCHED, **asked: Any) -> Case:
    """A case of failures."""
    return Case(content, asked, task="failures")


def suited(content: str = SUITE, **asked: Any) -> Case:
    """A case of a suite."""
    return Case(content, asked, task="diagnostic")


def helped(content: str = HELPED, **asked: Any) -> Case:
    """A case of labels that a judge helps with."""
    return Case(content, asked, task="judges")


def voted(content: str = VOTED, name: str = "judgements.csv", **asked: Any) -> Case:
    """A case of preference."""
    return Case(content, asked, name, task="preference")


def pairs(content: str, **asked: Any) -> Case:
    """A case of preference in an AnnotatedPairs file."""
    return voted(content, "pairs.json", **asked)


SETS = "item,ann,ben,eva,page\n1,a;b,a,b,x\n2,b,b,b,x\n3,c,a;c,,y\n"
LISTS = '{"moods": ["a", "b"], "other": "a"}\n'
TAGS = "item,ann,ben,eva,page\n1,B-X O,B-X O,O,x\n2,O B-X,O B-X I-X,,y\n"
ODD_TAGS = "ann,ben,eva\nB-X O,X O,O O\n"
MIXED_SPANS = 'ann,ben,eva\nB-X O,"[[""X"", 0, 1]]",O O\n'
ODD_CELLS = 'ann,ben,eva\n"[1, 2]",O O,O O\n'
SPAN_ROWS = "item,who,from,to,tag\n1,ann,0,5,X\n1,ben,0,5,X\n1,ben,7,,Y\n"
BACKWARDS = "item,who,from,to,tag\n1,ann,0,5,X\n1,ben,5,5,X\n"
ALONE = "item,who,from,to,tag\n1,ann,0,5,X\n2,ann,,,\n"
NESTED_SETS = 'ann,ben,eva\n"{""choices"": [""a""]}",[],"[""a""]"\n'


def export(content: str | bytes, name: str = "export.json", task: str = "agreement", **asked: Any) -> Case:
    """A case of a file that another tool wrote, without roles."""
    return Case(content, dict.fromkeys(USUAL[task]) | asked, name, task)


def studio(*results: str) -> str:
    """Tasks of Label Studio, each annotated once."""
    said = '{{"completed_by": 1, "was_cancelled": false, "result": [{}]}}'
    return "[" + ", ".join(f'{{"id": 1, "data": {{}}, "annotations": [{said.format(one)}]}}' for one in results) + "]"


CHOSEN = '{"from_name": "tone", "type": "choices", "value": {"choices": ["warm"]}}'
STARS = '{"from_name": "stars", "type": "rating", "value": {"rating": 4}}'
DRAWN = '{"from_name": "box", "type": "rectanglelabels", "value": {}}'
VOTED_FOR = '{"from_name": "better", "type": "pairwise", "value": {"selected": "left"}}'
ANSWERED = '{"answer": "accept", "_input_hash": 1, "_task_hash": 2, "label": "X"}'
FILTERED = "".join(
    f'{{"doc_id": 0, "doc": {{}}, "target": "1", "resps": [], "filter": "{name}"}}\n' for name in ("first", "strict")
)

CASES: dict[str, Case] = {
    # Columns
    "reference: unknown column": Case(asked={"reference": "lable"}),
    "prediction: unknown column": Case(asked={"prediction": "Guess"}),
    "score: unknown column": score(score="probability"),
    "weight: unknown column": Case(asked={"weight": "weigth"}),
    "cluster: unknown column": Case(asked={"cluster": "persom"}),
    "cluster: one": Case("label,guess,page\na,a,1\nb,a,1\n", {"cluster": "page"}),
    "id: unknown column": Case(asked={"id": "rows"}),
    "slices: unknown column": Case(asked={"slices": ["person × labell"]}),
    "columns: an empty name": Case(asked={"weight": ""}),
    "columns: neither prediction nor score": Case(asked={"prediction": None}),
    "columns: two systems by the same column": Case(asked={"prediction": ["guess", "guess"]}),
    "columns: two predictions, one score": Case(asked={"prediction": ["guess", "person"], "score": "score"}),
    "columns: as label and as number": Case(asked={"weight": "label"}),
    "columns: two of one name": Case("label,guess,guess\na,b,c\n"),
    "score: by category, only one": score(score={"spam": "score"}),
    # Values
    "id: repeated": Case(asked={"id": "person"}),
    "id: missing": Case("label,guess,row\na,a,1\na,a,\n", {"id": "row"}),
    "weight: negative": Case("label,guess,weight\na,a,1\na,a,-0.5\nb,a,-2\n", {"weight": "weight"}),
    "weight: zero everywhere": Case("label,guess,weight\na,a,0\nb,a,0\n", {"weight": "weight"}),
    "slices: more than 2,000 levels": Case(MANY, {"slices": ["row"]}),
    "positive: does not occur": score(positive="Spam"),
    "positive: not given, labels not like 0 and 1": score(),
    # Labels that cannot be compared
    "labels: in another case": Case("label,guess\n" + "Spam,spam\nHam,ham\n" * 10),
    "labels: numbers against words": Case("label,guess\n" + "0,no\n1,yes\n" * 10),
    "labels: others": Case("label,guess\n" + "a,x\nb,y\n" * 10),
    "labels: scores as predictions": Case("label,guess\n" + "".join(f"{row % 2},0.{row + 10}\n" for row in range(60))),
    "labels: names as the reference": Case("label,guess\n" + "".join(f"row {row},1\n" for row in range(60))),
    "labels: of raters, in another case": rated("ann,ben,eva\n" + "A,a,a\nB,b,b\n" * 10),
    "labels: words in an order that nobody gave": Case(
        "label,guess\n" + "low,low\nmid,high\nhigh,high\n" * 5, {"metrics": ["cohen_kappa(weighting=quadratic)"]}
    ),
    # Text files in other dialects
    "decimal: a comma": score("label;score\n" + "0;0,25\n1;0,75\n" * 10),
    "decimal: a percent sign": score("label,score\n" + "0,25%\n1,75 %\n" * 10),
    "decimal: unknown": score(decimal=";"),
    "delimiter: two signs": Case(asked={"delimiter": "::"}),
    "delimiter: of JSON lines": Case('{"label": 1, "guess": 1}\n', {"delimiter": ";"}, "judgements.jsonl"),
    "ok: no check": Case(asked={"ok": ["C99"]}),
    # Rows
    "table: only a header": Case("label,guess\n"),
    "table: empty": Case(""),
    "table: every row left out": score("label,score\n,0.5\n1,\n0,n/a\n1,inf\n"),
    "table: no such file": Case(name="judgments/nothing.csv"),
    "table: an unknown ending": Case(name="judgements.docx"),
    "table: not UTF-8": Case("label,guess\nja,ja\nn\xf6,ja\n".encode("latin1")),
    "table: rows of different length": Case("label,guess\na,a\na,b,c\n"),
    "table: a quotation mark never closed": Case('label,guess\na,a\na,"b\na,a\n'),
    # Settings
    "metrics: unknown": Case(asked={"metrics": ["rocauc"]}),
    "metrics: needs a score": Case(asked={"metrics": ["roc_auc"]}),
    "metrics: unknown parameter": Case(asked={"metrics": ["f_score(betta=2)"]}),
    "metrics: parameter out of range": Case(asked={"metrics": ["f_score(beta=0)"]}),
    "level: 95": Case(asked={"level": 95.0}),
    "costs: no score": Case(asked={"costs": ["fp=1", "fn=5"]}),
    "costs: one only": score(positive="spam", costs=["fp=1"]),
    "costs: unknown": score(positive="spam", costs={"fp": 1, "fm": 5}),
    "costs: not a number": score(positive="spam", costs=["fp=1", "fn=much"]),
    "costs: nothing": score(positive="spam", costs={"fp": 0, "fn": 5}),
    "threshold: infinite": score(positive="spam", threshold=float("inf")),
    "replicates: too few": Case(asked={"replicates": 10}),
    "seed: negative": Case(asked={"seed": -1}),
    "bootstrap: unknown": Case(asked={"bootstrap": "studentised"}),
    "engine: unknown": Case(asked={"engine": "ray"}),
    "engine: not Parquet": Case(asked={"engine": "spark"}),
    "engine: master of nothing": Case(asked={"master": "spark://here:7077"}),
    # Agreement
    "raters: unknown column": rated(raters=["ann", "bem"]),
    "raters: one only": rated(raters=["ann"]),
    "ratings: neither in columns nor in rows": rated(raters=None),
    "ratings: both in columns and in rows": rated(rater="item", rating="eva"),
    "ratings: in rows without the rater": rated(IN_ROWS, raters=None, item="item", rating="rating"),
    "ratings: not a single one": rated("ann,ben,eva\n,,\n,,\n"),
    "ratings: too many labels": rated(MEASURED, raters=["ann", "ben"]),
    "ratings: measurements streamed": rated(MEASURED, raters=["ann", "ben"], measurement="interval", engine="stream"),
    "ratings: an item's streamed apart": rated(
        IN_ROWS, raters=None, item="item", rater="rater", rating="rating", engine="stream"
    ),
    "level of measurement: unknown": rated(measurement="ordnal"),
    "scale: not given for ordered labels": rated(measurement="ordinal"),
    "scale: a label not on it": rated(scale=["a", "b"]),
    "scale: a category twice": rated(scale=["a", "b", "b", "c"]),
    "model: not a rater": rated(model="bot"),
    "weight of items: missing": rated(weight="weight"),
    "weight of items: also labels": rated(weight="page", cluster="page"),
    "weight of items: too large": rated("ann,ben,weight\na,a,1e300\nb,a,1\n", raters=["ann", "ben"], weight="weight"),
    "weight of items: zero everywhere": rated(weight="zero"),
    "weight of items: negative": rated(weight="minus"),
    "cluster of items: unknown column": rated(cluster="pages"),
    "cluster of items: one": rated(cluster="zero"),
    "cluster of items: missing": rated("ann,ben,page\na,a,\nb,a,\n", raters=["ann", "ben"], cluster="page"),
    "resample: raters, of whom there are two": rated(raters=["ann", "ben"], resample="raters"),
    "confidence: the level's former name": rated(confidence=0.9),
    "level: of measurement": rated(level="ordinal"),
    # Sets of labels
    "sets: an unknown distance": rated(SETS, measurement="sets", distance="hamming"),
    "sets: another separator": rated(SETS, measurement="sets"),
    "sets: an empty separator": rated(SETS, measurement="sets", separator=""),
    "sets: a record": rated(NESTED_SETS, measurement="sets"),
    "sets: a scale": rated(SETS, measurement="sets", scale=["a", "b", "c"]),
    "sets: batches": rated(SETS, measurement="sets", batch="page"),
    "sets: a metric of labels": rated(SETS, measurement="sets", separator=";", metrics=["fleiss_kappa"]),
    # Spans
    "spans: tags of different length": rated(TAGS, measurement="spans", item="item"),
    "spans: an unknown scheme": rated(TAGS, measurement="spans", scheme="bo"),
    "spans: an unknown mode": rated(TAGS, measurement="spans", mode="lenient"),
    "spans: an odd tag": rated(ODD_TAGS, measurement="spans"),
    "spans: tags and spans": rated(MIXED_SPANS, measurement="spans"),
    "spans: an odd cell": rated(ODD_CELLS, measurement="spans"),
    "spans: batches": rated(TAGS, measurement="spans", batch="page"),
    "spans: a model": rated(TAGS, measurement="spans", model="eva"),
    "spans: a metric of labels": rated(TAGS, measurement="spans", metrics=["fleiss_kappa"]),
    "spans: streamed": rated("ann,ben,eva\nO,O,O\n", measurement="spans", engine="stream"),
    "spans in rows: half a span": spans(SPAN_ROWS),
    "spans in rows: an end before the start": spans(BACKWARDS),
    "spans in rows: no end": spans(SPAN_ROWS, end=None),
    "spans in rows: unknown column": spans(SPAN_ROWS, label="tags"),
    "spans in rows: one rater": spans(ALONE),
    "spans in rows: seen by nobody known": spans(BACKWARDS, seen_by="some"),
    "labels: seen by": rated(seen_by="all"),
    "labels: the start of a span": rated(RATED, start="page"),
    "labels: a distance of sets": rated(distance="jaccard"),
    "labels: a list": Case(LISTS, {"raters": ["moods", "other"]}, "judgements.jsonl", "agreement"),
    # Scoring
    "scores: unknown column of a rater": scored(raters=["h1", "h3"]),
    "scores: unknown column of a system": scored(prediction="Engine"),
    "scores: unknown column of a slice": scored(slices=["whom"]),
    "scores: unknown column of a flag": scored(flag=["okay=1"]),
    "scores: no system": scored(prediction=None),
    "scores: a rater twice": scored(raters=["h1", "h1"]),
    "scores: a rater as the system": scored(prediction="h2"),
    "scores: as a slice": scored(slices=["h2"]),
    "scores: an id twice": scored(id="who"),
    "scores: only a header": scored("h1,h2,engine\n"),
    "scores: every response left out": scored("h1,h2,engine\n0,1,1\n,1,1\nn/a,1,1\ninf,1,1\n3,3,\n3,3,inf\n"),
    "scores: no response with the flag": scored(flag=["ok=2"]),
    "scores: nobody with enough responses": scored(candidate="who", min_items=3),
    "min: not below max": scored(min=6.0, max=1.0),
    "min: without max": scored(max=None),
    "step: zero": scored(step=0.0),
    "tolerance: negative": scored(tolerance=-1.0),
    "flag: without a value": scored(flag=["ok"]),
    "zeros: unknown": scored(zeros="drop"),
    "min_items: zero": scored(candidate="who", min_items=0),
    "min_items: without candidate": scored(min_items=2),
    "rated_by: unknown": scored(rated_by="second"),
    "rated_by: as it was called": scored(reference="any"),
    "error_variance: negative": scored(error_variance=-0.5),
    "scaling: incomplete": scored(scaling={"system_mean": 3, "system_sd": 1}),
    "scaling: not a number": scored(scaling={"system_mean": "three"}),
    "limits: unknown": scored(limits={"sdm": 0.1}),
    "limits: not a number": scored(limits={"smd": "small"}),
    "metrics of scores: of another task": scored(metrics=["roc_auc"]),
    "candidate: one": scored(candidate="zero"),
    "metrics of scores: ranks streamed": scored(metrics=["spearman"], engine="stream"),
    "weight of scores: unknown column": scored(weight="weight"),
    "weight of scores: negative": scored(weight="minus"),
    "weight of scores: zero everywhere": scored(weight="zero"),
    "weight of scores: as a slice": scored(weight="ok", slices=["ok"]),
    # Regression
    "numbers: unknown column of the reference": predicted(reference="Y"),
    "numbers: unknown column of a prediction": predicted(prediction=["m", "mm"]),
    "numbers: unknown column of lower ends": predicted(lower="lo", upper="high"),
    "numbers: no prediction": predicted(prediction=None),
    "numbers: a prediction twice": predicted(prediction=["m", "m"]),
    "numbers: lower ends without upper ones": predicted(lower="low"),
    "numbers: two predictions and one interval": predicted(prediction=["m", "n"], lower="low", upper="high"),
    "numbers: a column of text": predicted(prediction="word"),
    "numbers: as a slice": predicted(slices=["y"]),
    "numbers: an id twice": predicted(id="page"),
    "numbers: only a header": predicted("y,m\n"),
    "numbers: an empty file": predicted(""),
    "numbers: every row left out": predicted("y,m\n,1\n1,\nn/a,1\ninf,1\n1e60,1\n"),
    "weight of numbers: zero everywhere": predicted(weight="zero"),
    "weight of numbers: negative": predicted(weight="minus"),
    "cluster of numbers: one": predicted(cluster="page"),
    "quantile: beyond 1": predicted(quantile=90.0),
    "metrics of numbers: of another task": predicted(metrics=["roc_auc"]),
    "metrics of numbers: of intervals that are not there": predicted(metrics=["interval_coverage"]),
    "metrics of numbers: ranks streamed": predicted(metrics=["spearman"], engine="stream"),
    # Ranking
    "lists: no query": listed(query=None),
    "lists: no relevance": listed(relevance=None),
    "lists: no score": listed(score=None),
    "lists: unknown column of queries": listed(query="Q"),
    "lists: unknown column of scores": listed(score=["m", "n"]),
    "lists: a negative relevance": listed(relevance="minus"),
    "lists: a relevance that is text": listed(relevance="word"),
    "lists: a huge relevance": listed("q,rel,m\na,1000,1\n"),
    "lists: a score that is text": listed(score="word"),
    "lists: an infinite score": listed("q,rel,m\na,1,inf\n"),
    "lists: every row left out": listed("q,rel,m\n,1,1\na,1,\nb,,1\n"),
    "lists: only a header": listed("q,rel,m\n"),
    "lists: a cut-off of 0": listed(at=[5, 0]),
    "lists: an unknown policy of unjudged items": listed(unjudged="zero"),
    "lists: an unknown policy of queries": listed(no_relevant="skip"),
    "lists: relevant from 0": listed(relevant_from=0.0),
    "lists: a top grade below the data": listed(top_grade=1.0),
    "lists: a top grade of 0": listed(top_grade=0.0),
    "lists: fewer than no hard queries": listed(queries=-1),
    "lists: ties of TREC without documents": listed(ties="trec"),
    "lists: a document twice": listed(document="doc"),
    "lists: runs beside columns": listed(runs=["first.run"]),
    "slices of lists: two levels in a query": listed(slices=["kind"]),
    "cluster of lists: two in a query": listed(cluster="kind"),
    "weight of lists: two in a query": listed(weight="w"),
    "weight of lists: zero everywhere": listed(weight="zero"),
    "metrics of lists: of another task": listed(metrics=["roc_auc"]),
    "metrics of lists: an unknown gain": listed(metrics=["ndcg(gain=square)"]),
    "metrics of lists: an unknown divisor": listed(metrics=["mean_average_precision(by=found)"]),
    "metrics of lists: no patience": listed(metrics=["rank_biased_precision(p=1)"]),
    "lists streamed: a query that comes again": listed("q,rel,m\na,1,1\nb,1,1\na,0,2\n", engine="stream"),
    # Uplift
    "judge: nobody was asked": helped("human,judge\n,1\n,0\n"),
    "judge: labels that cannot meet": helped("human,judge,m\nyes,1,yes\n,0,no\nno,1,no\n", prediction="m"),
    "judge: words without a positive one": helped("human,judge\nyes,yes\n,no\n"),
    "judge: an unknown positive label": helped("human,judge\nyes,yes\n,no\n", positive="maybe"),
    "judge: a positive label beside predictions": helped(prediction="m", positive="1"),
    "judge: another kind of calibration": helped(calibration="there"),
    "judge: people say numbers and words": helped("human,judge\n1,1\ngood,1\n0,0\n,1\n"),
    "judge: the column of people": helped(judge="human"),
    "judge: labels that weigh nothing": helped("human,judge,w\n1,1,0\n0,1,0\n,1,1\n", weight="w"),
    "judge: a mean of labels from elsewhere": helped(calibration="elsewhere", metrics=["judge_assisted_mean"]),
    "judge: an unknown baseline": helped(prediction=["m", "k"], baseline="x"),
    "judge: two systems of one name": helped(prediction=["m", "m"]),
    "failures: no exposure": watched(exposure=None),
    "failures: no failures": watched(failures=None),
    "failures: as many columns of both": watched(exposure=["h", "none"], failures=["old", "new", "none"]),
    "failures: fewer than none": watched(failures="less"),
    "failures: half a failure": watched(failures="half"),
    "failures: words": watched(failures="word"),
    "failures: nothing watched": watched(exposure="none"),
    "failures: unknown column": watched(exposure="hours"),
    "failures: unknown end of the watch": watched(stopped="noon"),
    "metrics of failures: of another task": watched(metrics=["roc_auc"]),
    "metrics of failures: of two systems": watched(failures="old", metrics=["failure_ratio"]),
    "trial: no score": tried(score=None),
    "trial: unknown column of arms": tried(treatment="arms"),
    "trial: an outcome that is text": tried(outcome="word"),
    "trial: three arms": tried(treatment="three"),
    "trial: one arm": tried(treatment="one"),
    "trial: an unknown control arm": tried(control="placebo"),
    "trial: arms that do not say which is the control": tried("y,m,arm\n1,1,a\n0,2,b\n"),
    "metrics of trials: of another task": tried(metrics=["roc_auc"]),
    # Suites
    "suite: an unknown kind": suited(kind="want"),
    "suite: changes without a group": suited(kind="kind"),
    "suite: directions without a score": suited(kind="kind", group="group"),
    "suite: neither up nor down": suited(
        SUITE.replace("typos,,a,b,dir", "typos,left,a,b,dir"), kind="kind", group="group", score=["p", "p"]
    ),
    "suite: two originals": suited(SUITE + "typos,,a,a,,g,1\n", kind="kind", group="group", score=["p", "p"]),
    "suite: an original without a group": suited(original="kind"),
    "suite: a mark that says neither yes nor no": suited(known_failure="want"),
    "suite: an unknown unit": suited(unit="row"),
    "suite: a tolerance below nothing": suited(tolerance=-0.1),
    "suite: weights without an end": suited("what,want,old,new,w\ndates,a,a,b,inf\n", weight="w"),
    "suite: nothing but known failures": suited("what,want,old,new,k\ndates,a,a,b,1\n", known_failure="k"),
    "suite: a system that is what is expected": suited(expect="old"),
    "suite: repeats that are not there": suited(repeats=["older"]),
    "suite: repeats that are systems": suited(repeats=["old"]),
    "suite: expected answers and scores alone": suited(prediction=None, score="p"),
    "suite: nothing that is a case": suited("what,want,old,new\ndates,,a,b\n"),
    "metrics of suites: of another task": suited(metrics=["roc_auc"]),
    # Preference
    "reference of votes: unknown": voted(reference="prefered_text"),
    "reference of votes: none to be found": voted("x,y\n1,2\n"),
    "reference of votes: not named": voted("ann,ben\na,b\nb,b\n"),
    "reference of votes: never chose": voted("preferred_text,t\ntie,a\nleft,b\n", annotators=["t"]),
    "annotators: unknown": voted(annotators=["polte"]),
    "annotators: only the reference": voted(annotators=["preferred_text"]),
    "annotators: nobody else": voted("preferred_text,x\na,1\nb,2\n"),
    "split: unknown column": voted(split=["promt"]),
    "weight of pairs: negative": voted(weight="w"),
    "models: no columns of them": voted(models=["m1"]),
    "models: unknown": voted("preferred_text,t,model_a,model_b\na,a,x,y\nb,a,y,x\n", models=["z"]),
    "examples: negative": voted(examples=-1),
    "rating: unknown": voted(rating="glicko"),
    "labels: unknown": voted(labels=["polite=nobody"]),
    "labels: without a person": voted(labels=["polite"]),
    "metrics of votes: of another task": voted(metrics=["roc_auc"]),
    "votes in rows: without the vote": voted(VOTES, pair="pair", annotator="who"),
    "votes in rows: unknown column": voted(VOTES, pair="pair", annotator="whom", vote="vote"),
    "prompts: far apart in a stream": voted("preferred_text,t,prompt\n" + "a,b,q\nb,b,r\n" * 70_000, engine="stream"),
    "pairs: no JSON": pairs('{"comparisons": [1,\n'),
    "pairs: another JSON": pairs('{"rows": []}'),
    "pairs: nobody voted": pairs('{"comparisons": []}'),
    "pairs: none": pairs(f"{PAIRS}]}}", reference="r"),
    "pairs: votes that are no object": pairs(f'{PAIRS}{PAIR},\n{{"text_a": "x", "annotations": 3}}]}}', reference="r"),
    "pairs: no answer": pairs(
        f'{{"metadata": {{"version": "2.0"}},\n{PAIRS[1:]}{{"response_a": {{"text": "x"}}}}]}}', reference="r"
    ),
    "pairs: no such file": voted(name="judgments/nothing.json"),
    "export: several questions": export(studio(CHOSEN, STARS)),
    "export: an unknown question": export(studio(CHOSEN), pick={"question": "tune"}),
    "export: nothing is answered": export(studio("")),
    "export: boxes": export(studio(DRAWN)),
    "export: of another task": export(studio(VOTED_FOR)),
    "export: cut off": export(studio(CHOSEN)[:-9]),
    "export: nobody's": export(ANSWERED, "export.jsonl"),
    "export: several filters": export(FILTERED, "samples.jsonl", "classification"),
    "export: which columns": export('{"columns": ["a", "b"], "data": [["x", "y"]]}', task="classification"),
    "pick: unknown": export(studio(CHOSEN), pick={"task": "tone"}),
    "pick: unknown to the tool": export(studio(CHOSEN), pick={"filter": "tone"}),
    "pick: of an ordinary table": Case(asked={"pick": {"question": "tone"}}),
}


def options(settings: dict[str, Any]) -> list[str]:
    """The same request as command-line options."""
    given: list[str] = []
    for key, value in settings.items():
        pairs = [f"{label}={column}" for label, column in value.items()] if isinstance(value, dict) else value
        given += [f"--{key.replace('_', '-')}", *(pairs if isinstance(pairs, list) else [f"{pairs}"])]
    return given
