"""Whom webhooks may reach."""

import pytest

from sdkbench.serve.judging.problems import RequestProblem
from sdkbench.serve.judging.webhooks import WebhookPolicy


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/x", "http://localhost/", "https://[::1]:8/", "http://127.9.9.9/"]
)
def test_this_machine_may_be_called(url: str) -> None:
    WebhookPolicy().check(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "http://10.0.0.1/", "http://169.254.169.254/latest", "file:///etc",
        "http://", "hello", "", "http://localhost.evil.example/", "http://127.0.0.1.evil.example/",
        "http://user:password@localhost/", "http://2130706433/", "http://0.0.0.0/", "http://[::]/",
        "http://localhost:99999999/", "gopher://localhost/", "http://[::1", "http://0x7f000001/",
    ],
)  # fmt: skip
def test_nobody_else_may(url: str) -> None:
    with pytest.raises(RequestProblem) as caught:
        WebhookPolicy().check(url)
    assert (caught.value.status, caught.value.name) == (422, "webhook")


def test_hosts_that_the_operator_allows() -> None:
    policy = WebhookPolicy(frozenset({"hooks.example"}))
    policy.check("https://HOOKS.example/x")
    with pytest.raises(RequestProblem, match=r"--webhooks-to other\.example"):
        policy.check("https://other.example/x")
    WebhookPolicy(frozenset({"*"})).check("https://other.example/x")
