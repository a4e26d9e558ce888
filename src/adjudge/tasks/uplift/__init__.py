"""ask whether a score finds those whom a treatment helps"""
