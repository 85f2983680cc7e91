"""Joining a Ray cluster, or starting one; and agents at work on its nodes."""

import asyncio
import os
import shlex
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sdkbench.datasets import Sample
from sdkbench.engine.ray.opening import open_ray_generator, open_ray_judge
from sdkbench.errors import HarnessFault, InputError
from sdkbench.generation import AgentSettings, GeneratedSolution, Settings, open_generator
from tests.support.places import CACHE, ROOT
from tests.support.projects import write
from tests.support.ray.judging import OPTIONS
from tests.support.ray.nodes import ON_RAY, Nodes

if TYPE_CHECKING:
    from sdkbench.engine.ray.driver import RayJudge

pytestmark = ON_RAY


def python(code: str, seconds: float = 150) -> "subprocess.CompletedProcess[str]":
    """A process of its own: what it does to Ray's state, or to its imports, stays there."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=seconds, check=False,
        cwd=ROOT, env={**os.environ, "SDKBENCH_CACHE": str(CACHE)},
    )  # fmt: skip


OPENING = """
import sys
{before}
from sdkbench.engine.ray.opening import open_ray_judge
from sdkbench.errors import SdkbenchError
from sdkbench.judge.subject import Options, Subject
try:
    open_ray_judge(Options(), address={address!r})
except SdkbenchError as error:
    print(type(error).__name__, error)
