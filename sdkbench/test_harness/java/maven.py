"""The JDK and Maven of this machine: what of them a sandbox sees, and how Maven is run."""

import functools
import os
import platform
import re
import shutil
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

from sdkbench.environments import installation
from sdkbench.environments.installation import registry_environment
from sdkbench.errors import EnvironmentFault, MissingTool
from sdkbench.sandbox import Command, Completed, Limits, Mount, Sandbox
from sdkbench.test_harness.programs import find_program

OLDEST = 11  # modules, and single JUnit 5 jars that need no more
FEATURE = re.compile(r'version "(?:1\.)?(\d+)')
ADVICE = "Install a JDK and Maven (Debian and Ubuntu: apt-get install default-jdk-headless maven)."
SETTINGS = "settings.xml"
QUIET = ("-B", "-ntp", "-e", "-Dstyle.color=never", "-Dmaven.wagon.http.retryHandler.count=3")
# The user's mirrors and proxies, without passwords; nothing else of their settings.
KEPT = ("mirrors", "proxies")
SECRET = ("username", "password", "privateKey", "passphrase")
TRUST_STORE = re.compile(r"-Djavax\.net\.ssl\.trustStore=(\S+)")
STACK = re.compile(r"^(?:\[ERROR\] )?(?:\tat |\s*at |Caused by: |\.\.\. \d+ more|\s+\.\.\. )")
NOISE = ("[ERROR] To see the full", "[ERROR] Re-run Maven", "[ERROR] For more information",
         "[ERROR] [Help", "[ERROR] After correcting", "[ERROR]   mvn <args>")  # fmt: skip
MAVEN_SIGNS = installation.InstallerSigns(
    network=re.compile(
        r"^Caused by: java\.net\.(?:UnknownHost|NoRouteToHost|Connect|SocketTimeout|Socket)"
        r"Exception|^Caused by: javax\.net\.ssl\.SSL\w*Exception|"
        r"\bstatus code: (?:401|403|407|429|5\d\d)\b",
        re.MULTILINE,
    ),
    disk=re.compile(r"No space left on device|Read-only file system|Disk quota", re.IGNORECASE),
)


class Jdk(NamedTuple):
    """A Java development kit: its home, its feature version (17), and all it says of itself."""

    home: Path
    feature: int
    description: str

    @property
    def java(self) -> str:
        return str(self.home / "bin" / "java")

    @property
    def identity(self) -> str:
        """What besides packages decides whether compiled classes fit."""
        return f"{self.description} {platform.system()} {platform.machine()}"


def _home() -> Path:
    """The kit whose javac is on the PATH, else $JAVA_HOME; MissingTool says how to get one."""
    home = os.environ.get("JAVA_HOME")
    if shutil.which("javac") is None and home and Path(home, "bin", "javac").is_file():
        return Path(home, "bin", "javac").resolve().parent.parent
    javac = find_program("javac", "Java projects", ADVICE)
    return Path(javac).resolve().parent.parent


def jdk(sandbox: Sandbox) -> Jdk:
    """The kit in use, tried in the sandbox; MissingTool where it is absent or too old."""
    return _tried(_home(), sandbox)


@functools.cache
def _tried(home: Path, sandbox: Sandbox) -> Jdk:
    command = Command(
        argv=(str(home / "bin" / "java"), "-version"),
        mounts=_mounts_of(home),
        limits=Limits(wall_seconds=60),
    )
    done = sandbox.run(command)
    feature = FEATURE.search(done.stderr)
    if not done.ok or feature is None:
        raise MissingTool(f"java does not run in the sandbox: {done.ending()}. {done.output}")
    if int(feature[1]) < OLDEST:
        raise MissingTool(f"Java {feature[1]} is too old: {OLDEST} is the oldest that works here.")
    return Jdk(home, int(feature[1]), done.stderr.strip())


def maven_program() -> str:
    return find_program("mvn", "Java projects", ADVICE)


def jdk_mounts() -> tuple[Mount, ...]:
    return _mounts_of(_home())


