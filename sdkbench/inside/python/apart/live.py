"""Functions, iterators and awaitables of the solution's as the tests see them."""

from typing import Any

from .link import Link

# What a stand-in keeps of itself, where tests that look at its `__dict__` do not see it.
ATTRIBUTE = "_apart_state"


def state_of(standin: object) -> dict[str, Any]:
    state: dict[str, Any] = object.__getattribute__(standin, ATTRIBUTE)
    return state


def function(link: Link, number: int, path: str, *, is_async: bool) -> Any:
    if is_async:

        async def call_async(*arguments: Any, **named: Any) -> Any:
            return await link.ask_async("call", [["h", number]], arguments, named, path)

        return call_async

    def call(*arguments: Any, **named: Any) -> Any:
        __tracebackhide__ = True
        return link.ask("call", [["h", number]], arguments, named, path)

    return call


def iterator(link: Link, number: int, path: str) -> Any:
    way = f"{path}[]"

    def iterate() -> Any:
        how, value = "next", None
        try:
            while True:
                more, item = link.next(number, how, value, way)
                if not more:
                    return item
                try:
                    value = yield item
                    how = "next" if value is None else "send"
                except GeneratorExit:
                    raise
                except BaseException as error:  # noqa: BLE001 - thrown in by the test
                    how, value = "throw", error
        finally:
            link.close(number)

    return iterate()


def async_iterator(link: Link, number: int, path: str) -> Any:
    async def iterate() -> Any:
        while True:
            answer = await link.ask_async("next", [["h", number]], None, None, f"{path}[]")
            more, item = link.pair(answer)
            if not more:
                return
            yield item

    return iterate()


def awaitable(link: Link, number: int, path: str) -> Any:
    async def wait() -> Any:
        return await link.ask_async("await", [["h", number]], None, None, path)

    return wait()
