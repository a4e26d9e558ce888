"""Many questions at once: several systems, several levels, several looks, several aims."""
