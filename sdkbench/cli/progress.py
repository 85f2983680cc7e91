"""What a person sees of any command that judges while it goes: a bar, tallies, what runs now."""

import time
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, field
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from sdkbench.cli.console import STYLES, harmless, one_line, warn_if_plain
from sdkbench.core import Fault, Outcome
from sdkbench.engine import Answered, Event, Finished, Planned, Started
from sdkbench.environments import InstallBegan, InstallEnded, bytes_below
from sdkbench.errors import ExitCode
from sdkbench.sandbox import Level
from sdkbench.shell import TestResult as ShellResult
from sdkbench.store import Attempt, Suite
from sdkbench.test_harness import FCorrResult

SHOWN_AT_ONCE = 6  # attempts under way; more are counted
SHELL_LINE_EVERY = 20  # without a terminal: shell cases are too many for a line each
REFRESHES = 8  # a second
LINE_CHARACTERS = 300
FEW = 40  # samples: so many have a line each on a terminal, too
MEASURED_EVERY = 1.0  # seconds: what an installation has taken so far


@dataclass(slots=True)
class Tally:
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    tokens: int = 0
    cost: float = 0.0


class LiveDisplay(ABC):
    """Something drawn on stderr while a block goes on, where that is a terminal.

    It is drawn once when it is made, so a subclass calls this constructor last.
    """

    def __init__(self, level: Level | None, *, quiet: bool) -> None:
        """`level` is that of the sandbox, if one is used."""
        self.level = level
        self._quiet = quiet
        self._err = Console(stderr=True, highlight=False, soft_wrap=True)
        self._live = Live(
            console=self._err,
            get_renderable=self._draw,
            refresh_per_second=REFRESHES,
            transient=True,
        )

    def __enter__(self) -> Self:
        if self.level is not None:
            warn_if_plain(self._err, self.level)
        if not self._quiet and self._err.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_failure: object) -> None:
        if self._live.is_started:
            self._live.stop()

    @abstractmethod
    def _draw(self) -> RenderableType: ...


