"""`sdkbench run --engine ray`: the records of a run here, also where a node is lost meanwhile."""

from collections import Counter
from pathlib import Path

import pytest

from sdkbench.store import open_store
from tests.support.ray import nodes as ray_nodes
from tests.support.ray.nodes import ON_RAY, Nodes
from tests.support.run_samples import SDK, SECONDS, TESTS, Place, make_place, records

pytestmark = ON_RAY

AGENT = "printf 'def answer(x):\\n    return x + 0\\n' > app.py"
SLOW = "import time\ndef test_slow(): time.sleep(0.7)\n"
SAMPLES = 5


def test_a_cluster_gives_the_same_records(place: Place, nodes: Nodes) -> None:
    models = ("--model", "reference", "--model", "starter", "--model", f'agent:sh -c "{AGENT}"')
    there = Place(place.root, str(place.root / "there.db"))
    assert place.run(*models, "--run-id", "mine").code == 0
    done = there.run(*models, "--run-id", "mine", "--engine", "ray", "--address", nodes.address)
    assert done.code == 0, done.err
    assert len(records(place.store)) == 7
    # Which engine it was is the one thing that the settings tell apart.
    assert records(there.store)[1:] == records(place.store)[1:]
    outcomes = Counter(
        (attempt.model.split(":")[0], attempt.outcome) for attempt in there.attempts()
    )
    assert outcomes == {
        ("reference", "passed"): 2, ("starter", "failed"): 2,
        ("agent", "passed"): 1, ("agent", "failed"): 1,
    }  # fmt: skip


@pytest.mark.nightly  # test_ray_judging loses a node each day
def test_every_attempt_has_one_result_when_a_node_is_lost(tmp_path: Path, nodes: Nodes) -> None:
    place = make_place(tmp_path / "place", SAMPLES)
    for number in range(SAMPLES):
        test = place.sample(number) / "tests" / "test_app.py"
        test.write_text(SLOW + TESTS.format(number=number))
    words = ("run", "--sdk", SDK, "--integrity", "checked", "--trials", "2", "--run-id", "mine")
    ray = ("--engine", "ray", "--address", nodes.address)
    with place.started(*words, *ray, "--model", "reference") as process:
        place.wait_for(2, process)
        assert ray_nodes.until(nodes.sandboxes, SECONDS)
        lost = next(iter(nodes.sandboxes()))
        # The raylet alone would leave its workers time to hand in their results.
        nodes.lose(lost, ray_nodes.below(ray_nodes.raylet(lost)))
        _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, err
    with open_store(place.store, write=False) as store:
        run = store.find_run("mine")
        attempts = list(store.attempts(run.id))
    assert run.planned == 2 * SAMPLES
    assert len({attempt.key for attempt in attempts}) == len(attempts) == run.planned
    assert {attempt.outcome for attempt in attempts} == {"passed"}
