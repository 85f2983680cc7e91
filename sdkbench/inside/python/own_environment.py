"""A virtual environment of the project's own: the packages that many projects share, and before
them the project itself, from its wheel.
"""

import configparser
import json
import os
import shutil
import sys
import zipfile
from typing import TypedDict

# Sorts behind every other such file: what the project brings is found before what it shares.
SHARED_PACKAGES = "zzz_shared_packages.pth"
SCRIPT = """#!{python}
import sys
from {module} import {name}
sys.exit({function}())
"""
# Folders of a wheel's `.data`, and where they go below the environment.
SCHEME = {"scripts": "bin", "headers": "include", "data": ""}


class Shared(TypedDict):
    """An environment that is mounted read-only."""

    python: str  # the base interpreter
    programs: str
    packages: str


def make(folder: str, shared: Shared) -> str:
    """The environment without the project; its interpreter."""
    programs, packages = os.path.join(folder, "bin"), packages_of(folder)
    os.makedirs(programs)
    os.makedirs(packages)
    os.symlink("lib", os.path.join(folder, "lib64"))
    with open(os.path.join(folder, "pyvenv.cfg"), "w") as stream:
        version = ".".join(map(str, sys.version_info[:3]))
        stream.write(
            f"home = {os.path.dirname(shared['python'])}\n"
            f"include-system-site-packages = false\nversion = {version}\n"
        )
    with open(os.path.join(packages, SHARED_PACKAGES), "w") as stream:
        stream.write(f"import site; site.addsitedir({shared['packages']!r})\n")
    python = os.path.join(programs, "python")
    os.symlink(shared["python"], python)
    for name in ("python3", f"python3.{sys.version_info.minor}"):
        os.symlink("python", os.path.join(programs, name))
    for name in sorted(os.listdir(shared["programs"])):
        borrow(os.path.join(shared["programs"], name), os.path.join(programs, name))
    return python


def packages_of(folder: str) -> str:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return os.path.join(folder, "lib", version, "site-packages")


def borrow(program: str, target: str) -> None:
    """Scripts start the interpreter beside them, so they are copied; others are linked."""
    if os.path.lexists(target) or os.path.basename(program).startswith(("python", "activate")):
        return
    with open(program, "rb") as stream:
        is_script = stream.read(2) == b"#!"
    if is_script:
        shutil.copy(program, target)
    else:
        os.symlink(program, target)


def install(wheel: str, folder: str, source: str) -> None:
    """Unpack `wheel` as installers do: packages, data, scripts, entry points, its origin."""
    packages = packages_of(folder)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
        tops = {name.partition("/")[0] for name in archive.namelist()}
    for top in sorted(tops):
        if top.endswith(".data"):
            spread(os.path.join(packages, top), folder)
        elif top.endswith(".dist-info"):
            information = os.path.join(packages, top)
            write_scripts(os.path.join(information, "entry_points.txt"), folder)
            with open(os.path.join(information, "INSTALLER"), "w") as stream:
                stream.write("pip\n")
            with open(os.path.join(information, "direct_url.json"), "w") as stream:
                json.dump({"url": f"file://{source}", "dir_info": {"editable": True}}, stream)


def spread(data: str, folder: str) -> None:
    for kind in os.listdir(data):
        target = os.path.join(folder, SCHEME.get(kind, packages_of(folder)))
        shutil.copytree(os.path.join(data, kind), target, dirs_exist_ok=True)
        if kind == "scripts":
            for name in os.listdir(os.path.join(data, kind)):
                own_interpreter(os.path.join(target, name), os.path.join(folder, "bin", "python"))
    shutil.rmtree(data)


def own_interpreter(script: str, python: str) -> None:
    """Wheels say `#!python` where the environment's own is meant."""
    with open(script, "rb") as stream:
        text = stream.read()
    if text.startswith(b"#!python"):
        _, _, rest = text.partition(b"\n")
        with open(script, "wb") as stream:
            stream.write(b"#!" + python.encode() + b"\n" + rest)
    os.chmod(script, 0o700)


def write_scripts(entry_points: str, folder: str) -> None:
    parser = configparser.RawConfigParser(delimiters=("=",), strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read([entry_points], encoding="utf-8")
    for group in ("console_scripts", "gui_scripts"):
        for name, value in parser.items(group) if parser.has_section(group) else []:
            module, _, function = value.partition("[")[0].strip().partition(":")
            python = os.path.join(folder, "bin", "python")
            path = os.path.join(folder, "bin", os.path.basename(name))
            with open(path, "w") as stream:
                stream.write(
                    SCRIPT.format(
                        python=python,
                        module=module.strip(),
                        name=function.strip().partition(".")[0],
                        function=function.strip(),
                    )
                )
            os.chmod(path, 0o700)
