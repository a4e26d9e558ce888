"""how good are ranked lists, and for which queries?"""
