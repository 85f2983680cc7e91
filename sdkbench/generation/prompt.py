"""A sample → the prompt for it. Templates are data files with their version in the name."""

import re
from pathlib import Path
from string import Template
from typing import NamedTuple

from sdkbench.datasets import Sample
from sdkbench.errors import InputError
from sdkbench.generation.files import starter_texts

TEMPLATES = Path(__file__).parent / "templates"
TEXT_TEMPLATE = "sdk-1"
AGENT_TEMPLATE = "agent-1"
DOCS_BYTES = 4 << 20  # a million tokens; no model takes more


class Prompt(NamedTuple):
    system: str
    text: str
    template: str  # figures compare only within one version


def template_names() -> list[str]:
    return sorted(path.name.removesuffix(".user.txt") for path in TEMPLATES.glob("*.user.txt"))


def build_prompt(
    sample: Sample, *, template: str = TEXT_TEMPLATE, docs: str | None = None, minutes: float = 0
) -> Prompt:
    """Description, starter files and, where given, the SDK's documentation.

    Nothing of the reference, the tests or the metadata's ground truth goes into it.
    """
    if template not in template_names():
        known = ", ".join(template_names())
        raise InputError(f"There is no prompt template {template!r}. There are: {known}.")
    metadata = sample.ground_truth.metadata
    version = f" {metadata.sdk_version}" if metadata.sdk_version else ""
    fenced = [_fenced(path, text) for path, text in starter_texts(sample.starter_dir).items()]
    values = {
        "description": metadata.description.strip() or metadata.task_name,
        "sdk": f"{metadata.sdk}{version}",
        "files": "\n".join(fenced) or "There are none yet.\n",
        "docs": f"# Documentation\n\n{docs.strip()}\n\n" if docs else "",
        "minutes": f"{minutes:g}",
    }
    text = Template(_read(f"{template}.user.txt")).substitute(values)
    return Prompt(_read(f"{template}.system.txt").strip(), text, template)


def read_docs(path: Path) -> str:
    """The documentation to put into prompts. Raises InputError for what can't be read as text."""
    try:
        if path.stat().st_size > DOCS_BYTES:
            raise InputError(f"The documentation {path} is larger than {DOCS_BYTES >> 20} MiB.")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"The documentation {path} is not UTF-8 text.") from error
    except OSError as error:
        raise InputError(f"The documentation {path} cannot be read: {error.strerror}.") from error


def _read(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _fenced(path: str, text: str) -> str:
    """A file in a fence that is longer than any in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    label = path.rpartition(".")[2] if "." in path.rpartition("/")[2][1:] else "text"
    end = "" if text.endswith("\n") or not text else "\n"
    return f"{fence}{label} {path}\n{text}{end}{fence}\n"
