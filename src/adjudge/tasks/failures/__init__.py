"""how long does a system run until it fails, and does another one run longer?"""
