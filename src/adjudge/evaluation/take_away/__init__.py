"""Tables to take away: a row for each row, item, query or pair."""
