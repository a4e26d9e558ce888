"""how good are predicted labels or scores, measured against true labels?"""
