"""ask how far off predicted numbers are, where, and for whom"""
