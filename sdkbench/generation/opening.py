"""open_generator("name:target"): the generator that a spec names."""

import os
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path

from sdkbench.backends import BackendRegistry, on_own_thread, open_backend
from sdkbench.backends.protocol import unknown
from sdkbench.datasets import Sample
from sdkbench.errors import InputError
from sdkbench.generation.agent import open_agent
from sdkbench.generation.generator import Generator, Settings
from sdkbench.generation.known import KnownSolutions, replayed_solutions
from sdkbench.generation.text import TextGenerator, text_prompt
from sdkbench.sandbox import choose

OWN = ("agent", "reference", "replay", "starter")


def open_generator(
    spec: str, settings: Settings | None = None, *, samples: Sequence[Sample] = ()
) -> Generator:
    """The caller closes it. `samples` are those that a file of recorded answers may name by id.

    Raises InputError for an unknown name, a target that can't be opened or a missing key (with its
    variable), MissingTool for an extra that is not installed. No server is contacted yet.
    """
    settings = settings or Settings()
    name, _, target = (part.strip() for part in spec.strip().partition(":"))
    environment = dict(os.environ if settings.environment is None else settings.environment)
    if name in {"starter", "reference"}:
        if target:
            raise InputError(f"The {name} generator takes nothing after its name: {name}.")
        return KnownSolutions(name, attrgetter(f"{name}_dir"), trusted=True)
    if name == "agent":
        return open_agent(target, settings, environment, choose(settings.sandbox))
    if name == "replay" and Path(target).expanduser().is_dir():
        return replayed_solutions(f"replay:{target}", Path(target).expanduser().resolve())
    known = {*BackendRegistry.names(), *OWN}
    if name not in known:
        raise unknown("model", name, known)
    prompts = {sample.id: text_prompt(sample, settings).text for sample in samples}
    backend = on_own_thread(open_backend(spec, prompts=prompts, environment=environment))
    return TextGenerator(backend, settings)
