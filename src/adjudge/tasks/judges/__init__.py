"""what would people say? a few human labels, many by an automatic judge"""
