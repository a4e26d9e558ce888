"""What Yggdrasil Decision Forests computes otherwise than adjudge, for whoever must have its figure."""

from __future__ import annotations

from adjudge.evaluation.asking.border import bordered
from adjudge.inference.differences.paired_shares import PairedShares


@bordered
def one_sided_mcnemar(pairs: PairedShares) -> float:
    """Yggdrasil's one-sided McNemar value, P(X > b): what was seen itself is left out, so it is no p-value.

    With a tenth of the rows discordant it rejects 13.5 % of equal systems at 5 % (n = 50), 8.4 % (n = 200). The test
    is `adjudge.inference.differences.paired_shares.mcnemar(pairs, "greater")`, which is P(X ≥ b).

    >>> round(one_sided_mcnemar(PairedShares(0, 8, 2, 0)), 7)
    0.0107422
    """
    from scipy.special import bdtrc

    return float(bdtrc(pairs.only_first, pairs.differing, 0.5)) if pairs.differing else 0.0
