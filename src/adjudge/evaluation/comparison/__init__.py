"""Two or more systems beside one another: differences, their tests, and who may be the best."""
