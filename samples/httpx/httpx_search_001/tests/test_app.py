"""Pages follow their links, lists stop where they are full, and details come in order."""

import httpx
import pytest
from expected import app, wire

URL = "https://museum.example/api"


def first(topic, per_page):
    return f"{URL}/objects?topic={topic}&per_page={per_page}"


def page(server, ids, link=None):
    headers = {} if link is None else {"link": link}
    return server.reply(200, [{"id": number} for number in ids], headers)


@pytest.fixture
def transport(answer):
    return wire.Wire(answer)


def test_pages_follow_the_next_link(server, transport):
    after = f"{URL}/objects?cursor=b%2Bc"
    server.routes = {
        f"GET {first('clay', 2)}": lambda _: page(
            server, [5, 3], f'<{URL}/objects?cursor=0>; rel="first", <{after}>; rel="next"'
        ),
        f"GET {after}": lambda _: page(server, [9], f'<{URL}/objects?cursor=0>; rel="first"'),
    }
    found = list(app.pages(URL, "clay", 2, transport))
    assert found == [[{"id": 5}, {"id": 3}], [{"id": 9}]]
    assert server.urls() == [first("clay", 2), after]


def test_a_page_holds_fifty_unless_told_otherwise(server, transport):
    server.answers = [page(server, [])]
    assert list(app.pages(URL, "R&D", transport=transport)) == [[]]
    assert server.urls() == [first("R%26D", 50)]


def test_a_relative_link_belongs_to_its_page(server, transport):
    server.answers = [
        page(server, [1], '<?cursor=2>; rel="next"'),
        page(server, [2], '</v2/objects?cursor=3>; rel="next"'),
        page(server, [3]),
    ]
    assert len(list(app.pages(URL, "clay", 1, transport))) == 3
    assert server.urls() == [
        first("clay", 1), f"{URL}/objects?cursor=2",
        "https://museum.example/v2/objects?cursor=3",
    ]


def test_pages_are_asked_for_when_they_are_wanted(server, transport):
    server.answers = [page(server, [1], f'<?cursor={number}>; rel="next"') for number in range(9)]
    found = app.pages(URL, "clay", 1, transport)
    assert len(server.asked) == 0
    assert next(found) == [{"id": 1}]
    assert len(server.asked) == 1
    next(found)
    assert len(server.asked) == 2


def test_a_circle_of_pages_ends(server, transport):
    server.answers = [
        page(server, [1], '<?cursor=2>; rel="next"'),
        page(server, [2], '<?cursor=3>; rel="next"'),
        page(server, [3], '<?cursor=2>; rel="next"'),
        page(server, [2], '<?cursor=3>; rel="next"'),
    ]
    found = list(app.pages(URL, "clay", 7, transport))
    assert found == [[{"id": 1}], [{"id": 2}], [{"id": 3}]]


def test_a_failing_page_raises(server, transport):
    server.answers = [page(server, [1], '<?cursor=2>; rel="next"'), server.reply(500, [])]
    found = app.pages(URL, "clay", 1, transport)
    next(found)
    with pytest.raises(httpx.HTTPStatusError):
        next(found)


def test_ids_are_collected_up_to_the_limit(server, transport):
    server.answers = [page(server, [4, 2, 4], '<?cursor=2>; rel="next"')]
    assert app.collect(URL, "clay", 1, transport) == [4]
    assert server.urls() == [first("clay", 1)]


def test_an_object_that_occurs_twice_is_listed_once(server, transport):
    server.answers = [
        page(server, [4, 2, 4], '<?cursor=2>; rel="next"'),
        page(server, [2, 7, 1], '<?cursor=3>; rel="next"'),
    ]
    assert app.collect(URL, "clay", 3, transport) == [4, 2, 7]
    assert server.urls() == [first("clay", 3), f"{URL}/objects?cursor=2"]


def test_fewer_than_the_limit(server, transport):
    server.answers = [page(server, [4, 2], '<?cursor=2>; rel="next"'), page(server, [])]
    assert app.collect(URL, "clay", 51, transport) == [4, 2]
    assert server.urls()[0] == first("clay", 50)


def test_nothing_is_asked_for_a_limit_of_zero(server, transport):
    assert app.collect(URL, "clay", 0, transport) == []
    assert server.asked == []


def test_details_come_in_the_order_asked_for(server, transport):
    server.routes["*"] = lambda asked: server.reply(200, {"id": int(asked.url[-1])})
    found = app.details(URL, [3, 1, 2, 1, 3], transport=transport)
    assert [each["id"] for each in found] == [3, 1, 2, 1, 3]
    assert sorted(server.urls()) == [f"{URL}/objects/{number}" for number in (1, 2, 3)]


@pytest.mark.parametrize("gone", [404, 410])
def test_objects_that_are_gone_are_none(server, transport, gone):
    server.routes = {
        f"GET {URL}/objects/1": lambda _: server.reply(200, {"id": 1}),
        f"GET {URL}/objects/2": lambda _: server.reply(gone, {"error": "gone"}),
    }
    assert app.details(URL, [2, 1], transport=transport) == [None, {"id": 1}]


@pytest.mark.parametrize("status", [403, 500])
def test_other_errors_raise(server, transport, status):
    server.routes["*"] = lambda _: server.reply(status, {"id": 1})
    with pytest.raises(httpx.HTTPStatusError):
        app.details(URL, [1, 2], transport=transport)


@pytest.mark.parametrize(
    ("at_once", "count", "most"), [(3, 10, 3), (1, 3, 1), (8, 5, 5)],
    ids=["some", "one", "all"],
)
def test_requests_run_at_once_up_to_the_limit(server, transport, at_once, count, most):
    server.routes["*"] = lambda asked: server.reply(200, {})
    assert app.details(URL, range(count), at_once, transport) == [{}] * count
    assert transport.most == most


def test_four_requests_run_at_once_by_default(server, transport):
    server.routes["*"] = lambda asked: server.reply(200, {})
    app.details(URL, range(9), transport=transport)
    assert transport.most == 4


def test_at_least_one_request_at_once(server, transport):
    with pytest.raises(ValueError):
        app.details(URL, [1], 0, transport)
    assert app.details(URL, [], 1, transport) == []
    assert server.asked == []
