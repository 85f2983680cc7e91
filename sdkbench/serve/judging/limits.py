"""ServiceLimits: how much is taken in; each has a flag of `sdkbench serve` or a reason here."""

from typing import NamedTuple

MIB = 1 << 20


class ServiceLimits(NamedTuple):
    waiting: int = 1000  # judgements that are accepted and not answered
    body_bytes: int = 20 * MIB
    unpacked_bytes: int = 64 * MIB  # of an archive
    files: int = 2000  # of a solution
    upload_seconds: float = 60.0  # for a whole request to arrive
    uploads_bytes: int = 256 * MIB  # all bodies that are being read or taken apart at once
    requests: int = 1000  # at once, with those that wait for an answer
    drain_seconds: float = 30.0  # for what is being judged when the service is told to end
