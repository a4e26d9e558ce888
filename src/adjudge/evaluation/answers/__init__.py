"""What a task claims, how far the data bear it out, and what its first screen is made of."""
