"""inspect: whether the nodes of a cluster judge as this process would, before anything is sent."""

import ray
from ray import exceptions
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from sdkbench.engine.ray.cluster import Cluster, Node
from sdkbench.engine.ray.node import Surroundings, look_around
from sdkbench.engine.ray.versions import difference, versions
from sdkbench.errors import HarnessFault, SdkbenchError

# A first worker process on each node, with all that it imports; on busy machines this takes long.
ANSWER_SECONDS = 90.0


def inspect(cluster: Cluster, sandbox: str) -> list[Surroundings]:
    """What each node has, in the order of `cluster.fitting()`.

    Raises HarnessFault naming the first node that can't be used: another SDKBench or Python, no
    SDKBench at all, no such sandbox, no answer. Nodes that join later are checked as they work.
    """
    remote = ray.remote(num_cpus=0, max_retries=1)(look_around)
    asked = {
        node: remote.options(
            scheduling_strategy=NodeAffinitySchedulingStrategy(node.id, soft=False)
        ).remote(sandbox)
        for node in cluster.fitting()
    }
    ray.wait(list(asked.values()), num_returns=len(asked), timeout=ANSWER_SECONDS)
    return [_checked(node, ref) for node, ref in asked.items()]


def _checked(node: Node, ref: "ray.ObjectRef[Surroundings]") -> Surroundings:
    try:
        surroundings = ray.get(ref, timeout=0)
    except exceptions.GetTimeoutError as error:
        raise _unfit(node, f"it gave no answer within {ANSWER_SECONDS:.0f} s") from error
    except exceptions.RayTaskError as error:
        if isinstance(error.cause, SdkbenchError):
            raise _unfit(node, str(error.cause).rstrip(".")) from None
        reason = f"{type(error.cause).__name__}: {str(error.cause).strip().splitlines()[-1]}"
        raise _unfit(node, f"SDKBench does not start there ({reason})") from error
    except exceptions.RayError as error:
        raise _unfit(node, f"its worker ended with {type(error).__name__}") from error
    problem = difference(versions(), surroundings.versions)
    if problem is not None:
        raise _unfit(node, problem)
    return surroundings


def _unfit(node: Node, reason: str) -> HarnessFault:
    return HarnessFault(
        f"The Ray node at {node.address} can't judge: {reason}. Every node needs the driver's "
        "Python, SDKBench and plugins."
    )
