"""Who said what of which item, as counts of items that were rated alike."""
