"""Golden rows of spans and of sets of labels."""

from __future__ import annotations

from tests.golden.row import Row

README_TRUE = [["O", "O", "O", "B-MISC", "I-MISC", "I-MISC", "O"], ["B-PER", "I-PER", "O"]]
README_SAID = [["O", "O", "B-MISC", "I-MISC", "I-MISC", "I-MISC", "O"], ["B-PER", "I-PER", "O"]]
SEQEVAL = "seqeval 1.2.2, example of its README"

MUC_TRUE = [[("PER", 0, 5), ("LOC", 6, 10), ("ORG", 12, 16)]]
MUC_SAID = [[("PER", 0, 5), ("LOC", 7, 10), ("PER", 12, 16), ("ORG", 20, 23)]]
NERVALUATE = "nervaluate 1.2.1, one document: a hit, a wrong boundary, a wrong label, a span too many"
THREE = [[["B-A", "O"], ["B-B", "O"]], [["B-A", "O"], ["O", "O"]], [["B-A", "B-B"], ["B-B", "O"]]]

SIX_ITEMS = [
    [{"a"}, {"a"}],
    [{"a", "b"}, {"b"}],
    [{"b"}, {"b"}],
    [{"c"}, {"a"}],
    [{"a", "b", "c"}, {"a", "c", "d"}],
    [{"d"}, {"d"}],
]
FIVE_ITEMS = [
    [{"a"}, {"a"}, {"a", "b"}],
    [{"b"}, {"b", "c"}, {"b"}],
    [{"a", "c"}, {"a", "c"}, None],
    [{"d"}, {"a"}, {"d"}],
    [{"a", "b", "c"}, {"b", "c"}, {"c"}],
]
NINE_ITEMS = [
    [set(), set()],
    [{"a"}, set()],
    [{"a"}, {"a"}],
    [{"a"}, {"b"}],
    [{"a", "b"}, {"a"}],
    [{"a", "b"}, {"a", "c"}],
    [{"a", "b", "c"}, {"a", "b", "c"}],
    [{"c"}, {"a", "c"}],
    [{"c"}, {"a", "c"}],
]
NLTK = "nltk 3.10.4, AnnotationTask.alpha with {}_distance"

SPANS = [
    Row("span_f_score", README_TRUE, README_SAID, 0.5, SEQEVAL),
    Row("span_f_score(average=macro)", README_TRUE, README_SAID, 0.5, SEQEVAL),
    Row("span_precision", README_TRUE, README_SAID, 0.5, SEQEVAL),
    Row("span_recall", README_TRUE, README_SAID, 0.5, SEQEVAL),
    Row("span_f_score", README_TRUE, README_SAID, 1.0, SEQEVAL, positive="PER"),
    Row("span_precision(match=strict)", MUC_TRUE, MUC_SAID, 1 / 4, NERVALUATE),
    Row("span_recall(match=strict)", MUC_TRUE, MUC_SAID, 1 / 3, NERVALUATE),
    Row("span_precision(match=partial)", MUC_TRUE, MUC_SAID, 0.625, NERVALUATE),
    Row("span_recall(match=partial)", MUC_TRUE, MUC_SAID, 5 / 6, NERVALUATE),
    Row("span_f_score(match=strict)", MUC_TRUE, MUC_SAID, 2 / 7, NERVALUATE),
    Row("span_f_score(match=exact)", MUC_TRUE, MUC_SAID, 4 / 7, NERVALUATE),
    Row("span_f_score(match=partial)", MUC_TRUE, MUC_SAID, 5 / 7, NERVALUATE),
    Row("span_f_score(match=type)", MUC_TRUE, MUC_SAID, 4 / 7, NERVALUATE),
    Row("pairwise_span_f", THREE, None, (2 / 3 + 4 / 5 + 1 / 2) / 3, "seqeval 1.2.2, mean of f1_score over pairs"),
]

LABEL_SETS = [
    Row("set_alpha(distance=jaccard)", SIX_ITEMS, None, 0.5621890547263682, NLTK.format("jaccard")),
    Row("set_alpha(distance=masi)", SIX_ITEMS, None, 0.48517940717628694, NLTK.format("masi")),
    Row("set_alpha(distance=jaccard)", FIVE_ITEMS, None, 0.46240601503759415, NLTK.format("jaccard")),
    Row("set_alpha", FIVE_ITEMS, None, 0.40819423368740504, NLTK.format("masi")),
    Row(
        "set_alpha(distance=masi_dkpro)",
        NINE_ITEMS,
        None,
        0.252,
        "DKPro Statistics, SetAnnotationsTest: .252, to the thousandth it asks for",
        1e-3,
    ),
    Row("macro_label_alpha", SIX_ITEMS, None, 0.5649470899470899, "nltk 3.10.4, mean of four alphas"),
    Row("label_alpha", FIVE_ITEMS, None, 0.4693877551020408, "krippendorff 0.9.0, has the label or not", positive="a"),
    Row("label_alpha", FIVE_ITEMS, None, 0.7291666666666667, "krippendorff 0.9.0, has the label or not", positive="c"),
    Row("label_agreement", SIX_ITEMS, None, 0.8, "scikit-learn 1.9.1, f1_score of two indicators", positive="b"),
    Row("set_similarity", SIX_ITEMS, None, 3.5 / 6, "worked by hand: 1, 1/3, 1, 0, 1/6, 1"),
    Row("set_similarity(distance=jaccard)", SIX_ITEMS, None, 4 / 6, "worked by hand: 1, 1/2, 1, 0, 1/2, 1"),
    Row("same_set_agreement", SIX_ITEMS, None, 3 / 6, "worked by hand: three of six"),
]
