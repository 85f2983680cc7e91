"""Answers on their way to results: judged one by one, POSIX for many at once."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sdkbench.backends.retry import OPEN_AFTER, UNREACHABLE_KINDS
from sdkbench.shell.asking import Asked, Failure
from sdkbench.shell.dataset import PosixScope, TestCase
from sdkbench.shell.execution import Execution
from sdkbench.shell.judging import CaseJudge, Judged, conclude
from sdkbench.shell.posix import PosixReport, Run, check_posix
from sdkbench.shell.results import (
    EvaluationSettings,
    FailureReason,
    TestResult,
    blank,
)
from sdkbench.shell.safety import SafetyPolicy

# POSIX is judged for this many answers at once, or for those at hand when the last batch is this
# long ago: results come while a slow backend is still at work, yet tools start rarely.
BATCH = 200
LINGER_SECONDS = 30.0
# Each holds a sandbox; more only slow each other down.
EXECUTIONS_AT_ONCE = 2


class Pending(NamedTuple):
    place: int
    judged: Judged


class Progress:
    """The state of one run. Everything but the judges themselves happens on the event loop."""

    def __init__(
        self,
        cases: Sequence[TestCase],
        backend: str,
        scope: PosixScope,
        settings: EvaluationSettings,
        execution: Execution | None,
        tools: Run | None,
    ) -> None:
        self.on_result: Callable[[TestResult], None] = lambda _result: None
        self.linger_seconds = LINGER_SECONDS
        self._cases = cases
        self._backend = backend
        self._scope = scope
        self._settings = settings
        self._policy = SafetyPolicy(settings.unsafe_from)
        self._execution = execution
        self._slots = asyncio.Semaphore(EXECUTIONS_AT_ONCE)
        self._tools = tools
        self._final: dict[int, TestResult] = {}
        self._pending: list[Pending] = []
        self._flushing = asyncio.Lock()
        self._flushed = time.monotonic()
        self._waiting = asyncio.Event()  # something is pending
        self._lost: Failure | None = None
        self._heard = False

    def results(self) -> tuple[TestResult, ...]:
        """Those that are final, in the dataset's order."""
        return tuple(self._final[place] for place in sorted(self._final))

    def hopeless(self) -> Asked | None:
        """What stands for an answer where asking has been shown to be in vain."""
        if self._heard or self._lost is None or len(self._final) < OPEN_AFTER:
            return None
        return Asked(self._lost, 0.0)

    async def take(self, place: int, asked: Asked) -> None:
        """Judge what came back for the case at `place`."""
        if isinstance(asked.outcome, Failure):
            self._lost = asked.outcome if asked.outcome.kind in UNREACHABLE_KINDS else self._lost
            self._heard = self._heard or asked.outcome.kind not in UNREACHABLE_KINDS
            self._tell(place, self._failed(place, asked.outcome, asked.duration_seconds))
            return
        self._heard = True
        judge = CaseJudge(self._cases[place], self._policy)
        judged = await asyncio.to_thread(judge.judge, asked.outcome, asked.duration_seconds)
        if self._execution is not None and judged.open_to_execution:
            judged = await self._executed(judged, self._execution)
        self._pending.append(Pending(place, judged))
        self._waiting.set()
        if len(self._pending) >= BATCH:
            await self.flush()

    async def flush_in_time(self) -> None:
        """Let nothing be pending for longer than `linger_seconds`; until it is cancelled."""
        while True:
            await self._waiting.wait()
            left = self._flushed + self.linger_seconds - time.monotonic()
            if left > 0:
                await asyncio.sleep(left)
            else:
                await self.flush()

    async def flush(self) -> None:
        """Make results of everything that is pending."""
        async with self._flushing:
            batch, self._pending = self._pending, []
            self._waiting.clear()
            self._flushed = time.monotonic()
            looked_at = False
            try:
                reports = await asyncio.to_thread(self._posix, batch)
                looked_at = True
            finally:
                if not looked_at:
                    self._pending = batch + self._pending  # a later flush judges them
                    self._waiting.set()
            for item, report in zip(batch, reports, strict=True):
                result = conclude(item.judged, report, self._scope, self._backend)
                self._tell(item.place, result)

    def stop_executing(self) -> None:
        if self._execution is not None:
            self._execution.stop()

    def _tell(self, place: int, result: TestResult) -> None:
        self._final[place] = result
        self.on_result(result)

    def _posix(self, batch: Sequence[Pending]) -> list[PosixReport | None]:
        """One report an answer; the tools see each different command once."""
        found = [item.judged.extraction.command for item in batch if item.judged.match]
        commands = list(dict.fromkeys(found))
        reports = check_posix(commands, run=self._tools, edition=self._settings.edition)
        by_command = dict(zip(commands, reports, strict=True))
        return [
            by_command[item.judged.extraction.command] if item.judged.match else None
            for item in batch
        ]

    async def _executed(self, judged: Judged, execution: Execution) -> Judged:
        command = judged.extraction.command
        async with self._slots:
            ruling = await asyncio.to_thread(execution.decide, judged.case, command)
        return judged.executed(ruling)

    def _failed(self, place: int, failure: Failure, seconds: float) -> TestResult:
        reason = FailureReason.backend_error(failure.message, failure.kind)
        common = blank(self._cases[place], self._backend)
        return TestResult.model_validate(
            common
            | {
                "actual": None,
                "passed": False,
                "reason": reason,
                "duration_seconds": round(seconds, 4),
            }
        )
