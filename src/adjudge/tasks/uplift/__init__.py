"""does a score find those whom a treatment helps?"""
