"""ask how good ranked lists are, and for which queries"""
