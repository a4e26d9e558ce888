"""The declaration of preference: which traits, people and models go with the choice between two answers."""

from __future__ import annotations

from adjudge import metrics
from adjudge.data.formats.pair_tables import holds_pairs
from adjudge.evaluation.asking.likenesses import CHOICE, MODEL_A, MODEL_B, PROMPT, SLICES, TEXT_A, TEXT_B, VOTES
from adjudge.evaluation.cubes.keys import cells_by
from adjudge.evaluation.declaration import Demo, Role, Setting, TakeAway, Task
from adjudge.metrics.pair_fits import FITTED
from adjudge.statistics.preferences.votes import VoteTable
from adjudge.tasks.preference.items import preference_items
from adjudge.tasks.preference.opening import opened_pairs
from adjudge.tasks.preference.screen import SCREEN
from adjudge.tasks.preference.study import PreferenceStudy, vote_keys

TASK = Task(
    name="preference",
    question="Which traits go with the choice between two answers, how strongly, and what else could explain it?",
    roles=(
        Role(
            "reference",
            "annotator to measure against; by default the file's own, or `preferred_text` or `winner`",
            like=CHOICE,
        ),
        Role(
            "annotators",
            "who is measured, such as traits; by default all traits, or all columns of votes",
            many=True,
            like=VOTES,
        ),
        Role(
            "prompt",
            "column of prompts, whose pairs are drawn together (default: `prompt`, where there is one)",
            like=PROMPT,
            misnomers=("cluster",),
        ),
        Role("text_a", "column of first answers, for their lengths (default: `text_a`)", like=TEXT_A),
        Role("text_b", "column of second answers (default: `text_b`)", like=TEXT_B),
        Role("model_a", "column of who wrote the first answer (default: `model_a`)", like=MODEL_A),
        Role("model_b", "column of who wrote the second answer (default: `model_b`)", like=MODEL_B),
        Role("weight", "column of case weights"),
        Role("id", "column of pair ids, each of which may occur once"),
        Role("split", "columns to break results down by; 'a × b' crosses two", many=True),
        Role("slices", "the same as split, as other tasks call it", many=True, like=SLICES),
        Role("pair", "where each row is one vote: column that names the pair"),
        Role("annotator", "where each row is one vote: column of who voted"),
        Role("vote", "where each row is one vote: column of the vote"),
    ),
    metrics=(
        metrics.preference_strength,
        metrics.preference_relevance,
        metrics.preference_kappa,
        metrics.preference_kappa.using(chance="observed"),
        metrics.preference_accuracy,
        metrics.preference_strength.using(over="reference"),
        metrics.preference_relevance.using(over="reference"),
        metrics.preference_pairs,
        metrics.preference_pairs.using(of="chosen"),
        metrics.prefers_first,
        metrics.prefers_longer,
        metrics.answer_length,
        *(metrics.answer_length.using(of=which) for which in ("rejected", "a", "b")),
        *FITTED,
    ),
    study=PreferenceStudy.of,
    headline=("preference_strength",),
    settings=(
        Setting("models", "measure against models, too: the names of some, or none for all", many=True, form="names"),
        Setting("reference_models", "models that the others are held against (default all)", many=True, form="names"),
        Setting(
            "merge", "more files of the same pairs; what the first says stands", many=True, form="names", by_hand=True
        ),
        Setting(
            "labels",
            "JUDGE=PERSON: two annotators of one trait, to correct the judge's strength",
            many=True,
            form="named",
        ),
        Setting(
            "labels_from",
            "another table of judges and people, where people voted on none of these pairs",
            form="table",
            by_hand=True,
        ),
        Setting(
            "swapped",
            "NAME=COLUMN: the same annotator's votes with the answers in the other order; a is still the first answer",
            many=True,
            form="named",
        ),
        Setting("rating", "bradley_terry (default), or elo beside it, which depends on the order of pairs"),
        Setting("order", "random: which answer comes first was drawn; models are then ranked with the place counted"),
        Setting("examples", "how many pairs to show with their texts, which are private otherwise", int),
    ),
    sections={
        "comparisons": (
            "Strengths",
            "How strongly each trait goes with the choice. Where intervals overlap, a difference may be chance.",
        ),
        "to-act-on": (
            "Behind the strengths",
            "What the reference prefers, and what else could explain it: place, length, other traits, models.",
        ),
    },
    engine="memory",
    opens=opened_pairs,
    owns=holds_pairs,
    shapes=(("reference", "text_a", "text_b"), ("reference", "model_a", "model_b"), ("reference", "annotators")),
    screen=SCREEN,
    demo=Demo(
        "answers.csv",
        {
            "reference": "human",
            "annotators": ["structured", "hedged", "humour"],
            "slices": ["subject"],
        },
    ),
    example=(
        '>>> table = {"preferred_text": ["a", "b", "a", "b"], "polite": ["a", "b", "tie", "a"]}\n'
        '>>> adjudge.preference(table, reference="preferred_text")["preference_strength"].value\n'
        "0.25"
    ),
    tables=("votes",),
    cells=cells_by(vote_keys),
    takes_away=(TakeAway("items", "each pair: what the reference and each annotator chose", preference_items),),
    arrays={VoteTable: ("reference", "annotators")},
)
