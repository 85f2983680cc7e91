"""Measurements: what a service counts of itself, for Prometheus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
REQUEST_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
JUDGING_SECONDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600)
WAITING_SECONDS = (0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600)


class Measurements:
    """Of one service, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        registry = self._registry
        self.accepted = Counter(
            "sdkbench_judgements_accepted", "Judgements accepted", registry=registry
        )
        self.answered = Counter(
            "sdkbench_judgements_answered", "Judgements answered", ["outcome"], registry=registry
        )
        self.judged = Histogram(
            "sdkbench_judging_seconds",
            "Time that one attempt was judged",
            buckets=JUDGING_SECONDS,
            registry=registry,
        )
        self.waited = Histogram(
            "sdkbench_judgement_seconds",
            "Time from accepting a judgement to its answer",
            buckets=WAITING_SECONDS,
            registry=registry,
        )
        self.requests = Histogram(
            "sdkbench_request_seconds",
            "Time to answer a request",
            ["route", "status"],
            buckets=REQUEST_SECONDS,
            registry=registry,
        )
        self.problems = Counter(
            "sdkbench_problems", "Requests refused", ["name"], registry=registry
        )
        self.webhooks = Counter(
            "sdkbench_webhooks", "Webhooks by how they ended", ["result"], registry=registry
        )
        self.queued = Gauge("sdkbench_queued", "Attempts that wait", registry=registry)
        self.judging = Gauge("sdkbench_judging", "Attempts being judged", registry=registry)
        self.open = Gauge(
            "sdkbench_judgements_open", "Judgements without an answer", registry=registry
        )
        self.workers = Gauge("sdkbench_workers", "Attempts judged at once", registry=registry)

    def text(self) -> bytes:
        return generate_latest(self._registry)
