"""Search by metric, filter, distance and limit over a table that the tests fill themselves."""

from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
import pytest
from expected import app

SCHEMA = pa.schema(
    [
        pa.field("id", pa.string()),
        pa.field("title", pa.string()),
        pa.field("topic", pa.string()),
        pa.field("year", pa.int64()),
        pa.field("vector", pa.list_(pa.float32(), 4)),
    ]
)
QUERY = [1.0, 0.0, 0.0, 0.0]

# Seen from QUERY the three metrics disagree: `near` wins by l2, `long` by cosine, `far` by dot.
RANKED = [
    ("near", [1.0, 0.5, 0.0, 0.0]),
    ("long", [4.0, 0.0, 0.0, 0.0]),
    ("far", [8.0, 7.0, 0.0, 0.0]),
    ("aside", [0.0, 2.0, 0.0, 0.0]),
]


def article(
    name: str, vector: list[float], topic: str = "general", year: int = 2020
) -> dict[str, Any]:
    return {"id": name, "title": f"On {name}", "topic": topic, "year": year, "vector": vector}


def fill(path: Path, articles: list[dict[str, Any]]) -> None:
    db = lancedb.connect(str(path))
    db.create_table("articles", schema=SCHEMA, exist_ok=True).add(articles)


def ids(hits: list[dict[str, Any]]) -> list[str]:
    return [hit["id"] for hit in hits]


def test_cosine_is_the_default_and_hits_have_the_stated_shape(db_path: Path) -> None:
    fill(db_path, [article(name, vector) for name, vector in RANKED])
    hits = app.find_similar(str(db_path), QUERY)
    assert ids(hits) == ["long", "near", "far", "aside"]
    assert all(set(hit) == {"id", "title", "distance"} for hit in hits)
    assert [hit["title"] for hit in hits] == ["On long", "On near", "On far", "On aside"]
    wanted = [0.0, 1 - 1 / 1.25**0.5, 1 - 8 / 113**0.5, 1.0]
    assert [hit["distance"] for hit in hits] == pytest.approx(wanted, abs=1e-5)


def test_metric_decides_ranking_and_distance(db_path: Path) -> None:
    fill(db_path, [article(name, vector) for name, vector in RANKED])
    by_l2 = app.find_similar(db_path, QUERY, metric="l2")
    assert ids(by_l2) == ["near", "aside", "long", "far"]
    assert [hit["distance"] for hit in by_l2] == pytest.approx([0.25, 5.0, 9.0, 98.0], abs=1e-4)
    by_dot = app.find_similar(db_path, QUERY, metric="dot")
    assert ids(by_dot) == ["far", "long", "near", "aside"]
    assert [hit["distance"] for hit in by_dot] == pytest.approx([-7.0, -3.0, 0.0, 1.0], abs=1e-4)


def test_limit_is_kept_also_beyond_ten(db_path: Path) -> None:
    fill(db_path, [article(f"n{n:02}", [1.0, 0.1 * n, 0.0, 0.0]) for n in range(25)])
    assert ids(app.find_similar(db_path, QUERY)) == ["n00", "n01", "n02", "n03", "n04"]
    assert ids(app.find_similar(db_path, QUERY, limit=1)) == ["n00"]
    assert ids(app.find_similar(db_path, QUERY, limit=20)) == [f"n{n:02}" for n in range(20)]
    assert len(app.find_similar(db_path, QUERY, limit=60)) == 25


def test_conditions_apply_before_the_limit(db_path: Path) -> None:
    crowd = [article(f"crowd{n}", [1.0, 0.01 * n, 0.0, 0.0]) for n in range(20)]
    rare = [
        article("new", [1.0, 4.0, 0.0, 0.0], "rare", 2024),
        article("edge", [1.0, 5.0, 0.0, 0.0], "rare", 2022),
        article("old", [1.0, 3.0, 0.0, 0.0], "rare", 2021),
        article("other", [1.0, 6.0, 0.0, 0.0], "odd", 2023),
    ]
    fill(db_path, [*crowd, *rare])
    assert ids(app.find_similar(db_path, QUERY, limit=2, topics=["rare"])) == ["old", "new"]
    assert ids(app.find_similar(db_path, QUERY, limit=3, min_year=2022)) == ["new", "edge", "other"]
    both = app.find_similar(db_path, QUERY, topics=["rare", "odd"], min_year=2023)
    assert ids(both) == ["new", "other"]
    assert app.find_similar(db_path, QUERY, topics=[]) == []
    assert app.find_similar(db_path, QUERY, topics=["unheard of"]) == []


def test_topics_are_values_whatever_they_hold(db_path: Path) -> None:
    injection = "x') OR ('1'='1"
    topics = ["kids' books", 'so-called "news"', injection]
    fill(db_path, [article(topic, [1.0, 1.0, 0.0, 0.0], topic) for topic in topics])
    for topic in topics:
        assert ids(app.find_similar(db_path, QUERY, topics=[topic])) == [topic]
    assert app.find_similar(db_path, QUERY, topics=["y') OR ('1'='1"]) == []


def test_max_distance_includes_the_bound(db_path: Path) -> None:
    fill(db_path, [article(f"n{n}", [1.0 + n, 0.0, 0.0, 0.0]) for n in range(4)])
    within = app.find_similar(db_path, QUERY, metric="l2", max_distance=4.0)
    assert ids(within) == ["n0", "n1", "n2"]
    assert ids(app.find_similar(db_path, QUERY, metric="l2", max_distance=3.9)) == ["n0", "n1"]
    assert ids(app.find_similar(db_path, QUERY, metric="l2", max_distance=0.0)) == ["n0"]


def test_more_like_leaves_out_only_the_article_itself(db_path: Path) -> None:
    fill(
        db_path,
        [
            article("twin", [2.0, 1.0, 0.0, 0.0]),
            article("it's me", [2.0, 1.0, 0.0, 0.0]),
            article("scaled", [20.0, 12.0, 0.0, 0.0]),
            article("aside", [0.0, 0.0, 1.0, 0.0]),
        ],
    )
    assert ids(app.more_like(db_path, "it's me")) == ["twin", "scaled", "aside"]
    assert ids(app.more_like(db_path, "twin", limit=2)) == ["it's me", "scaled"]
    assert ids(app.more_like(db_path, "aside", limit=1)) != ["aside"]


def test_bad_arguments_raise_value_error(db_path: Path) -> None:
    fill(db_path, [article("a", QUERY)])
    for vector, options in (
        (QUERY, {"limit": 0}),
        (QUERY, {"limit": -1}),
        ([1.0, 0.0], {}),
        (QUERY, {"metric": "nearest"}),
    ):
        with pytest.raises(ValueError):
            app.find_similar(db_path, vector, **options)
    with pytest.raises(ValueError):
        app.more_like(db_path, "a", limit=0)


def test_missing_table_database_or_article_raises_lookup_error(db_path: Path) -> None:
    with pytest.raises(LookupError):
        app.find_similar(db_path, QUERY)
    lancedb.connect(str(db_path)).create_table("unrelated", [{"n": 1}])
    with pytest.raises(LookupError):
        app.find_similar(db_path, QUERY)
    with pytest.raises(LookupError):
        app.more_like(db_path, "a")
    fill(db_path, [article("a", QUERY)])
    with pytest.raises(LookupError):
        app.more_like(db_path, "x' OR '1'='1")
    assert ids(app.find_similar(db_path, QUERY)) == ["a"]
