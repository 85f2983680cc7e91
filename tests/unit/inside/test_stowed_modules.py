"""A module that was loaded before and put away is imported as if it were loaded now."""

import json
import subprocess
import sys

LOADED = (
    "xml.dom.minidom",
    "concurrent.futures.thread",
    "email.mime.text",
    "pydantic",
    "rich.table",
    "sqlalchemy.orm",
    "logging.handlers",
    "unittest.mock",
    "no_such_module_at_all",
)
# Each statement in a process of its own, forked from one that has loaded nothing of it.
SEEN = """
import json, os, sys
known = set(sys.modules)
{first}

def told(statement):
    try:
        exec(statement, {{}})
    except (ImportError, AttributeError) as error:
        return [type(error).__name__, str(error)]
    new = {{name for name in sys.modules if name not in known}}
    new -= {{name for name in new if name.partition(".")[0] in ("sdkbench", "importlib")}}
    new -= {{name for name in new if getattr(sys.modules[name], "__spec__", None) is None}}
    # sysconfig loads it once, whoever asks first.
    new -= {{name for name in new if name.startswith("_sysconfigdata")}}
    attributes = {{
        name for name in new if "." in name
        and getattr(sys.modules[name.rpartition(".")[0]], name.rpartition(".")[2], None)
        is sys.modules[name]
    }}
    return [sorted(new), sorted(attributes)]

for statement in {statements!r}:
    sys.stdout.flush()
    if os.fork() == 0:
        print(json.dumps(told(statement)), flush=True)
        os._exit(0)
    os.wait()
"""
STOW = f"""
from sdkbench.inside.python.stowed_modules import Stow
stow = Stow()
sys.meta_path.insert(0, stow)
failed = stow.load({LOADED!r})
assert failed == ["no_such_module_at_all"], failed
known |= set(sys.modules)
"""
PLAIN = "from sdkbench.inside.python.stowed_modules import Stow\nknown |= set(sys.modules)"


def output(program: str) -> str:
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


STATEMENTS = (
    "import xml",
    "import xml; xml.dom",
    "import xml.dom.minidom",
    "import concurrent; concurrent.futures",
    "import logging; logging.handlers",
    "from logging import handlers",
    "from email.mime import text",
    "import unittest; unittest.mock",
    "import pydantic",
    "from pydantic import BaseModel",
    "import rich",
    "import rich.table",
    "import sqlalchemy; sqlalchemy.orm",
    "from sqlalchemy import orm; from sqlalchemy.orm import Session",
    "import no_such_module_at_all",
)


def seen(first: str) -> dict[str, object]:
    lines = output(SEEN.format(first=first, statements=STATEMENTS)).splitlines()
    return dict(zip(STATEMENTS, map(json.loads, lines), strict=True))


def test_what_is_imported_is_what_would_have_been() -> None:
    assert seen(STOW) == seen(PLAIN)


def test_a_module_keeps_its_spec_and_is_the_same_object() -> None:
    checks = (
        "held = stow._modules['pydantic']",
        "import pydantic",
        "print(pydantic is held, pydantic.__spec__.name, pydantic.__loader__ is stow)",
    )
    program = "\n".join(["import sys", "known = set()", STOW, *checks])
    assert output(program) == "True pydantic False\n"
