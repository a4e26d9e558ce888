"""`python -m adjudge` is the command `adjudge`."""

import sys

from adjudge.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
