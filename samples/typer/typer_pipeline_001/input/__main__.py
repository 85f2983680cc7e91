"""Filters for JSON Lines, started with `python -m` (typer 0.29.0 is installed; click is not).

    records [--from FILE]... [--to FILE] [--strict] COMMAND ...

    where CONDITION... [--any] [--limit N]     the records for which all conditions hold (--any: at
                                               least one), at most N of them (N is 1 or more)
    cut FIELD... [--rename OLD=NEW]...         of each record only these fields, those that it has, in
                                               the order of the command line; renamed ones under their
                                               new name in the same place
    tally FIELD                                how often each value of the field occurs: a record
                                               {"value": VALUE, "count": N} for each, the most frequent
                                               first, equally frequent ones in the order of their first
                                               occurrence; records without the field don't count.
                                               1, 1.0, true and "1" are different values

Each command reads records (reading.py) and writes records (writing.py). --from names a file to read, several
are read one after the other; without any, standard input is read, which is also meant by "-". --to names
the file to write; without it, or with "-", it is standard output. Conditions: conditions.py.

Records go through one by one: what `where --limit` does not need is not read at all, so lines behind the
last record that is needed can't be damaged.

Lines that hold no record are skipped; each is told on standard error by a line "PLACE:N: REASON". With
--strict the first one ends the program, told in the same way.

Exit codes: 0 if all went well; 1 if lines were skipped; 3 if --strict ended the program; 2 for wrong
usage: what typer refuses by itself, a --from file that does not exist (before anything is read), an
unreadable CONDITION, a --rename without "=" or with nothing on a side of it, or of a FIELD that is not cut. If
the code is 2, nothing is written at all.
"""

import typer

app = typer.Typer()


if __name__ == "__main__":
    app()
