"""What go_boot says of a test, whoever ran it."""

from ..channel import Channel
from ..protocol import Case, Status

MAX_TEXT = 64 * 1024  # of what one test or one build printed
FULL_FAILURES = 50  # told at full length; a suite that fails as a whole must not flood the channel
SHORT_TEXT = 2 * 1024


def tell_case(channel: Channel, name: str, status: Status, seconds: float, text: str) -> None:
    channel.send(
        Case(
            kind="case",
            id=name,
            status=status,
            expected_failure=False,
            seconds=seconds,
            reason="",
            output=text,
        )
    )
