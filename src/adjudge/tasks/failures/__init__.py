"""tell how long a system runs until it fails, and whether another one runs longer"""
