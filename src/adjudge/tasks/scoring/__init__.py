"""ask whether a system scores as people do, for everybody"""
