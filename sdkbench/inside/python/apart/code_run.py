"""What tests run: text, pickles and programs. Where a solution has written them, its code would run
beside the tests after all. So tests run the very same as on the reference, and nothing else.
"""

import hashlib
import marshal
import os
import re
import shlex
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

from . import fed
from .link import Link

RUN = "what tests run"
MAX_SENTENCE = 300
PACKAGES = frozenset({"site-packages", "dist-packages"})
RUNS_FILES = re.compile(
    r"(python|pypy|node|deno|bun|(ba|da|z|k|fi)?sh|perl|ruby|php|lua|java|tclsh|make|env|awk)[\d.]*"
)
TAKES = frozenset({"-", "-c", "-m", "-e", "--eval"})  # programs, or the word for none
MAKERS = frozenset({"collections", "dataclasses", "attr._make", "enum", "functools", "typing"})
RANDOM = re.compile(r"\d{4,}|[0-9a-f]{8,}")  # a port, a process, the name of a temporary file


class CodeRun:
    """An audit hook: it hears of all that this process runs, for as long as there is a process."""

    def __init__(self, link: Link, scratch: str) -> None:
        self._link = link
        self._scratch = f"{os.path.realpath(scratch)}/"
        self._packages = _package_folders()
        self._ours = f"{os.path.dirname(os.path.abspath(__file__))}{os.sep}"
        self._heard: dict[str, Callable[..., None]] = {
            "exec": self._code,
            "pickle.find_class": self._pickle,
            "subprocess.Popen": self._program,
            "os.posix_spawn": self._program,
            "os.exec": self._program,
            "os.system": self._line,
            "ctypes.dlopen": self._library,
        }

    def listen(self) -> None:
        heard = self._heard

        def hook(event: str, arguments: tuple[Any, ...]) -> None:
            if event in heard:
                heard[event](*arguments)

        sys.addaudithook(hook)
        fed.listen(
            _reads_program,
            lambda text: self._same_as_reference(f"feeds an interpreter ({text})"),
            lambda: self._link.undecidable(
                "The test feeds an interpreter by a pipe or a socket, and what goes in is not known"
            ),
        )

    def _same_as_reference(self, sentence: str) -> None:
        if not self._link.profile.may_use(RUN, sentence):
            told = f"The test {sentence[:MAX_SENTENCE]}, which it does not on the reference"
            raise self._link.undecidable(told)

    def _code(self, code: object) -> None:
        if not isinstance(code, types.CodeType):
            return
        caller = sys._getframe(2)  # noqa: SLF001 - of the language
        if self._is_shared(code.co_filename) or self._is_of_tests(code, caller):
            # Version 2 of the format says nothing of which parts are one and the same object.
            text = hashlib.sha256(marshal.dumps(code, 2)).hexdigest()
            self._same_as_reference(f"runs text as code ({text[:32]})")

    def _is_of_tests(self, code: types.CodeType, caller: types.FrameType) -> bool:
        """Whether a test has this run: by itself, or by a package that it hands a text to.

        What packages read from files of theirs is not meant, nor what they make of names alone.
        """
        if not caller.f_code.co_filename.startswith(self._packages):
            return True
        if code.co_filename.startswith(("/", "<frozen ")) or _makes_classes(caller):
            return False
        frame = caller.f_back
        while frame is not None:
            path = frame.f_code.co_filename
            if path.startswith(self._ours):
                return False
            if not path.startswith(self._packages):
                return True
            frame = frame.f_back
        return False

    def _pickle(self, module: str, name: str) -> None:
        self._same_as_reference(f"unpickles {module}.{name}")

    def _program(self, program: object, words: Sequence[Any] | None, *rest: object) -> None:
        folder = rest[0] if rest and isinstance(rest[0], str | os.PathLike) else os.curdir
        named = [_text(word) for word in (words if isinstance(words, list | tuple) else [words])]
        if named[1:2] == ["-c"] and RUNS_FILES.fullmatch(_base(named[0])):
            named = [*named[:2], *_words(" ".join(named[2:]))]
        self._started([_text(program) or named[0], *named[1:]], os.path.realpath(_text(folder)))

    def _line(self, command: object) -> None:
        self._started(["sh", "-c", *_words(_text(command))], os.path.realpath(os.curdir))

    def _started(self, words: list[str], folder: str) -> None:
        shown = [RANDOM.sub("#", word.replace(self._scratch, "/")) for word in words]
        self._same_as_reference(f"starts {shlex.join(shown)}")
        if RUNS_FILES.fullmatch(_base(words[0])) or self._is_shared(words[0]):
            for word in words:
                path = os.path.realpath(os.path.join(folder, word))
                if self._is_shared(path) and os.path.isfile(path):
                    with open(path, "rb") as stream:
                        text = hashlib.file_digest(stream, "sha256").hexdigest()
                    self._same_as_reference(f"starts a program that was written ({text[:32]})")

    def _library(self, name: object) -> None:
        if self._is_shared(os.path.realpath(_text(name))):
            self._same_as_reference("loads a library that was written")

    def _is_shared(self, path: str) -> bool:
        return path.startswith(self._scratch)


def _package_folders() -> tuple[str, ...]:
    """Of the language and of packages, whose code is nobody's to choose."""
    standard = os.path.dirname(os.__file__)
    installed = [path for path in sys.path if os.path.basename(path) in PACKAGES]
    ours = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return ("<frozen ", *(f"{path}{os.sep}" for path in (standard, ours, *installed)))


def _reads_program(program: object, words: object) -> bool:
    """Whether an interpreter is started without a program: it reads one from its input."""
    named = words if isinstance(words, list | tuple) else shlex.split(_text(words))
    texts = [_text(word) for word in named]
    if not texts or not RUNS_FILES.fullmatch(_base(_text(program) or texts[0])):
        return False
    first = next((word for word in texts[1:] if not word.startswith("-") or word in TAKES), "-")
    return first == "-" or first.startswith("/dev/")


def _makes_classes(caller: types.FrameType) -> bool:
    """A named tuple, a dataclass: of names that are checked to be such."""
    return caller.f_globals.get("__name__") in MAKERS


def _text(value: object) -> str:
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    return os.fsdecode(value) if isinstance(value, bytes) else "" if value is None else str(value)


def _base(program: str) -> str:
    return os.path.basename(program)


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()
