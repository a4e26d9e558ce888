"""One metric of two plain arrays: its estimate, and the check of what they hold."""
