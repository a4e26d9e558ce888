"""Who and what is behind a coefficient of agreement: raters, items, labels, batches."""