"""


def test_without_the_extra_its_name_is_told() -> None:
    done = python(OPENING.format(before="sys.modules['ray'] = None", address=None))
    assert done.stdout.startswith("MissingTool "), done.stderr
    assert "pip install 'sdkbench[ray]'" in done.stdout


def test_an_address_where_nobody_listens() -> None:
    with pytest.raises(HarnessFault, match=r"127\.0\.0\.1:1 can't be joined .*refused"):
        open_ray_judge(OPTIONS, address="127.0.0.1:1")


@pytest.mark.parametrize("address", ["nonsense", "ray://127.0.0.1:10001", ":6379", "host:port"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(InputError, match="no address"):
        open_ray_judge(OPTIONS, address=address)


def test_an_address_where_something_else_listens() -> None:
    hurry = "import sdkbench.engine.ray.cluster as c; c.JOIN_SECONDS = 2"
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        done = python(OPENING.format(before=hurry, address=address))
    assert "HarnessFault" in done.stdout, done.stderr
    assert "no answer within 2 s" in done.stdout


def test_more_cpus_than_any_node_has(nodes: Nodes) -> None:
    with pytest.raises(HarnessFault, match=r"has the 64 CPUs .*the largest has 1"):
        open_ray_judge(OPTIONS, address=nodes.address, cpus=64)


def test_nodes_with_other_code_are_refused(nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    from sdkbench.engine.ray import cluster  # noqa: PLC0415 - an extra

    ours = cluster.versions()
    monkeypatch.setattr(cluster, "versions", lambda: ours._replace(code="0" * 16))
    with pytest.raises(HarnessFault, match=r"node at [\d.]+ can't judge: its SDKBench"):
        open_ray_judge(OPTIONS, address=nodes.address)


def test_what_differs_is_told() -> None:
    from sdkbench.engine.ray.node import difference, versions  # noqa: PLC0415 - beside Ray

    ours = versions()
    assert difference(ours, ours) is None
    reported = difference(ours, ours._replace(python="3.9"))
    assert reported == f"it has Python 3.9, the driver {ours.python}"
    reported = difference(ours, ours._replace(sdkbench="0.0.1", code="other"))
    assert reported == f"it has SDKBench 0.0.1, the driver {ours.sdkbench}"


SCRIPT = (
    'grep -q demo "$SDKBENCH_PROMPT_FILE"; echo "x = 1" > app.py; mkdir pkg; echo $MARK > pkg/m; '
    "printf '#!/bin/sh\\n' > run; chmod +x run; ln -s /etc/passwd link; echo $MODEL_KEY; exit 3"
)


def test_an_agent_leaves_the_same_files_on_a_node(
    judge: "RayJudge", sample: Sample, tmp_path: Path
) -> None:
    spec = f"agent:sh -c {shlex.quote(SCRIPT)}"
    settings = Settings(
        agent=AgentSettings(seconds=30, variables=("MODEL_KEY", "MARK")),
        sandbox="bubblewrap",
        environment={
            "PATH": "/usr/bin:/bin", "MODEL_KEY": "key-1234567890", "MARK": "m", "OTHER": "no",
        },
    )  # fmt: skip

    async def work() -> list[GeneratedSolution]:
        generated = []
        for place, generator in {
            "here": open_generator(spec, settings),
            "there": open_ray_generator(spec, settings, judge),
        }.items():
            generated.append(await generator.generate(sample, tmp_path / place))
            await generator.close()
        return generated

    here, there = (each.model_dump(exclude={"usage", "folder"}) for each in asyncio.run(work()))
    assert there == here
    assert "key-1234567890" not in there["answer"]

    def left(folder: Path) -> dict[str, tuple[bytes, bool]]:
        return {
            str(path.relative_to(folder)): (path.read_bytes(), os.access(path, os.X_OK))
            for path in folder.rglob("*")
            if path.is_file()
        }

    assert left(tmp_path / "there") == left(tmp_path / "here")
    assert left(tmp_path / "there")["run"] == (b"#!/bin/sh\n", True)


def agent_in(folder: Path) -> Path:
    program = write(folder, {"agent": "#!/bin/sh\ncat $1 > app.py\n"}) / "agent"
    program.chmod(0o755)
    return program


def test_an_agent_is_found_on_a_node_by_the_driver_s_names_and_sandbox(
    judge: "RayJudge", sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent_in(tmp_path)
    write(tmp_path, {"text.py": "x = 3\n"})
    monkeypatch.chdir(tmp_path)
    generator = open_ray_generator("agent:./agent text.py", Settings(sandbox="plain"), judge)
    generated = asyncio.run(generator.generate(sample, tmp_path / "out"))
    assert (tmp_path / "out" / "app.py").read_text() == "x = 3\n"
    assert generated.model == "agent:./agent text.py"
    assert "sandbox: bubblewrap" in generated.notes


def test_what_an_agent_lacks_on_a_node_is_told(
    judge: "RayJudge", sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = agent_in(tmp_path)
    generator = open_ray_generator(f"agent:{program}", Settings(), judge)
    planned = generator.source(sample)
    monkeypatch.setattr(generator, "source", lambda _sample: planned)
    program.write_text("#!/bin/sh\n# as on a node that has another version\n")
    with pytest.raises(HarnessFault, match=r"^Node \S+ has another agent than the driver: "):
        asyncio.run(generator.generate(sample, tmp_path / "other"))
    program.unlink()  # as on a node that never had it
    with pytest.raises(InputError, match="finds no program"):
        asyncio.run(generator.generate(sample, tmp_path / "none"))
    with pytest.raises(InputError, match="Only agents"):
        open_ray_generator("openai:gpt", Settings(), judge)


def test_a_second_cluster_is_refused(judge: "RayJudge") -> None:
    assert judge.at_once == 6
    with pytest.raises(HarnessFault, match="one at a time"):
        open_ray_judge(OPTIONS)


OWN = """
import asyncio, os, signal, sys
from pathlib import Path
from sdkbench.datasets import load_sample
from sdkbench.engine.ray.opening import open_ray_judge
from sdkbench.judge.subject import Options, Subject
before = dict(os.environ), signal.getsignal(signal.SIGTERM)
judge = open_ray_judge(Options(timeout=60), workers=1)
sample = load_sample(Path(sys.argv[1]))
result = asyncio.run(judge.judge(Subject(sample.reference_dir, sample)))
print(result.outcome, result.assurance, [node.address for node in judge.cluster.nodes()])
asyncio.run(judge.close())
print((dict(os.environ), signal.getsignal(signal.SIGTERM)) == before)
"""


@pytest.mark.nightly  # a cluster more; those above join one
def test_a_ray_of_our_own_is_on_loopback_and_leaves_nothing(sample: Sample) -> None:
    done = python(OWN.replace("sys.argv[1]", repr(str(sample.root))))
    assert done.stdout.split("\n")[:2] == ["passed checked ['127.0.0.1']", "True"], done.stderr