def maven_mounts() -> tuple[Mount, ...]:
    return _mounts_of(Path(maven_program()).resolve().parent.parent)


@functools.cache
def _mounts_of(home: Path) -> tuple[Mount, ...]:
    """The folder itself, and where its configuration's links lead (Debian keeps it in /etc)."""
    folders = set() if home.is_relative_to("/usr") else {home}
    for part in ("conf", "lib/security"):
        for path in [home / part, *(home / part).rglob("*")]:
            target = path.resolve()
            if path.is_symlink() and target.exists() and target.is_relative_to("/etc"):
                folders.add(Path("/etc", target.relative_to("/etc").parts[0]))
    folders -= {Path("/etc/ssl"), Path("/etc/pki")}  # the sandbox shows certificates, not keys
    return tuple(Mount(path=folder) for folder in sorted(folders))


def run(
    words: tuple[str, ...], folder: Path, repository: Path, sandbox: Sandbox, *, offline: bool
) -> Completed:
    """One call in `folder`; downloads go to `repository`."""
    (folder / SETTINGS).write_text(settings_xml(), encoding="utf-8")
    return sandbox.run(
        Command(
            argv=(
                *installation.IN_FOLDER, str(folder), maven_program(), *QUIET,
                *(("-o",) if offline else ()), "-s", SETTINGS,
                f"-Dmaven.repo.local={repository}", *words,
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
            limits=installation.LIMITS,
        )
    )  # fmt: skip


def explain(done: Completed, verb: str) -> installation.Unresolvable | EnvironmentFault:
    """Whose fault it was that Maven failed."""
    # The signs stand in the stack traces, which nobody wants to read as a whole.
    searches = (MAVEN_SIGNS.network.search(done.output), MAVEN_SIGNS.disk.search(done.output))
    text = "\n".join([errors(done), *(match[0] for match in searches if match)])
    return MAVEN_SIGNS.explain(done, verb, text)


def errors(done: Completed) -> str:
    """Maven's own [ERROR] lines without its stack traces."""
    lines = [
        line.removeprefix("[ERROR] ").removesuffix(" -> [Help 1]").rstrip()
        for line in done.stdout.splitlines()
        if line.startswith("[ERROR] ") and not line.startswith(NOISE) and not STACK.match(line)
    ]
    return "\n".join(line for line in lines if line) or done.output.strip()


def settings_xml() -> str:
    """A settings.xml that says where packages come from and how to reach it."""
    settings = ET.Element("settings")
    for section in KEPT:
        kept = _users().find(section)
        if kept is not None:
            settings.append(kept)
    env = registry_environment()
    proxy = urlsplit(env.get("HTTPS_PROXY") or env.get("https_proxy") or "")
    if proxy.hostname and settings.find("proxies") is None:
        proxies = ET.SubElement(ET.SubElement(settings, "proxies"), "proxy")
        values = {"protocol": "https", "host": proxy.hostname, "port": str(proxy.port or 3128)}
        for name, value in values.items():
            ET.SubElement(proxies, name).text = value
    for parent in list(settings.iter()):
        for child in list(parent):
            if child.tag in SECRET:
                parent.remove(child)
    return ET.tostring(settings, encoding="unicode")


def maven_environment() -> dict[str, str]:
    """Options of Maven's own virtual machine: companies name their certificates there."""
    options = os.environ.get("MAVEN_OPTS", "")
    return {"MAVEN_OPTS": f"-XX:+UseSerialGC {options}".strip()}


def certificate_mounts() -> tuple[Mount, ...]:
    named = TRUST_STORE.findall(os.environ.get("MAVEN_OPTS", ""))
    return tuple(Mount(path=Path(name)) for name in named if Path(name).is_file())


def _users() -> ET.Element:
    """The user's settings without namespaces; an empty element where there are none."""
    path = Path("~/.m2/settings.xml").expanduser()
    try:
        tree = ET.fromstring(path.read_bytes())  # noqa: S314 - the user's own file
    except (OSError, ET.ParseError):
        return ET.Element("settings")
    for element in tree.iter():
        element.tag = str(element.tag).rpartition("}")[2]
    return tree
