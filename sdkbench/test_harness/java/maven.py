"""Maven, run in a sandbox that has the network but neither secrets nor the user's files."""

import re
from pathlib import Path

from sdkbench.environments.providing import Unresolvable, blame
from sdkbench.errors import EnvironmentFault
from sdkbench.sandbox import Command, Completed, Limits, Mount, Sandbox
from sdkbench.test_harness.java.settings import certificate_mounts, maven_environment, settings_xml
from sdkbench.test_harness.java.toolchain import jdk, jdk_mounts, maven_mounts, maven_program

LIMITS = Limits(
    wall_seconds=1800, cpu_seconds=3600, file_bytes=8 * 1024**3, output_bytes=256 * 1024
)
SETTINGS = "settings.xml"
QUIET = ("-B", "-ntp", "-e", "-Dstyle.color=never", "-Dmaven.wagon.http.retryHandler.count=3")


def run(
    words: tuple[str, ...], folder: Path, repository: Path, sandbox: Sandbox, *, offline: bool
) -> Completed:
    """One call in `folder`; downloads go to `repository`."""
    (folder / SETTINGS).write_text(settings_xml(), encoding="utf-8")
    return sandbox.run(
        Command(
            argv=(
                "sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", str(folder),
                maven_program(), *QUIET, *(("-o",) if offline else ()),
                "-s", SETTINGS, f"-Dmaven.repo.local={repository}", *words,
            ),
            env={**maven_environment(), "JAVA_HOME": str(jdk(sandbox).home)},
            mounts=(
                *jdk_mounts(),
                *maven_mounts(),
                *certificate_mounts(),
                Mount(path=folder, writable=True),
                Mount(path=repository, writable=True),
            ),
            network=not offline,
            limits=LIMITS,
        )
    )  # fmt: skip


NETWORK_SIGNS = re.compile(
    r"^Caused by: java\.net\.(?:UnknownHost|NoRouteToHost|Connect|SocketTimeout|Socket)Exception|"
    r"^Caused by: javax\.net\.ssl\.SSL\w*Exception|"
    r"\bstatus code: (?:401|403|407|429|5\d\d)\b",
    re.MULTILINE,
)
DISK_SIGNS = re.compile(r"No space left on device|Read-only file system|Disk quota", re.IGNORECASE)
STACK = re.compile(r"^(?:\[ERROR\] )?(?:\tat |\s*at |Caused by: |\.\.\. \d+ more|\s+\.\.\. )")
NOISE = ("[ERROR] To see the full", "[ERROR] Re-run Maven", "[ERROR] For more information",
         "[ERROR] [Help", "[ERROR] After correcting", "[ERROR]   mvn <args>")  # fmt: skip


def explain(done: Completed, verb: str) -> Unresolvable | EnvironmentFault:
    """Whose fault it was that Maven failed."""
    # The signs stand in the stack traces, which nobody wants to read as a whole.
    signs = [found[0] for s in (NETWORK_SIGNS, DISK_SIGNS) if (found := s.search(done.output))]
    text = "\n".join([errors(done), *signs])
    return blame(done, text, verb, network=NETWORK_SIGNS, disk=DISK_SIGNS)


def errors(done: Completed) -> str:
    """Maven's own [ERROR] lines without its stack traces."""
    lines = [
        line.removeprefix("[ERROR] ").removesuffix(" -> [Help 1]").rstrip()
        for line in done.stdout.splitlines()
        if line.startswith("[ERROR] ") and not line.startswith(NOISE) and not STACK.match(line)
    ]
    return "\n".join(line for line in lines if line) or done.output.strip()
