"""How good are ranked lists? Read this file to know everything the ranking task promises."""

from __future__ import annotations

from adjudge import metrics
from adjudge.evaluation.asking.likenesses import QUERY, RELEVANCE, SCORES, SLICES_OF_QUERIES, WEIGHT
from adjudge.evaluation.declaration import Demo, Role, Setting, TakeAway, Task
from adjudge.statistics.queries.means import QueryMeans
from adjudge.tasks.ranking.items import ranking_items
from adjudge.tasks.ranking.reading import opened_runs
from adjudge.tasks.ranking.screen import SCREEN
from adjudge.tasks.ranking.study import RankingStudy

TASK = Task(
    name="ranking",
    question="How good are the ranked lists, how sure are we, and for which queries are they bad?",
    roles=(
        Role("query", "column that says which query an item belongs to", like=QUERY),
        Role("relevance", "column of how relevant each item is, 0 or more", like=RELEVANCE, misnomers=("reference",)),
        Role(
            "score",
            "column of scores, best first; several columns are several systems",
            many=True,
            of_system=True,
            like=SCORES,
            misnomers=("prediction",),
        ),
        Role("document", "column that names each item", misnomers=("item",)),
        Role("weight", "column of query weights, the same for all items of a query", like=WEIGHT),
        Role("cluster", "column of queries to resample together, such as a person or a topic"),
        Role("slices", "columns to break results down by; 'a × b' crosses two", many=True, like=SLICES_OF_QUERIES),
    ),
    metrics=(
        metrics.ndcg,
        metrics.mean_reciprocal_rank,
        metrics.mean_average_precision,
        metrics.precision_at,
        metrics.recall_at,
        metrics.hit_rate_at,
        metrics.expected_reciprocal_rank,
        metrics.rank_biased_precision,
        metrics.query_kendall_tau,
    ),
    study=RankingStudy.of,
    headline=("ndcg(at=*)", "mean_reciprocal_rank", "mean_average_precision"),
    settings=(
        Setting("at", "how many items are looked at (default 5 10)", int, many=True, form="ints"),
        Setting("relevant_from", "items of this relevance or more are relevant (default 1)", float),
        Setting("no_relevant", "a query without a relevant item is undefined (default) or zero"),
        Setting("unjudged", "an item without a relevance is irrelevant (default), or left out: skip"),
        Setting("unscored", "an item without a score is left out: skip (default), or was missed by the system"),
        Setting("unanswered", "a query that a system does not answer counts zero (default), or is left out: skip"),
        Setting("negative", "a relevance below 0: refuse (default), or zero"),
        Setting("ties", "tied items get their expected value (default); trec: trec_eval's order, by document"),
        Setting("top_grade", "highest relevance there can be, for expected_reciprocal_rank (default 4)", float),
        Setting("queries", "how many of the hardest queries are listed (default 20)", int),
        Setting(
            "runs", "TREC run files; the table is then a TREC file of judgements", many=True, form="files", by_hand=True
        ),
    ),
    sections={"relations": ("Lists and queries", "How deep lists are good, and how their values are spread.")},
    opens=opened_runs,
    shapes=(("query", "relevance", "score"),),
    screen=SCREEN,
    demo=Demo(
        "searches.csv",
        {"query": "query", "relevance": "relevance", "score": ["overlap", "reranker"], "slices": ["kind"]},
    ),
    example=(
        '>>> table = {"q": [1, 1, 2, 2], "rel": [1, 0, 0, 1], "model": [0.9, 0.2, 0.8, 0.1]}\n'
        '>>> adjudge.ranking(table, query="q", relevance="rel", score="model")["mean_reciprocal_rank"].value\n'
        "0.75"
    ),
    tables=("queries",),
    uncounted="each query has a value of its own, worked out of all its rows, so that the cube would be the table",
    takes_away=(TakeAway("items", "each query: every metric, and its influence on the mean", ranking_items),),
    arrays={QueryMeans: ("relevance", "score")},
)
