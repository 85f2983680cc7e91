"""open_ray_judge, open_ray_generator: the Ray side of a run, where its extra is installed."""

import contextlib
from typing import TYPE_CHECKING

from sdkbench.errors import MissingTool
from sdkbench.generation import Generator, Settings
from sdkbench.judge.subject import Options

if TYPE_CHECKING:
    from sdkbench.engine.judging import Judge
    from sdkbench.engine.ray.driver import RayJudge


def open_ray_judge(
    options: Options,
    *,
    address: str | None = None,
    sandbox: str = "auto",
    install: bool = True,
    warm: bool = True,
    workers: int | None = None,
    cpus: float = 1.0,
) -> "RayJudge":
    """A judge on the nodes of the cluster at `address`, or on a Ray of this process's own.

    Each attempt takes `cpus` of a node; `workers` bounds how many there are at a time. The nodes
    are asked first whether they judge as this process would. The caller closes the judge; the
    thread that opens it must live until then.

    Raises MissingTool without the extra, InputError for an address that no cluster can have,
    HarnessFault where the cluster can't be joined or a node can't be used.
    """
    try:
        import ray  # noqa: F401, PLC0415 - an extra
    except ImportError as error:
        raise MissingTool(
            "Ray is not installed, and judging on a cluster needs it: pip install 'sdkbench[ray]'."
        ) from error
    from sdkbench.engine.ray.cluster import Cluster, inspect  # noqa: PLC0415 - an extra
    from sdkbench.engine.ray.driver import NodeSettings, RayJudge  # noqa: PLC0415

    cluster = Cluster(address, cpus=cpus, workers=workers)
    with contextlib.ExitStack() as undoing:
        undoing.callback(cluster.leave)
        inspect(cluster, sandbox)
        undoing.pop_all()
    bound = None if address is None else workers  # an own Ray is as large as was asked for
    return RayJudge(cluster, NodeSettings(options, sandbox, install, warm), bound)


def open_ray_generator(spec: str, settings: Settings, judge: "Judge") -> Generator:
    """An agent on the nodes of `judge`'s cluster, for as long as that is open.

    It works in the sandbox that solutions are judged in, whatever the settings say. Nobody need
    close it.
    """
    from sdkbench.engine.ray.driver import RayGenerator, RayJudge  # noqa: PLC0415 - an extra

    if not isinstance(judge, RayJudge):
        raise TypeError("agents work on a cluster only beside its judge")
    settings = settings._replace(sandbox=judge.settings.sandbox)
    return RayGenerator(spec, settings, judge.tasks, judge.samples)
