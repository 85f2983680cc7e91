"""Orders of all kinds go in, a line of JSON for each comes out."""

import json
import subprocess


def answers(*orders: object) -> list[str]:
    lines = [order if isinstance(order, str) else json.dumps(order) for order in orders]
    done = subprocess.run(
        ["solution"],
        input="".join(f"{line}\n" for line in lines).encode(),
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.decode().splitlines()


def order(**changes: object) -> dict[str, object]:
    line = {"sku": "X", "qty": 2, "price": 9.9}
    return {"id": "A1", "placed": "2024-03-05", "lines": [line], **changes}


def line(**changes: object) -> dict[str, object]:
    changed = {"sku": "X", "qty": 2, "price": 9.9, **changes}
    return order(lines=[{name: value for name, value in changed.items() if value != "gone"}])


def test_an_order_is_summed_up_in_the_order_of_members() -> None:
    lines = [
        {"sku": "B", "qty": 3, "price": 0.1},
        {"sku": "A", "qty": 1, "price": 1000000},
        {"sku": "B", "qty": 1, "price": 0.05},
    ]
    assert answers(order(), order(id="\u00e9", lines=lines), order(lines=[])) == [
        '{"order_id":"A1","placed":"2024-03-05","total":19.80,"skus":["X"]}',
        '{"order_id":"\u00e9","placed":"2024-03-05","total":1000000.35,"skus":["B","A"]}',
        '{"order_id":"A1","placed":"2024-03-05","total":0.00,"skus":[]}',
    ]


def test_large_sums_are_exact_and_plain() -> None:
    assert answers(
        '{"id":"1","placed":"2024-12-31","lines":[{"sku":"s","qty":3,"price":12345678901234567.89}]}',
        '{"id":"1","placed":"2024-12-31","lines":[{"sku":"s","qty":1,"price":1E+3}]}',
    ) == [
        '{"order_id":"1","placed":"2024-12-31","total":37037036703703703.67,"skus":["s"]}',
        '{"order_id":"1","placed":"2024-12-31","total":1000.00,"skus":["s"]}',
    ]


def test_a_note_is_the_last_member_if_it_says_something() -> None:
    begin = '{"order_id":"A1","placed":"2024-03-05","total":19.80,"skus":["X"]'
    assert answers(order(note="ring twice"), order(note=None), order(note="")) == [
        f'{begin},"note":"ring twice"}}',
        f"{begin}}}",
        f"{begin}}}",
    ]


def test_what_is_not_known_is_ignored_and_lines_may_be_missing() -> None:
    lines = [{"sku": "X", "qty": 1, "price": 1, "colour": "red"}]
    assert answers(order(extra={"a": [1]}, lines=lines), {"id": "2", "placed": "2024-02-29"}) == [
        '{"order_id":"A1","placed":"2024-03-05","total":1.00,"skus":["X"]}',
        '{"order_id":"2","placed":"2024-02-29","total":0.00,"skus":[]}',
    ]


def assert_all_wrong(*orders: object) -> None:
    found = answers(*orders, order(lines=[]))
    assert found[:-1] == [f'{{"error":"line {n}"}}' for n in range(1, len(orders) + 1)]
    assert found[-1] == '{"order_id":"A1","placed":"2024-03-05","total":0.00,"skus":[]}'


def test_what_is_no_json_is_an_error_and_the_rest_goes_on() -> None:
    assert_all_wrong("", "nothing", '{"id":', "null", "[]", json.dumps(order()) + "}")


def test_ids_and_dates_must_be_there() -> None:
    dates = [order(placed=day) for day in ("2024-02-30", "5.3.2024", None)]
    assert_all_wrong(order(id=None), {"placed": "2024-03-05"}, {"id": "1"}, *dates)


def test_lines_must_be_right() -> None:
    quantities = [line(qty=qty) for qty in (0, -1, 1.5, "gone")]
    prices = [line(price=price) for price in (-0.01, None, "gone")]
    assert_all_wrong(*quantities, *prices, line(sku=None), line(sku="gone"))
    assert answers(line(qty=1, price=0)) == [
        '{"order_id":"A1","placed":"2024-03-05","total":0.00,"skus":["X"]}'
    ]
