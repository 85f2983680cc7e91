"""A library in one SQLite file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Engine, create_engine, delete, event, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from .models import Author, Base, Book


@contextmanager
def opened(path: Path) -> Iterator[Engine]:
    engine = create_engine(URL.create("sqlite", database=str(path)))

    @event.listens_for(engine, "connect")
    def enforce_foreign_keys(connection, _record) -> None:
        connection.execute("PRAGMA foreign_keys=ON")

    try:
        yield engine
    finally:
        engine.dispose()


def create_database(path: Path) -> None:
    with opened(path) as engine:
        Base.metadata.create_all(engine)


def add_book(
    path: Path, author: str, title: str, isbn: str | None = None, pages: int = 0
) -> int:
    with opened(path) as engine, Session(engine) as session:
        writer = session.scalar(select(Author).where(Author.name == author)) or Author(name=author)
        session.add(writer)
        session.commit()
        book = Book(title=title, isbn=isbn, pages=pages, author=writer)
        session.add(book)
        try:
            session.commit()
        except IntegrityError as error:
            raise ValueError(f"the book was refused: {error.orig}") from error
        return book.id


def remove_author(path: Path, author: str) -> bool:
    with opened(path) as engine, engine.begin() as connection:
        return connection.execute(delete(Author).where(Author.name == author)).rowcount > 0
