"""Clean judgements of every kind: labels, numbers, ratings, sets, spans, queries, votes."""
