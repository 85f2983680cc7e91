"""A library in one SQLite file, with tables instead of models."""

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.pool import NullPool

metadata = sa.MetaData()
authors = sa.Table(
    "authors",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.String(200), nullable=False, unique=True),
)
books = sa.Table(
    "books",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("isbn", sa.Text),
    sa.Column("pages", sa.Integer, nullable=False, server_default=sa.text("0")),
    sa.Column("author_id", sa.ForeignKey(authors.c.id, ondelete="CASCADE"), nullable=False),
    sa.CheckConstraint("NOT pages < 0", name="some_pages"),
    sa.UniqueConstraint("isbn"),
    sa.Index("books_by_author", "author_id"),
)


def engine_of(path):
    engine = sa.create_engine(f"sqlite:///{path}", poolclass=NullPool)

    def connected(connection, _):
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    sa.event.listen(engine, "connect", connected)
    return engine


def create_database(path: Path) -> None:
    with engine_of(path).begin() as connection:
        metadata.create_all(connection)


def add_book(
    path: Path, author: str, title: str, isbn: str | None = None, pages: int = 0
) -> int:
    try:
        with engine_of(path).begin() as connection:
            connection.execute(insert(authors).values(name=author).on_conflict_do_nothing())
            writer = sa.select(authors.c.id).where(authors.c.name == author).scalar_subquery()
            book = {"title": title, "isbn": isbn, "pages": pages, "author_id": writer}
            return connection.execute(sa.insert(books).values(book)).inserted_primary_key[0]
    except sa.exc.IntegrityError as error:
        raise ValueError("refused") from error


def remove_author(path: Path, author: str) -> bool:
    with engine_of(path).begin() as connection:
        done = connection.execute(sa.delete(authors).where(authors.c.name == author))
    return bool(done.rowcount)
