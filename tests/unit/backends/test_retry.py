"""How often and how long it is tried again, without a server."""

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.backends import BackendFailure, FailureKind
from sdkbench.backends.retry import LONGEST_WAIT_SECONDS, RetryPolicy, RetryResult, retrying
from sdkbench.backends.server import asked_to_wait

QUICK = RetryPolicy(total_seconds=60, first_wait_seconds=0.0001)
RATE = BackendFailure("Slow down.", FailureKind.RATE_LIMIT)
BUSY = BackendFailure("Overloaded.", FailureKind.SERVER, retry_after_seconds=0)
SERVER = BackendFailure("Failed.", FailureKind.SERVER)
NETWORK = BackendFailure("Broke.", FailureKind.NETWORK)


def trying(policy: RetryPolicy, *failures: BackendFailure) -> RetryResult[str]:
    """With one failure after the other, and then an answer."""
    left = list(failures)

    async def request(_left_seconds: float) -> str:
        if left:
            raise left.pop(0)
        return "answer"

    return asyncio.run(retrying(request, policy))


def wait(failure: BackendFailure, tries: int, spent: float = 0.0) -> float | None:
    return RetryPolicy().wait_seconds(failure, tries=tries, breakdowns=0, spent_seconds=spent)


@pytest.mark.parametrize("busy", [RATE, BUSY])
def test_a_busy_server_is_retried_more_often_than_a_broken_one(busy: BackendFailure) -> None:
    tried = trying(QUICK, *[busy] * 9)
    assert (tried.outcome, tried.tries) == ("answer", 10)


@pytest.mark.parametrize("broken", [SERVER, NETWORK])
def test_a_broken_server_is_given_up_after_a_number_of_tries(broken: BackendFailure) -> None:
    assert trying(QUICK, *[broken] * 5).outcome == "answer"
    tried = trying(QUICK, *[broken] * 6)
    assert str(tried.outcome) == f"{broken} (tried 6 times in 0 s)"
    assert tried.tries == 6


def test_what_was_only_busy_does_not_count_against_what_is_broken() -> None:
    assert trying(QUICK, *[RATE] * 6, *[SERVER] * 5, RATE).outcome == "answer"


def test_a_policy_of_one_try_does_not_retry() -> None:
    assert trying(QUICK._replace(tries=1), RATE).outcome is RATE


def test_waits_grow_to_the_longest_and_stay_there() -> None:
    for tries in (1, 5, 7, 30, 5000):
        grown = min(2.0 ** min(tries - 1, 10), LONGEST_WAIT_SECONDS)
        waited = wait(RATE, tries)
        assert waited is not None
        assert grown / 2 <= waited <= grown


def test_no_wait_is_shorter_than_the_server_asks_for() -> None:
    asked = BackendFailure("", FailureKind.RATE_LIMIT, retry_after_seconds=20)
    assert wait(asked, 1) == 20
    assert (wait(asked, 9) or 0) >= LONGEST_WAIT_SECONDS / 2
    assert (wait(BUSY, 4) or 0) >= 4


def test_no_wait_ends_after_the_deadline() -> None:
    assert wait(RATE, 1, spent=899.8) is None
    assert trying(RetryPolicy(total_seconds=0.2, first_wait_seconds=0.05), *[RATE] * 99).tries < 9


def test_a_date_to_come_back_at() -> None:
    soon = datetime.now(UTC) + timedelta(seconds=100)
    assert asked_to_wait(format_datetime(soon, usegmt=True)) in (99, 100, 101)
    assert asked_to_wait("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert asked_to_wait("Wed, 21 Oct 2015 07:28:00 -0000") == 0


@pytest.mark.parametrize(
    ("text", "seconds"), [("7", 7), ("0.5", 0.5), ("-1", None), ("", None), ("soon", None)]
)
def test_seconds_to_wait(text: str, seconds: float | None) -> None:
    assert asked_to_wait(text) == seconds


DATES = st.text("0123456789 :,+-GMTSunJa", max_size=40)
ODD_DATES = st.builds(
    "{}, {} {} {} {}:00:00 {}{}".format,
    st.sampled_from(["Sun", "Mon", ""]), st.integers(-1, 40), st.sampled_from(["Jan", "Dec", "x"]),
    st.integers(-1, 20000), st.integers(-1, 30), st.sampled_from("+-"), st.integers(0, 99999),
)  # fmt: skip


@given(st.one_of(DATES, ODD_DATES, st.text(max_size=20)))
def test_any_header_is_read_without_a_crash(text: str) -> None:
    seconds = asked_to_wait(text)
    assert seconds is None or seconds >= 0
