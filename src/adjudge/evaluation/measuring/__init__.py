"""From sums to rows: the statistics of a view, its metrics, and their limits with what is to be noted of them."""
