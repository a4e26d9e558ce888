"""ask which traits, people and models go with the choice between two answers"""
