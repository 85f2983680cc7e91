"""A model's server on loopback that gives its answers one after the other, whole or as a stream.

OpenAI's API, as far as chat completions go.
"""

import contextlib
import itertools
import json
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMON = {"id": "scripted", "created": 1, "model": "scripted"}
USAGE = {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10}


class _Server(ThreadingHTTPServer):
    def __init__(self, answers: Sequence[str]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = itertools.cycle(answers)
        self.turn = threading.Lock()


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.turn:
            answer = next(self.server.answers)
        if asked.get("stream"):
            self._send("text/event-stream", _stream(answer))
        else:
            self._send("application/json", json.dumps(_whole(answer)))

    def _send(self, kind: str, text: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_words: object) -> None:
        """Silence: what was asked is no output of a test."""


def _whole(answer: str) -> dict[str, object]:
    message = {"role": "assistant", "content": answer}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return {**COMMON, "object": "chat.completion", "choices": [choice], "usage": USAGE}


def _stream(answer: str) -> str:
    said = {"index": 0, "finish_reason": None, "delta": {"role": "assistant", "content": answer}}
    end = {"index": 0, "finish_reason": "stop", "delta": {}}
    chunks: list[dict[str, object]] = [
        {"choices": [said]},
        {"choices": [end]},
        {"choices": [], "usage": USAGE},
    ]
    lines = [json.dumps({**COMMON, "object": "chat.completion.chunk", **chunk}) for chunk in chunks]
    return "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"])


@contextlib.contextmanager
def scripted_model(answers: Sequence[str]) -> Iterator[str]:
    """The address for clients, `…/v1`."""
    with _Server(answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        finally:
            server.shutdown()
            thread.join()