class ProgressDisplay(LiveDisplay):
    """Draws on stderr; a line for each attempt where that is no terminal; silent with `quiet`."""

    def __init__(self, level: Level | None = None, *, quiet: bool) -> None:
        """`level` is that of the sandbox, if one is used."""
        self.results: list[FCorrResult | ShellResult] = []
        self.outcomes: Counter[Outcome] = Counter()
        self._ended: Counter[Suite] = Counter()
        self.faults: Counter[str | None] = Counter()  # of errors
        self._planned = Planned("", (), {})
        self._tallies: dict[str, Tally] = {}
        self._running: dict[str, Started] = {}
        self._installing: dict[str, _Installing] = {}
        self._began = time.monotonic()
        super().__init__(level, quiet=quiet)

    def on_event(self, event: Event) -> None:
        if isinstance(event, Planned):
            self._plan(event)
        elif isinstance(event, Started):
            self._running[event.key] = event
        elif isinstance(event, InstallBegan | InstallEnded):
            self._install(event)
        elif isinstance(event, Answered):
            self._running.pop(event.key, None)
            tally = self._tallies.setdefault(event.model, Tally())
            tally.tokens += (event.input_tokens or 0) + (event.output_tokens or 0)
            tally.cost += event.cost or 0.0
        elif isinstance(event, Finished):
            if event.result is not None:
                self.results.append(event.result)
            self._end(event.attempt)

    def interrupted(self, resuming: str = "") -> None:
        """`resuming` says which command goes on with the run, where it is kept."""
        run_id, total, done = self._planned.run_id, self._planned.total, self._done()
        if resuming and not run_id:
            self._say("Stopped before the run began.")
        elif resuming:
            self._say(
                f"Stopped: {done} of {total} attempts are stored, {total - done} are left. "
                f"{resuming} goes on with run {run_id}."
            )
        else:
            self._say(f"Interrupted: {done} finished, {len(self._running)} stopped.")

    def exit_code(self, *, every_sdk: bool) -> ExitCode:
        """Among all samples there are some in languages that this machine need not have."""
        faults = self.faults.copy()
        if every_sdk and self.outcomes.total() > self.outcomes[Outcome.ERROR]:
            del faults[Fault.MISSING_TOOL]
        return ExitCode.HARNESS_FAULT if faults.total() else ExitCode.OK

    def _plan(self, planned: Planned) -> None:
        self._planned = planned
        self._began = time.monotonic()
        self._tallies |= {model: Tally() for model in planned.models}
        if not planned.run_id:
            return
        line = f"run {planned.run_id}: {planned.total} attempt{'s' * (planned.total != 1)}"
        if planned.done:
            line += f", {planned.done} of them done before"
        if planned.reused:
            line += f" ({planned.reused} in other runs)"
        self._say(line)

    def _install(self, event: InstallBegan | InstallEnded) -> None:
        """Called from the threads that install."""
        if isinstance(event, InstallBegan):
            self._installing[event.key] = _Installing(event)
            if not self._live.is_started:
                self._say(f"{self._installing[event.key].told(sized=False)} …")
            return
        self._installing.pop(event.key, None)
        if event.packages is not None:
            self._say(
                f"environment ready: {event.language}, {_packages(event.packages)}, "
                f"{event.size_bytes / 1e6:.0f} MB, {event.seconds:.0f} s"
            )

    def _end(self, attempt: Attempt) -> None:
        self._running.pop(attempt.key, None)
        self.outcomes[attempt.outcome] += 1
        self._ended[attempt.suite] += 1
        if attempt.outcome is Outcome.ERROR:
            self.faults[attempt.fault] += 1
        tally = self._tallies.setdefault(attempt.model, Tally())
        tally.outcomes[attempt.outcome] += 1
        if attempt.suite is Suite.SHELL:
            tally.tokens += (attempt.input_tokens or 0) + (attempt.output_tokens or 0)
            tally.cost += attempt.cost_usd or 0.0
        if not self._live.is_started or self._planned.left.get(Suite.SDK, 0) <= FEW:
            self._line(attempt, tally)

    def _line(self, attempt: Attempt, tally: Tally) -> None:
        done = f"[{self._done()}/{self._planned.total}]"
        if attempt.suite is Suite.SHELL:
            count = tally.outcomes.total()
            if count % SHELL_LINE_EVERY == 0:
                passed = tally.outcomes[Outcome.PASSED]
                who = f"{attempt.sdk} by {attempt.model}"
                self._say(f"{done} {who}: {count} so far, {passed} passed")
            return
        reason = f": {attempt.error}" if attempt.error else ""
        line = f"{done} {_named(attempt.sample, attempt.model)}: {attempt.outcome}{reason}"
        # On a terminal a line is one: what is cut off stands below the table again.
        self._say(_cut(line, self._err.width if self._err.is_terminal else LINE_CHARACTERS))

    def _done(self) -> int:
        return self._planned.done + self.outcomes.total()

    def _say(self, text: str) -> None:
        if not self._quiet:
            self._err.print(harmless(text), markup=False)

    def _draw(self) -> RenderableType:
        return Group(self._bar(), self._models(), *self._now())

    def _bar(self) -> Table:
        total, done = self._planned.total, self._done()
        seconds = time.monotonic() - self._began
        rate = self.outcomes.total() / seconds if seconds > 1 else 0.0
        row = Table.grid(padding=(0, 1))
        row.add_row(
            Text(f"{done}/{total}"),
            ProgressBar(total=max(total, 1), completed=done, width=30),
            Text(f"{rate:.1f}/s  {_clock(seconds)} elapsed  {self._left(seconds)}"),
        )
        return row

    def _left(self, seconds: float) -> str:
        """By the slower suite: a shell case takes no time where a sample takes seconds."""
        waits = []
        for suite, planned in self._planned.left.items():
            left = planned - self._ended[suite]
            if left and not self._ended[suite]:
                return ""
            if left:
                waits.append(left * seconds / self._ended[suite])
        return f"{_clock(max(waits))} left" if waits else ""

    def _models(self) -> Table:
        table = Table.grid(padding=(0, 2))
        for model, tally in self._tallies.items():
            if not model and not tally.outcomes:
                continue  # a folder that is judged has no model
            counts = Text("  ").join(
                Text(f"{tally.outcomes[outcome]} {outcome}", style=STYLES[outcome])
                for outcome in Outcome
                if tally.outcomes[outcome]
            )
            used = f"{tally.tokens:,} tokens" if tally.tokens else ""
            cost = f"{tally.cost:.4f} USD" if tally.cost else ""
            table.add_row(Text(harmless(model), style="bold"), counts, Text(f"{used} {cost}"))
        return table

    def _now(self) -> list[Text]:
        running = list(self._running.values())
        lines = [Text(f"  {each.told()}", style="dim") for each in [*self._installing.values()]]
        lines += [
            Text(harmless(f"  {each.activity} {_named(each.sample, each.model)}"), style="dim")
            for each in running[:SHOWN_AT_ONCE]
        ]
        more = len(running) - SHOWN_AT_ONCE
        return [*lines, Text(f"  and {more} more", style="dim")] if more > 0 else lines


@dataclass(slots=True)
class _Installing:
    """An environment that is being made, and how far it has come."""

    event: InstallBegan
    _measured_at: float = 0.0
    _bytes: int | None = None

    def told(self, *, sized: bool = True) -> str:
        parts = [f"preparing environment: {self.event.language}"]
        parts += [_packages(self.event.packages)] if self.event.packages else []
        taken = self._taken() if sized else None
        parts += [f"{taken / 1e6:.0f} MB so far"] if taken is not None else []
        seconds = time.monotonic() - self.event.began
        return ", ".join([*parts, *([f"{seconds:.0f} s"] if sized else [])])

    def _taken(self) -> int | None:
        now = time.monotonic()
        if self.event.before is None:
            return None
        if now - self._measured_at > MEASURED_EVERY:
            self._measured_at = now
            self._bytes = bytes_below(self.event.folder)
        return None if self._bytes is None else max(self._bytes - self.event.before, 0)


def _cut(line: str, width: int) -> str:
    text = Text(one_line(line))
    text.truncate(width, overflow="ellipsis")
    return text.plain


def _packages(count: int) -> str:
    return "1 package" if count == 1 else f"{count} packages"


def _named(sample: str, model: str) -> str:
    """A folder that is judged has no model."""
    return f"{sample} by {model}" if model else sample


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
