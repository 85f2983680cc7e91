"""A library in one SQLite file, by SQLAlchemy 2 (2.1.8 is installed, nothing else).

Tables, with exactly these columns:

authors: id (integer, primary key), name (text, never null, unique)
books:   id (integer, primary key), title (text, never null), isbn (text, may be null, unique),
         pages (integer, never null, 0 if an INSERT does not say),
         author_id (integer, never null, refers to authors.id)

The database itself holds the rules, whoever writes: `pages` is never negative, a name and an isbn
occur once, and when an author is deleted, the author's books are deleted by ON DELETE CASCADE.
There is an index on books.author_id. SQLite enforces foreign keys only for connections that ask
for it (`PRAGMA foreign_keys=ON`): every connection of this module must.

`path` is the file's place. No function leaves a connection open. This file is imported as part of
a package: import further modules of your own relatively (`from .models import ...`).
"""

from pathlib import Path


def create_database(path: Path) -> None:
    """Create the file and the tables. Where they exist already, their rows stay as they are."""
    raise NotImplementedError


def add_book(
    path: Path, author: str, title: str, isbn: str | None = None, pages: int = 0
) -> int:
    """Store a book and return its id. The author is found by name, or stored too if unknown.

    ValueError if the database refuses the book (its isbn exists, its pages are negative); then
    nothing is stored, not even a new author.
    """
    raise NotImplementedError


def remove_author(path: Path, author: str) -> bool:
    """Delete the author of that name, and with it the author's books; whether there was one."""
    raise NotImplementedError
