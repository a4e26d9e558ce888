"""Gates in the hand, in words, on the page, in a terminal and for continuous integration."""
