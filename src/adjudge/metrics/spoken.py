"""What people type when they mean a metric of the catalogue, and whose word it is."""

from __future__ import annotations

# By the word in small letters without marks: the metric as it is written here, and where the word comes from.
SPOKEN: dict[str, tuple[str, str]] = {
    "f1": ("f_score", "scikit-learn's f1_score"),
    "f1score": ("f_score", "scikit-learn's f1_score"),
    "fbeta": ("f_score(beta=2)", "scikit-learn's fbeta_score"),
    "fbetascore": ("f_score(beta=2)", "scikit-learn's fbeta_score"),
    "fmeasure": ("f_score", "F-measure"),
    "macrof1": ("f_score(average=macro)", "scikit-learn's f1_score with average='macro'"),
    "f1macro": ("f_score(average=macro)", "scikit-learn's scorer f1_macro"),
    "f1micro": ("f_score(average=micro)", "scikit-learn's scorer f1_micro"),
    "microf1": ("f_score(average=micro)", "scikit-learn's f1_score with average='micro'"),
    "auc": ("roc_auc", "area under the ROC curve"),
    "auroc": ("roc_auc", "area under the ROC curve"),
    "rocaucscore": ("roc_auc", "scikit-learn's roc_auc_score"),
    "gini": ("roc_auc", "2 × area − 1"),
    "auprc": ("average_precision", "area under the precision–recall curve"),
    "ap": ("average_precision", "scikit-learn's average_precision_score"),
    "map": ("mean_average_precision", "of ranked lists"),
    "mcc": ("matthews_correlation", "scikit-learn's matthews_corrcoef"),
    "matthewscorrcoef": ("matthews_correlation", "scikit-learn's matthews_corrcoef"),
    "phi": ("matthews_correlation", "of two categories"),
    "sensitivity": ("recall", "of the positive label"),
    "tpr": ("recall", "true positive rate"),
    "ppv": ("precision", "positive predictive value"),
    "tnr": ("specificity", "true negative rate"),
    "fpr": ("specificity", "1 − false positive rate"),
    "fnr": ("recall", "1 − false negative rate"),
    "fdr": ("precision", "1 − false discovery rate"),
    "acc": ("accuracy", "scikit-learn's accuracy_score"),
    "accuracyscore": ("accuracy", "scikit-learn's accuracy_score"),
    "bacc": ("balanced_accuracy", "scikit-learn's balanced_accuracy_score"),
    "logloss": ("log_loss", "scikit-learn's log_loss"),
    "crossentropy": ("log_loss", "in natural logarithms"),
    "nll": ("log_loss", "negative log likelihood per row"),
    "brier": ("brier_score", "scikit-learn's brier_score_loss"),
    "brierscoreloss": ("brier_score", "scikit-learn's brier_score_loss"),
    "ece": ("calibration_error", "expected calibration error"),
    "kappa": ("cohen_kappa", "of two raters; fleiss_kappa or krippendorff_alpha of more"),
    "cohenkappascore": ("cohen_kappa", "scikit-learn's cohen_kappa_score"),
    "weightedkappa": ("cohen_kappa(weighting=quadratic)", "of two raters"),
    "qwk": ("quadratic_weighted_kappa", "of scores; cohen_kappa(weighting=quadratic) of labels"),
    "alpha": ("krippendorff_alpha", "Krippendorff's; not Cronbach's"),
    "krippendorff": ("krippendorff_alpha", "the package of that name"),
    "fleiss": ("fleiss_kappa", "statsmodels' fleiss_kappa"),
    "ac1": ("gwet_ac1", "irrCAC's gwet"),
    "ac2": ("gwet_ac2", "irrCAC's gwet with weights"),
    "pi": ("scott_pi", "of two raters"),
    "iaa": ("krippendorff_alpha", "inter-annotator agreement"),
    "intraclasscorrelation": ("icc", "pingouin's intraclass_corr"),
    "ccc": ("concordance_correlation", "Lin's"),
    "mse": ("mean_squared_error", "scikit-learn's mean_squared_error"),
    "rootmeansquarederror": ("rmse", "scikit-learn's root_mean_squared_error"),
    "mae": ("mean_absolute_error", "scikit-learn's mean_absolute_error"),
    "mape": ("mean_absolute_percentage_error", "scikit-learn's mean_absolute_percentage_error"),
    "smape": ("symmetric_mean_absolute_percentage_error", "the symmetric form"),
    "msle": ("mean_squared_log_error", "scikit-learn's mean_squared_log_error"),
    "medae": ("median_absolute_error", "scikit-learn's median_absolute_error"),
    "bias": ("mean_bias_error", "prediction minus reference"),
    "r2": ("r_squared", "scikit-learn's r2_score"),
    "r2score": ("r_squared", "scikit-learn's r2_score"),
    "r": ("pearson", "Pearson's correlation"),
    "rho": ("spearman", "Spearman's rank correlation"),
    "tau": ("kendall_tau", "Kendall's rank correlation"),
    "pinball": ("pinball_loss(quantile=0.9)", "scikit-learn's mean_pinball_loss"),
    "mrr": ("mean_reciprocal_rank", "trec_eval's recip_rank"),
    "reciprank": ("mean_reciprocal_rank", "trec_eval's recip_rank"),
    "ndcgscore": ("ndcg", "scikit-learn's ndcg_score, which has linear gains"),
    "ndcgcut": ("ndcg", "trec_eval's ndcg_cut, which has linear gains"),
    "p": ("precision_at", "trec_eval's P"),
    "err": ("expected_reciprocal_rank", "of ranked lists; error_rate of decisions"),
    "hitrate": ("hit_rate_at", "of ranked lists, at a cut-off"),
    "precisionatk": ("precision_at", "of ranked lists, at a cut-off"),
    "recallatk": ("recall_at", "of ranked lists, at a cut-off"),
    "rbp": ("rank_biased_precision", "Moffat and Zobel's"),
    "smd": ("standardized_mean_difference", "RSMTool's SMD"),
    "dsm": ("difference_of_standardized_means", "RSMTool's DSM"),
    "exactagr": ("exact_agreement", "RSMTool's exact_agr"),
    "adjagr": ("adjacent_agreement", "RSMTool's adj_agr"),
    "auuc": ("uplift_auc", "area under the uplift curve"),
    "strength": ("preference_strength", "Feedback Forensics' strength"),
    "masi": ("set_alpha(distance=masi)", "NLTK's masi_distance"),
    "jaccard": ("set_alpha(distance=jaccard)", "NLTK's jaccard_distance"),
}


