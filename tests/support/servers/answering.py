"""A model's server on loopback that knows the right answers, and can be made to stumble.

OpenAI's API. Each prompt of the samples and cases in run_samples.py is answered right, with counts
of tokens that follow from the texts; what went out whole is counted.
"""

import contextlib
import json
import random
import re
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from tests.support.run_samples import COMMANDS, solution

ADDS = re.compile(r"adds (\d+) to x")
RETRY_AFTER = ("0", "0.05", None)


class Faults(NamedTuple):
    """Shares of all requests."""

    rate_limits: float = 0.0
    resets: float = 0.0
    drips: float = 0.0


class Question(NamedTuple):
    """What was asked: a sample's number, or a case's prompt."""

    subject: str
    answer: str


def known(prompt: str) -> Question:
    found = ADDS.search(prompt)
    if found:
        number = int(found[1])
        return Question(f"sample {number}", f"```python app.py\n{solution(number)}```\n")
    return Question(prompt, COMMANDS[prompt])


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "AnsweringServer"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = body["messages"][-1]["content"]
        question = known(prompt)
        what = self.server.next_play(question)
        if what == "rate":
            self._rate_limit()
        elif what == "reset":
            self._reset()
        else:
            self._answer(question, len(prompt.split()), drip=what == "drip")

    def _rate_limit(self) -> None:
        body = b'{"error": {"message": "slow down", "type": "x"}}'
        self.send_response(429)
        wait = self.server.retry_after()
        if wait is not None:
            self.send_header("Retry-After", wait)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _reset(self) -> None:
        """RST instead of FIN: nothing lingers."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def _answer(self, question: Question, words: int, *, drip: bool) -> None:
        usage = {"prompt_tokens": words, "completion_tokens": len(question.answer)}
        choice = {"message": {"content": question.answer}, "finish_reason": "stop"}
        body = json.dumps({"choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        step = max(1, len(body) // 10) if drip else len(body)
        for start in range(0, len(body), step):
            self.wfile.write(body[start : start + step])
            time.sleep(0.02 if drip else 0.0)
        self.server.count(question, words)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        pass


class AnsweringServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, faults: Faults, seed: int) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: Counter[str] = Counter()  # by subject
        self.answered: Counter[str] = Counter()
        self.plays: Counter[str] = Counter()
        self.input_tokens = 0
        self.output_tokens = 0
        self.delay_seconds = 0.0
        self._faults = faults
        self._random = random.Random(seed)  # the same faults each time
        self._turn = threading.Lock()

    @property
    def spec(self) -> str:
        return f"openai:m@http://127.0.0.1:{self.server_port}/v1"

    def next_play(self, question: Question) -> str:
        """Not more than three in a row go wrong for one question."""
        time.sleep(self.delay_seconds)
        with self._turn:
            self.requests[question.subject] += 1
            draw = self._random.random()
            lost = self.requests[question.subject] - self.answered[question.subject]
            rates, resets, drips = self._faults
            play = "ok"
            if lost <= 3 and draw < rates:
                play = "rate"
            elif lost <= 3 and draw < rates + resets:
                play = "reset"
            elif draw < rates + resets + drips:
                play = "drip"
            self.plays[play] += 1
            return play

    def retry_after(self) -> str | None:
        with self._turn:
            return self._random.choice(RETRY_AFTER)

    def count(self, question: Question, words: int) -> None:
        with self._turn:
            self.answered[question.subject] += 1
            self.input_tokens += words
            self.output_tokens += len(question.answer)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was killed is no fault of the server."""


@contextlib.contextmanager
def answering(faults: Faults | None = None, seed: int = 1) -> Iterator[AnsweringServer]:
    server = AnsweringServer(faults or Faults(), seed)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
