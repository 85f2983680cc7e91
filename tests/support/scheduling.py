"""Which tests start first, and which stay together on one of pytest-xdist's workers.

pytest-xdist's own way of saying so, `--dist loadgroup`, does nothing under pytest 9.2.
"""

from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

# What takes longest starts first, so that no worker is left alone with it at the end.
SLOWEST_FIRST = (
    # npm tries again for more than a minute, in which its worker has nothing to do.
    "integration/test_harness/node/test_node_projects.py::test_a_registry_that_cannot_be_reached",
    "integration/engine/test_ray",
    "integration/engine/test_run_ray",
    "integration/judge/test_attacks",
    "integration/validation",
    "integration/test_harness",
    "integration/datasets",
    "integration/cli",
    "integration/test_plugins",
    "integration",
)
# Long files whose tests share nothing that is costly to start: each worker takes what comes next.
SPREAD = (
    "integration/judge/test_attacks.py",
    "integration/test_harness/test_seven_projects.py",
    "integration/test_harness/test_java_projects.py",
    "integration/test_harness/node/test_node_frameworks.py",
    "integration/test_harness/node/test_node_projects.py",
    "integration/datasets/",
    "integration/validation/",
    "integration/cli/test_cli.py",
    "integration/engine/test_run.py",
)
# Files that share a server. Those of every other file stay together with what the file starts.
SERVERS = {
    "integration/engine/test_ray": "Ray",
    "integration/engine/test_run_ray": "Ray",
    "integration/engine/test_run_stores": "PostgreSQL",
    "integration/store/": "PostgreSQL",
}


def rank(nodeid: str) -> int:
    place = nodeid.removeprefix("tests/")
    ranks = (number for number, name in enumerate(SLOWEST_FIRST) if place.startswith(name))
    return next(ranks, len(SLOWEST_FIRST))


class SharingServers(LoadScopeScheduling):  # type: ignore[misc]
    """A worker that has nothing left takes the next test, or the next file of tests."""

    def _split_scope(self, nodeid: str) -> str:
        place = nodeid.removeprefix("tests/")
        if place.startswith(SPREAD):
            return nodeid
        servers = (server for name, server in SERVERS.items() if place.startswith(name))
        return next(servers, place.partition("::")[0])
