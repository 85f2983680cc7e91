"""Questions to a DuckDB file about charging stations for cars (duckdb 2.0.0 is installed, nothing else:
neither numpy nor pandas nor pyarrow). Other programs fill the file:

sessions  id INTEGER, station VARCHAR, begun TIMESTAMP, ended TIMESTAMP, kwh DECIMAL(8,3); `ended` and
          `kwh` are null as long as a car is charging, and such a session counts in no answer
tariffs   station VARCHAR (null: every station), since TIMESTAMP, cents INTEGER for a kWh (null: none
          from then on)

`path` is the file; it is there, with both tables, and is opened for reading only, since others read it
at the same time. Every function closes its connection. Rows stand in the tables in no particular order.
"""

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path


def bills(path: Path) -> list[tuple[int, int | None]]:
    """For each session its id and what it costs in whole cents, in the order of ids.

    A session costs its kWh by the tariff that was in force when it began: the one of its station with
    the latest `since` that is not after it. If there is none of its station, or that has null for
    its cents, the one for every station is taken, found in the same way. None if that is none, too. Half
    a cent is rounded up.
    """
    raise NotImplementedError


def occupations(path: Path, pause: int) -> list[tuple[str, datetime, datetime, int]]:
    """For each time that a station was in use: its name, the first begin, the last end, and the number
    of sessions; in the order of names, then begins.

    A station has several plugs, so sessions may overlap, and a long one may last until after later ones
    have ended. A session belongs to the same use as those before it if it begins at most `pause`
    minutes after the last moment at which one of them ended.
    """
    raise NotImplementedError


def rolling(path: Path, days: int) -> list[tuple[str, date, Decimal, Decimal]]:
    """For each station and each day on which a session of it began: the kWh of that day, and of the
    `days` days of the calendar that end with it (1 is that day alone), many of which may have none;
    in the order of names, then days.
    """
    raise NotImplementedError


def longest(path: Path, top: int) -> list[tuple[str, int, int]]:
    """The `top` longest sessions of each station, or all if there are fewer: its name, id and whole
    minutes, rounded down. In the order of names, the longest first, equally long ones (to the second, not
    only in minutes) by id.
    """
    raise NotImplementedError
