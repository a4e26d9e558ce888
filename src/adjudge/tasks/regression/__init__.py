"""how far off are predicted numbers, where, and for whom?"""
