"""What is behind a choice between two answers: traits, judges, models."""
