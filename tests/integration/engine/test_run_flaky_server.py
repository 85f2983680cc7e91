"""A server that refuses, hangs up and drips: the run ends whole, and the counts are right."""

from sdkbench.core import Outcome
from tests.support.run_samples import (
    COMMANDS,
    SDK,
    Place,
    make_place,
    sample_id,
)
from tests.support.servers.answering import Faults, answering

SAMPLES = 6
TRIALS = 2
FAULTS = Faults(rate_limits=0.2, resets=0.05, drips=0.2)
SEED = 4  # with which each kind of fault comes up


def test_every_attempt_has_its_verdict(place: Place) -> None:
    many = make_place(place.root / "many", SAMPLES)
    with answering(FAULTS, SEED) as server:
        done = many.program(
            "run", "--sdk", SDK, "--integrity", "checked", "--dataset", "tiny.toml",
            "--model", server.spec, "--trials", TRIALS,
        )  # fmt: skip
    assert done.code == 0, done.err
    assert min(server.plays[play] for play in ("rate", "reset", "drip")) > 0, server.plays
    attempts = many.attempts()
    assert {each.outcome for each in attempts} == {Outcome.PASSED}
    subjects = [*map(sample_id, range(SAMPLES)), *(f"case-{n}" for n in range(len(COMMANDS)))]
    wanted = sorted((name, trial) for name in subjects for trial in range(TRIALS))
    assert sorted((each.sample, each.trial) for each in attempts) == wanted
    assert set(server.answered.values()) == {TRIALS}
    assert sum(each.input_tokens or 0 for each in attempts) == server.input_tokens
    assert sum(each.output_tokens or 0 for each in attempts) == server.output_tokens
    assert f"{SAMPLES * TRIALS}/{SAMPLES * TRIALS}" in done.out
