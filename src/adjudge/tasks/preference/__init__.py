"""which traits, people and models go with the answer that is chosen?"""
