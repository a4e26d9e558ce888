"""What must hold for a release: requirements, the limits they are judged by, and verdicts."""