# Of what is written with a cut-off: ndcg@10.
AT: dict[str, tuple[str, str]] = {
    "ndcg": ("ndcg(at={})", "ir_measures' nDCG@k, which has linear gains"),
    "p": ("precision_at(at={})", "ir_measures' P@k"),
    "precision": ("precision_at(at={})", "of ranked lists"),
    "r": ("recall_at(at={})", "ir_measures' R@k"),
    "recall": ("recall_at(at={})", "of ranked lists"),
    "hit": ("hit_rate_at(at={})", "of ranked lists"),
    "mrr": ("mean_reciprocal_rank(at={})", "ir_measures' RR@k"),
    "map": ("mean_average_precision(at={})", "ir_measures' AP@k"),
}


def spoken(name: str) -> str:
    """The advice for a word that other tools use, empty where it is none.

    >>> spoken("F1")
    "Here it is f_score (scikit-learn's f1_score)."
    >>> spoken("P@10")
    "Here it is precision_at(at=10) (ir_measures' P@k)."
    >>> spoken("zzz")
    ''
    """
    spelled, at, place = name.partition("(")[0].casefold().partition("@")
    word = "".join(sign for sign in spelled if sign.isalnum())
    here, whose = AT.get(word, ("", "")) if at and place.isdecimal() else SPOKEN.get(word, ("", ""))
    here = here.format(place)
    return f"Here it is {here} ({whose})." if here else ""
