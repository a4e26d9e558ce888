"""ask whether an update breaks something, phenomenon by phenomenon of a test suite"""
