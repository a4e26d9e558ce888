"""does a system score as people do, for every group?"""
