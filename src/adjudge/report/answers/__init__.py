"""The first screen in words: clauses, headline, findings, next steps, and their order."""
