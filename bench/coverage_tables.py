from pathlib import Path
def write_tables(records, path): pass
