"""Sentences that several commands share."""

from sdkbench.cli.console import warm_sentence


def test_how_many_runs_started_warm() -> None:
    assert warm_sentence({}) == ""
    assert warm_sentence({"refused": 3}) == ""
    assert warm_sentence({"warm": 1}) == "1 run started warm"
    again = warm_sentence({"warm": 409, "again cold": 3, "refused": 1})
    assert again == "412 runs started warm, 3 of them judged again cold"
