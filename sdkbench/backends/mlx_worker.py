"""Runs as a script in a process of its own: loads an MLX model, answers JSON lines with JSON lines.

First it says `{"ready": true}` or why not; then a line for each order. Nothing of the package is
imported here. It ends when its input does, even in the middle of an answer.
"""

import json
import os
import queue
import sys
import threading
from typing import Any, BinaryIO

# What a stranger's model folder or a prompt makes the libraries raise. Anything else ends this
# process, and the parent reports its last words.
FAULTS = (
    AttributeError,
    ImportError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


def main() -> None:
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever a library prints must not mix with the answers
    orders: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=read_orders, args=(orders,), daemon=True).start()
    try:
        from jinja2 import TemplateError  # noqa: PLC0415 - reported, not raised
        from mlx_lm import load, stream_generate  # noqa: PLC0415 - reported, not raised
    except ImportError as error:
        say(out, {"failure": "missing", "message": str(error)})
        return
    try:
        model, tokenizer = load(sys.argv[1])[:2]
    except FAULTS as error:
        say(out, {"failure": "load", "message": f"{type(error).__name__}: {error}"})
        return
    say(out, {"ready": True})
    while True:
        order = orders.get()
        try:
            text = render(tokenizer, order, (TemplateError, *FAULTS))
            parts = list(
                stream_generate(model, tokenizer, text, max_tokens=max(1, order["max_tokens"]))
            )
        except (TemplateError, *FAULTS) as error:  # one request's; the model stays loaded
            say(out, {"failure": "request", "message": f"{type(error).__name__}: {error}"})
            continue
        say(out, answer(parts))


def read_orders(orders: "queue.SimpleQueue[dict[str, Any]]") -> None:
    for line in sys.stdin.buffer:
        orders.put(json.loads(line))
    os._exit(0)


def say(out: BinaryIO, message: dict[str, Any]) -> None:
    unsent = memoryview(json.dumps(message).encode() + b"\n")
    while unsent:
        unsent = unsent[out.write(unsent) :]


def render(tokenizer: Any, order: dict[str, Any], faults: tuple[type[Exception], ...]) -> Any:
    """The prompt as the model's own chat template wants it; plain where it has none.

    Templates raise one of `faults` where they know no such role as the system's.
    """
    system, prompt = order["system"], order["prompt"]
    joined = prompt if system is None else f"{system}\n\n{prompt}"
    if tokenizer.chat_template is None:
        return joined
    user = [{"role": "user", "content": prompt}]
    if system is None:
        return tokenizer.apply_chat_template(user, add_generation_prompt=True)
    try:
        messages = [{"role": "system", "content": system}, *user]
        return tokenizer.apply_chat_template(messages, add_generation_prompt=True)
    except faults:
        user = [{"role": "user", "content": joined}]
        return tokenizer.apply_chat_template(user, add_generation_prompt=True)


def answer(parts: list[Any]) -> dict[str, Any]:
    return {
        "text": "".join(part.text for part in parts),
        "input_tokens": parts[-1].prompt_tokens if parts else None,
        "output_tokens": parts[-1].generation_tokens if parts else None,
        "truncated": bool(parts) and parts[-1].finish_reason == "length",
    }


if __name__ == "__main__":
    main()
