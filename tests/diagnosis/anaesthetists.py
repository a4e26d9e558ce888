"""Dawid and Skene (1979), Table 1: 45 patients rated 1 to 4 by five anaesthetists, the first of them three times.

Every reading was compared with the copy in Dallas Card's dawid_skene.py.
"""

from __future__ import annotations

# Observer 1's three readings, then observers 2, 3, 4 and 5.
_ROWS = """
1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343 1111111 2223212 1211111
1112111 1111111 1111111 2222221 2221322 2222222 2222221 2223222 2212222 1111111 1111111 2322222 1111111 1111111 1121121
1111111 3333233 1111111 2222222 2223232 4334343 2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 2222222
"""

ALL_READINGS = [[int(digit) for digit in row] for row in _ROWS.split()]
FIRST_READINGS = [[row[0], *row[3:]] for row in ALL_READINGS]
