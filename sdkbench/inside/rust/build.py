"""Runs inside the sandbox: builds a Rust project and hands its test programs out.

Nothing of what is built runs here, but for an own project's build scripts and doc tests. Test
programs go to a folder of the host's; another sandbox runs them, when this one is gone.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from typing import Any, Literal, TypedDict

from ..channel import Channel, given_order
from ..protocol import Begin, Built, Case, Order, RunError, Status
from .crates import HOME, offer_crates

MAX_ERRORS = 20
MAX_ERROR = 4000
STATUSES: dict[str, Status] = {"ok": "passed", "failed": "failed", "ignored": "skipped"}
OWN_LIST = "libsdkbench_tests.d"  # of a package of ours; no crate of a solution has that name
READ_ONLY = "(os error 30)"
ERROR = re.compile(r"^error(?:\[E\d+\])?: ", re.MULTILINE)
TARGET = os.path.join(tempfile.gettempdir(), "target")


class RustBuildOrder(Order):
    files: dict[str, str]  # to write into the workspace
    environment: str
    linked: bool  # whether what was compiled ahead can be linked to
    build: list[str]
    inside: str | None  # the folder that a solution must be compiled from alone
    programs: dict[str, str]  # name that the tests know → program of the solution
    env: dict[str, str]
    out: str
    doc_tests: list[str]  # none: nobody asks for them


class BuiltProgram(TypedDict):
    file: str
    name: str
    source: str
    folder: str


class Programs(TypedDict):
    kind: Literal["programs"]
    programs: list[BuiltProgram]


def main() -> int:
    order: RustBuildOrder = given_order()
    channel = Channel(order)
    channel.send(Begin(kind="begin"))
    os.chdir(order["workspace"])
    for name, text in order["files"].items():
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        if os.path.lexists(name):
            os.unlink(name)
        with open(name, "w", encoding="utf-8") as stream:
            stream.write(text)
    spread(order["environment"], os.symlink if order["linked"] else shutil.copy2)
    errors, warnings, artifacts = build(order)
    if not errors and order["inside"]:
        errors = reads_outside(order["inside"])
    programs = [] if errors else handed_out(order, artifacts)
    channel.send(Built(kind="built", errors=errors, warnings=warnings))
    channel.send(Programs(kind="programs", programs=programs))
    if order["doc_tests"] and not errors:
        doc_tests(order, channel)
    return 1 if errors else 0


def spread(environment: str, put: Callable[[str, str], object]) -> None:
    """What was compiled ahead, in folders that cargo may write to.

    Links will do where what they point to is mounted read-only.
    """
    offer_crates(environment)
    ready = os.path.join(environment, "target")
    for current, _, names in os.walk(ready):
        inside = os.path.relpath(current, ready)
        inner = os.path.join(TARGET, inside)
        os.makedirs(inner, exist_ok=True)
        if inside == "debug":
            continue  # what came of the project without code
        for name in names:
            put(os.path.join(current, name), os.path.join(inner, name))


def run(order: RustBuildOrder, words: list[str], *more: str) -> "subprocess.CompletedProcess[str]":
    """Cargo, whatever it ends with."""
    programs = {
        f"CARGO_BIN_EXE_{name}": os.path.join(TARGET, "debug", program)
        for name, program in order["programs"].items()
    }
    ours = {"CARGO_HOME": HOME, "CARGO_TARGET_DIR": TARGET}
    return subprocess.run(
        [*words, *more],
        env={**os.environ, **order["env"], **programs, **ours},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def build(order: RustBuildOrder) -> tuple[list[str], list[str], list[dict[str, Any]]]:
    """Errors, warnings, and what was made."""
    done = run(order, order["build"], "--message-format=json")
    if done.returncode != 0 and READ_ONLY in done.stderr:
        # Settings of its own (flags, a profile) make cargo compile the dependencies in another way.
        shutil.rmtree(TARGET)
        done = run(order, order["build"], "--message-format=json")
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    warnings = rendered(messages, "warning")[:MAX_ERRORS]
    if done.returncode == 0:
        made = [m for m in messages if m.get("reason") == "compiler-artifact"]
        return [], warnings, made
    errors = rendered(messages, "error")[:MAX_ERRORS] or [said(done.stderr)]
    return errors, warnings, []


def rendered(messages: list[dict[str, Any]], level: str) -> list[str]:
    """The compiler's messages of one level, each once, as it would print them; no summaries."""
    compiler = [m["message"] for m in messages if m.get("reason") == "compiler-message"]
    texts = [
        message["rendered"][:MAX_ERROR].strip()
        for message in compiler
        if message["level"].startswith(level)
        and not message["message"].startswith("aborting due to")
        and (level == "error" or message["spans"])
    ]
    return list(dict.fromkeys(texts))


def said(text: str) -> str:
    """Cargo's own complaint, without the warnings before it and where files are here."""
    error = ERROR.search(text)
    text = text[error.start() :] if error else text[-MAX_ERROR:]
    return text.replace(f"{os.getcwd()}/", "")[:MAX_ERROR].strip()


def reads_outside(folder: str) -> list[str]:
    """Files beyond `folder` that the solution's crates were compiled from: its tests, say.

    Cargo lists what each library and program was made of; of test programs it keeps no such list.
    """
    home = os.path.realpath(folder)
    errors = set()
    for entry in os.scandir(os.path.join(TARGET, "debug")):
        if not entry.name.endswith(".d") or entry.name == OWN_LIST:
            continue
        with open(entry.path, encoding="utf-8") as stream:
            _, _, sources = stream.read().partition(": ")
        for source in re.findall(r"(?:\\.|[^\s\\])+", sources):
            path = os.path.realpath(source.replace("\\ ", " "))
            if not path.startswith(home + os.sep):
                shown = os.path.relpath(path)
                errors.add(f"{folder} may not be compiled from files outside of it: {shown}")
    return sorted(errors)


def handed_out(order: RustBuildOrder, artifacts: list[dict[str, Any]]) -> list[BuiltProgram]:
    """Copies the programs to the same names below the folder that leaves the sandbox."""
    programs: list[BuiltProgram] = []
    for artifact in artifacts:
        program = artifact.get("executable")
        if not program:
            continue
        inner = os.path.relpath(program, TARGET)
        copy = os.path.join(order["out"], inner)
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        shutil.copy2(program, copy)
        if artifact["profile"]["test"]:
            target = artifact["target"]
            folder = os.path.dirname(artifact["manifest_path"])
            programs.append(
                {
                    "file": inner,
                    "name": target["name"],
                    "source": os.path.relpath(target["src_path"]),
                    "folder": os.path.relpath(folder),
                }
            )
    return programs


def doc_tests(order: RustBuildOrder, channel: Channel) -> None:
    """Run by rustdoc, which compiles each one; the standard harness reports in JSON."""
    done = run(order, order["doc_tests"], "--", "-Zunstable-options", "--format", "json")
    clean = True
    for line in done.stdout.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if not isinstance(event, dict) or event.get("type") != "test":
            continue
        status = STATUSES.get(str(event.get("event")))
        if status is None:
            continue
        clean = clean and status != "failed"
        channel.send(
            Case(
                kind="case",
                id=f"doc: {event.get('name')}",
                status=status,
                expected_failure=False,
                seconds=float(event.get("exec_time") or 0),
                reason="",
                message=str(event.get("stdout") or "the doc test failed").strip(),
            )
        )
    if clean != (done.returncode == 0):
        text = f"doc tests: exit code {done.returncode}\n{done.stderr[-MAX_ERROR:]}".strip()
        channel.send(RunError(kind="run_error", id="doc:", message=text))
