"""Articles are indexed, added, and found by words and phrases."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from expected import app
from lancedb.table import Table

Rows = Callable[[str], list[dict[str, Any]]]
OpenTable = Callable[[str], Table]


def article(name: str, title: str, body: str, lang: str = "en") -> dict[str, str]:
    return {"id": name, "title": title, "body": body, "lang": lang}


ARTICLES = [
    article("login", "Signing in", "Open the page and enter the password you have chosen."),
    article("reset", "Lost password", "We send a link to your address."),
    article("running", "Jobs", "Jobs that are running can be stopped."),
    article("cafe", "Opening hours", "Our Café is closed on Sundays."),
    article("refund", "Money back", "Refunds are not paid for vouchers; not ever."),
    article("quotes", "Strings", "Write 'single' or \"double\" quotes around a string."),
    article("order", "Orders", "You cancel an order, then the shop sends the money."),
    article("shop", "Returns", "The order of the steps: pack, cancel, send."),
]


@pytest.fixture
def centre(db_path: Path) -> Path:
    app.build(db_path, ARTICLES)
    return db_path


def test_both_columns_are_indexed_by_words(centre: Path, open_table: OpenTable) -> None:
    indices = list(open_table("articles").list_indices())
    assert sorted(index.columns for index in indices) == [["body"], ["title"]]
    assert [index.index_type for index in indices] == ["FTS", "FTS"]


def test_any_of_the_words(centre: Path) -> None:
    assert sorted(app.search(centre, "password money")) == ["login", "order", "refund", "reset"]
    assert app.search(centre, "zebra") == []


def test_forms_case_and_accents_do_not_matter(centre: Path) -> None:
    assert app.search(centre, "RUN") == ["running"]
    assert app.search(centre, "cafe sunday") == ["cafe"]
    assert app.search(str(centre), "opened") == ["cafe", "login"]


def test_small_words_count(centre: Path) -> None:
    assert app.search(centre, "not") == ["refund"]
    assert sorted(app.search(centre, "the", limit=9)) == ["login", "order", "shop"]


def test_a_title_weighs_three_times(db_path: Path) -> None:
    filler = [article(f"f{n}", "other things", "nothing of that kind") for n in range(6)]
    app.build(
        db_path,
        [
            *filler,
            article("body", "other things", "printer printer"),
            article("title", "printer matters", "nothing of that kind"),
        ],
    )
    assert app.search(db_path, "printer") == ["title", "body"]
    assert app.search(db_path, "printer matters", mode="all") == ["title"]


def test_all_of_the_words_in_one_column(centre: Path) -> None:
    assert sorted(app.search(centre, "cancel order", mode="all")) == ["order", "shop"]
    assert app.search(centre, "lost password", mode="all") == ["reset"]
    assert app.search(centre, "lost link", mode="all") == []


def test_phrases_keep_the_order_of_words(centre: Path) -> None:
    assert app.search(centre, "cancel an order", mode="phrase") == ["order"]
    assert app.search(centre, "order cancel", mode="phrase") == []
    assert app.search(centre, "the order of the steps", mode="phrase") == ["shop"]
    assert app.search(centre, "Signing in", mode="phrase") == []


def test_what_people_type_is_no_syntax(centre: Path) -> None:
    assert sorted(app.search(centre, '"cancel order"')) == ["order", "shop"]
    assert app.search(centre, "'single' OR") == app.search(centre, "single or")
    assert app.search(centre, '"double"', mode="all") == ["quotes"]
    for text in ("", "  ", '"', "'--", "?!"):
        for mode in ("any", "all", "phrase"):
            assert app.search(centre, text, mode=mode) == []


def test_language_is_looked_at_before_the_limit(db_path: Path) -> None:
    near = [article(f"en{n}", "wine", "wine wine wine wine") for n in range(12)]
    odd = article("odd", "drinks", "there is a long list, and wine is in it", "x' OR '1'='1")
    french = article("fr", "boissons", "le wine est dans une longue liste de choses", "fr")
    app.build(db_path, [*near, odd, french])
    assert app.search(db_path, "wine", lang="fr") == ["fr"]
    assert app.search(db_path, "wine", lang="x' OR '1'='1") == ["odd"]
    assert app.search(db_path, "wine", lang="de") == []
    assert len(app.search(db_path, "wine", lang="en", limit=20)) == 12


def test_limit(centre: Path) -> None:
    app.add(centre, [article(f"n{n}", "spare", "wheel") for n in range(15)])
    assert len(app.search(centre, "wheel")) == 5
    assert len(app.search(centre, "wheel", limit=1)) == 1
    assert len(app.search(centre, "wheel", limit=12)) == 12


def test_added_articles_are_found_and_indexed(centre: Path, rows: Rows) -> None:
    assert app.waiting(centre) == 0
    app.add(centre, [article("bike", "Bicycles", "Where to park them.")])
    assert len(rows("articles")) == 9
    assert app.search(centre, "parked") == ["bike"]
    assert app.waiting(centre) == 0


def test_waiting_rows_are_counted(centre: Path, open_table: OpenTable) -> None:
    open_table("articles").add([article("a", "a", "a"), article("b", "b", "b")])
    open_table("articles").add([article("c", "c", "c")])
    assert app.waiting(centre) == 3


def test_building_again_replaces_everything(centre: Path, rows: Rows) -> None:
    app.build(centre, iter(ARTICLES[:1]))
    assert [row["id"] for row in rows("articles")] == ["login"]
    app.build(centre, [])
    assert rows("articles") == []
    assert app.search(centre, "password") == []
    app.add(centre, ARTICLES[1:2])
    assert app.search(centre, "password") == ["reset"]


def test_bad_arguments(centre: Path) -> None:
    with pytest.raises(ValueError):
        app.search(centre, "page", mode="fuzzy")
    with pytest.raises(ValueError):
        app.search(centre, "page", limit=0)
    with pytest.raises(ValueError):
        app.search(centre, "page", limit=-3)
