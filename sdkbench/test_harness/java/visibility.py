"""Which modules of the JDK a judged virtual machine shows.

Some of them give code the run of the machine it is in: agents that rewrite loaded classes, raw
memory, dumps of the heap. They are shown only where the libraries or the sample itself need them.
"""

import re
import zipfile
from functools import lru_cache
from pathlib import Path

from sdkbench.core import Project, tree
from sdkbench.test_harness.source_files import text_of

HARMLESS = (
    "java.base", "java.compiler", "java.datatransfer", "java.desktop", "java.logging",
    "java.management", "java.naming", "java.net.http", "java.prefs", "java.rmi", "java.scripting",
    "java.security.jgss", "java.security.sasl", "java.sql", "java.sql.rowset",
    "java.transaction.xa", "java.xml", "java.xml.crypto", "jdk.charsets", "jdk.crypto.ec",
    "jdk.httpserver", "jdk.localedata", "jdk.naming.dns", "jdk.net", "jdk.security.auth",
    "jdk.xml.dom", "jdk.zipfs",
)  # fmt: skip
POWERFUL = {
    "jdk.unsupported": re.compile(rb"sun[./]misc[./]Unsafe|sun[./]reflect[./]ReflectionFactory"),
    "java.instrument": re.compile(rb"java[./]lang[./]instrument"),
    "jdk.management": re.compile(rb"com[./]sun[./]management"),
    "jdk.attach": re.compile(rb"com[./]sun[./]tools[./]attach"),
}
# Libraries mention the others in passing, and do without them.
NEEDED_BY_LIBRARIES = ("jdk.unsupported",)
AGENT = "byte-buddy-agent"
NEEDED_BY_AGENTS = ("java.instrument", "jdk.attach")


def visible_modules(project: Project, libraries: tuple[Path, ...]) -> list[str]:
    """The modules for this project, whoever's solution it is: the solution has no say."""
    shown = set(HARMLESS)
    for jar in libraries:
        shown |= _wanted_by(jar)
    tests = [p.source for p in project.trusted if p.target in project.tests]
    for folder in (*project.manifest_fallbacks, *tests):
        texts = [text_of(p).encode() for p in _java_files(folder)]
        shown |= {name for name, sign in POWERFUL.items() if any(map(sign.search, texts))}
    return sorted(shown)


def _java_files(source: Path) -> list[Path]:
    if source.is_dir():
        return [path for path in tree.files(source) if path.suffix == ".java"]
    return [source] if source.suffix == ".java" else []


@lru_cache(maxsize=1024)
def _wanted_by(jar: Path) -> frozenset[str]:
    """By path: jars of environments never change."""
    if jar.name.startswith(AGENT):
        return frozenset((*NEEDED_BY_AGENTS, "jdk.unsupported"))
    found = set()
    with zipfile.ZipFile(jar) as archive:
        for name in archive.namelist():
            if name.endswith(".class"):
                data = archive.read(name)
                found |= {m for m in NEEDED_BY_LIBRARIES if POWERFUL[m].search(data)}
            if len(found) == len(NEEDED_BY_LIBRARIES):
                break
    return frozenset(found)
