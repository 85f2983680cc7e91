"""PatientProtocol: uvicorn's HTTP/1.1 that waits for a request only so long, and answers what is no
HTTP with a problem.
"""

import asyncio
import contextlib

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from sdkbench.serve.judging.problems import RequestProblem

# From the first byte that could begin a request to the end of its headers.
HEADERS_SECONDS = 20.0
# Below what a process may usually hold open; those that wait for an answer are among them.
MOST_CONNECTIONS = 900


class PatientProtocol(H11Protocol):
    """uvicorn itself never closes a connection on which half of a request has come."""

    _headers_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
            return
        self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_nothing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            if self._headers_due is None:
                self._expect_headers()
        else:
            self._expect_nothing()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # The next request: uvicorn closes where nothing of it comes, we where it stays a part.
        self._expect_nothing()

    def send_400_response(self, msg: str) -> None:
        problem = RequestProblem(400, "http", f"{msg} Send HTTP/1.1.")
        status, headers, body = problem.response()
        headers |= {"connection": "close", "content-length": str(len(body))}
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        with contextlib.suppress(h11.LocalProtocolError):  # the answer to it is under way already
            for event in (
                h11.Response(status_code=status, headers=raw, reason=b"Bad Request"),
                h11.Data(data=body),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _expect_headers(self) -> None:
        self._headers_due = self.loop.call_later(HEADERS_SECONDS, self._give_up)

    def _expect_nothing(self) -> None:
        if self._headers_due is not None:
            self._headers_due.cancel()
            self._headers_due = None

    def _give_up(self) -> None:
        self._headers_due = None
        if not self.transport.is_closing():
            self.transport.close()
