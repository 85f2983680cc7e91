"""RequestProblem: what a caller did wrong, or why we can't, as RFC 9457 has it."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType

from sdkbench.client.wire import PROBLEM_TYPE, InvalidPart, ProblemDetails

MOST_PARTS = 50  # told of one request


class RequestProblem(Exception):
    """Becomes the answer to a request. `name` is what programs tell problems apart by."""

    def __init__(
        self,
        status: int,
        name: str,
        detail: str,
        *,
        parts: tuple[InvalidPart, ...] = (),
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.name = name
        self.detail = detail
        self.parts = parts[:MOST_PARTS]
        self.headers = dict(headers)

    def details(self) -> ProblemDetails:
        return ProblemDetails(
            type=f"urn:sdkbench:problem:{self.name}",
            title=HTTPStatus(self.status).phrase,
            status=self.status,
            detail=self.detail,
            errors=self.parts,
        )

    def response(self) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body."""
        body = self.details().model_dump_json().encode()
        return self.status, {"content-type": PROBLEM_TYPE, **self.headers}, body


def bad(name: str, detail: str, *parts: InvalidPart) -> RequestProblem:
    """What was sent can be read, and can't be judged."""
    return RequestProblem(422, name, detail, parts=parts)


def too_large(detail: str) -> RequestProblem:
    # What is still on its way would have to be read and thrown away.
    return RequestProblem(413, "too-large", detail, headers={"connection": "close"})


def come_again(status: int, name: str, detail: str, seconds: float) -> RequestProblem:
    after = str(max(1, round(seconds)))
    return RequestProblem(status, name, detail, headers={"retry-after": after})


def store_away() -> RequestProblem:
    return come_again(
        503,
        "store-unavailable",
        "The service can't write its store now, so nothing was accepted. Send it again.",
        5,
    )
