import duckdb
import pytest
from expected import app


@pytest.fixture
def words(tmp_path):
    def of(text):
        app.save(tmp_path / "words.duckdb", text)
        with duckdb.connect(tmp_path / "words.duckdb") as own:
            return own.execute("SELECT word, often FROM words ORDER BY word").fetchall()

    return of


def test_words(words):
    assert words("to be or not to be") == [("be", 2), ("not", 1), ("or", 1), ("to", 2)]


def test_anew(words):
    words("one two")
    assert words("two two") == [("two", 2)]
