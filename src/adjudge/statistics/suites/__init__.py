"""Cases of a test suite that systems fail."""
