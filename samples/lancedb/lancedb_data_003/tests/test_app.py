"""Posts are paged by number and by cursor."""

from pathlib import Path
from typing import Any

import lancedb
import pytest
from expected import app


def post(name: str, published: int, author: str = "ann") -> dict[str, Any]:
    return {"id": name, "author": author, "published": published, "body": f"about {name}"}


def fill(path: Path, posts: list[dict[str, Any]]) -> None:
    db = lancedb.connect(str(path))
    if "posts" in db.list_tables().tables:
        db.open_table("posts").add(posts)
    else:
        db.create_table("posts", posts)


def ids(answer: dict[str, Any]) -> list[str]:
    return [row["id"] for row in answer["posts"]]


@pytest.fixture
def blog(db_path: Path) -> Path:
    """Seven posts, stored out of order; three of them at the same second."""
    fill(db_path, [post("c", 300), post("b", 200, "bob"), post("tie3", 250), post("tie1", 250)])
    fill(db_path, [post("a", 100), post("tie2", 250, "bob"), post("d", 400)])
    return db_path


def test_newest_come_first_and_ties_by_id(blog: Path) -> None:
    assert ids(app.page(blog)) == ["d", "c", "tie1", "tie2", "tie3", "b", "a"]
    assert ids(app.page(str(blog), 1, 2)) == ["d", "c"]


def test_posts_have_the_stated_shape(blog: Path) -> None:
    wanted = {"id": "b", "author": "bob", "published": 200, "body": "about b"}
    assert app.page(blog, 6, 1)["posts"] == [wanted]
    assert app.after(blog)["posts"][5] == wanted


def test_pages_and_totals(blog: Path) -> None:
    second = app.page(blog, 2, 3)
    assert ids(second) == ["tie2", "tie3", "b"]
    assert second["total"] == 7
    assert second["pages"] == 3
    assert ids(app.page(blog, 3, 3)) == ["a"]
    assert app.page(blog, 1, 7)["pages"] == 1
    assert app.page(blog, 4, 3) == {"posts": [], "total": 7, "pages": 3}


def test_ten_posts_a_page(db_path: Path) -> None:
    fill(db_path, [post(f"p{n:02}", n) for n in range(25)])
    assert ids(app.page(db_path)) == [f"p{n:02}" for n in range(24, 14, -1)]
    assert ids(app.page(db_path, 3)) == ["p04", "p03", "p02", "p01", "p00"]
    assert app.page(db_path)["pages"] == 3
    assert len(app.page(db_path, size=20)["posts"]) == 20
    assert len(app.after(db_path)["posts"]) == 10


def test_posts_of_one_author(blog: Path) -> None:
    assert ids(app.page(blog, author="bob")) == ["tie2", "b"]
    assert app.page(blog, 2, 1, author="bob")["total"] == 2
    assert ids(app.page(blog, 2, 1, author="bob")) == ["b"]
    assert app.page(blog, author="eve") == {"posts": [], "total": 0, "pages": 0}


def test_authors_are_values(db_path: Path) -> None:
    fill(db_path, [post("1", 1, "O'Neil"), post("2", 2, "x' OR '1'='1"), post("3", 3)])
    assert ids(app.page(db_path, author="O'Neil")) == ["1"]
    assert app.page(db_path, author="x' OR '1'='1")["total"] == 1
    assert app.page(db_path, author="y' OR '1'='1")["total"] == 0


def test_cursors_lead_through_all_posts(blog: Path) -> None:
    first = app.after(blog, None, 3)
    assert ids(first) == ["d", "c", "tie1"]
    second = app.after(blog, first["cursor"], 2)
    assert ids(second) == ["tie2", "tie3"]
    third = app.after(str(blog), second["cursor"], 9)
    assert ids(third) == ["b", "a"]
    assert third["cursor"] is None


def test_no_cursor_where_nothing_is_left(blog: Path) -> None:
    assert app.after(blog, size=7)["cursor"] is None
    almost = app.after(blog, size=6)
    assert almost["cursor"] is not None
    assert ids(app.after(blog, almost["cursor"], 1)) == ["a"]
    assert app.after(blog, almost["cursor"], 1)["cursor"] is None


def test_new_posts_do_not_shift_the_list(blog: Path) -> None:
    first = app.after(blog, None, 2)
    fill(blog, [post("new", 500), post("newer", 600)])
    assert ids(app.after(blog, first["cursor"], 2)) == ["tie1", "tie2"]


def test_removed_posts_do_not_shift_the_list(blog: Path) -> None:
    first = app.after(blog, None, 4)
    lancedb.connect(str(blog)).open_table("posts").delete("id IN ('c', 'tie2')")
    assert ids(app.after(blog, first["cursor"], 2)) == ["tie3", "b"]


def test_ids_with_quotes_go_through_cursors(db_path: Path) -> None:
    fill(db_path, [post("it's", 5), post('say "hi"', 5), post("z", 5), post("a", 5)])
    first = app.after(db_path, None, 2)
    assert ids(first) == ["a", "it's"]
    assert ids(app.after(db_path, first["cursor"], 1)) == ['say "hi"']


def test_bad_arguments(blog: Path) -> None:
    for number, size in ((0, 5), (-1, 5), (1, 0), (2, -2)):
        with pytest.raises(ValueError):
            app.page(blog, number, size)
    with pytest.raises(ValueError):
        app.after(blog, None, 0)
    for cursor in ("", "nonsense", "1 OR 1=1"):
        with pytest.raises(ValueError):
            app.after(blog, cursor)


def test_missing_folder_or_table(db_path: Path) -> None:
    with pytest.raises(LookupError):
        app.page(db_path)
    with pytest.raises(LookupError):
        app.after(db_path)
    assert not db_path.exists()
    lancedb.connect(str(db_path)).create_table("unrelated", [{"n": 1}])
    with pytest.raises(LookupError):
        app.page(db_path)
