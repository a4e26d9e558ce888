"""does an update break anything? test cases, by phenomenon"""
