"""Is a system fit for its purpose? Characteristics, and what they cost each other."""
