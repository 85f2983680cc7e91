"""Settings → what a run is measured by, and where it is judged."""

import os
from collections import Counter
from pathlib import Path

from sdkbench.cli.shell_eval import find_dataset
from sdkbench.datasets import Sample, default_samples_dir, load_sdk
from sdkbench.engine import (
    Bench,
    EngineKind,
    Judge,
    RunSettings,
    Suites,
    generation_settings,
    judging_here,
    load_shell_set,
    open_ray_generator,
    open_ray_judge,
    reading_only,
)
from sdkbench.environments import Cache
from sdkbench.errors import InputError
from sdkbench.generation import Generator
from sdkbench.judge.subject import Options
from sdkbench.sandbox import Cancellation, Sandbox, choose
from sdkbench.test_harness import Harness


def suites_of(settings: RunSettings) -> Suites:
    if not settings.sdk and not settings.dataset:
        raise InputError(
            "Name what to measure by: --sdk NAME (or all), --dataset FILE (or core), or both."
        )
    samples: dict[Path, Sample] = {}
    for name in settings.sdk:
        loaded = load_sdk(settings.samples_dir or default_samples_dir(), name)
        by_sdk: dict[str, list[Sample]] = {}
        for sample in loaded:
            by_sdk.setdefault(sample.sdk, []).append(sample)
        samples |= {s.root: s for each in by_sdk.values() for s in each[: settings.limit]}
    paths = dict.fromkeys(find_dataset(name) for name in settings.dataset)
    sets = tuple(load_shell_set(path, settings.limit) for path in paths)
    names = Counter(each.dataset.title for each in sets)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise InputError(f"Two of the datasets are called {twice[0]!r}. Give one another name.")
    return Suites(tuple(samples.values()), sets)


def bench_for(settings: RunSettings) -> Bench:
    cancellation = Cancellation()
    sandbox = choose(settings.sandbox, cancellation)
    options = Options(mode=settings.mode, integrity=settings.integrity, timeout=settings.timeout)
    if settings.engine is EngineKind.RAY and settings.run_fcorr:
        return _on_ray(settings, options, sandbox, cancellation)
    workers = settings.workers or os.cpu_count() or 1

    def open_judge() -> Judge:
        if not settings.run_fcorr:
            return reading_only(workers)
        cache = Cache(cancellation=cancellation)
        harness = Harness(sandbox, cache, install=not settings.no_install)
        return judging_here(options, harness, workers)

    return Bench(options, sandbox.level, open_judge, cancellation)


def _on_ray(
    settings: RunSettings, options: Options, sandbox: Sandbox, cancellation: Cancellation
) -> Bench:
    def open_judge() -> Judge:
        # The level is part of every attempt's key, so all nodes must have the driver's.
        return open_ray_judge(
            options,
            address=settings.address,
            sandbox=sandbox.level,
            install=not settings.no_install,
            workers=settings.workers,
        )

    def agents_beside(spec: str, judge: Judge) -> Generator:
        return open_ray_generator(spec, generation_settings(settings), judge)

    return Bench(options, sandbox.level, open_judge, cancellation, agents_beside)
