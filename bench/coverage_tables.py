

def write_tables(records, path):
    pass
