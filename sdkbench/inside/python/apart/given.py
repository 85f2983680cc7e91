"""What the tests hand to the solution, as it sees it: functions and objects that ask back."""

from typing import Any, Protocol


class Asker(Protocol):
    def call_back(self, operation: str, number: int, arguments: Any, named: Any) -> Any: ...


class Given:
    """Stands in for a function or an object of the tests."""

    def __init__(self, server: Asker, number: int) -> None:
        object.__setattr__(self, "_apart_server", server)
        object.__setattr__(self, "_apart_number", number)

    def __call__(self, *arguments: object, **named: object) -> object:
        return self._apart_server.call_back("call", self._apart_number, arguments, named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        server = object.__getattribute__(self, "_apart_server")
        number = object.__getattribute__(self, "_apart_number")
        return server.call_back("get", number, (name,), {})

    def __setattr__(self, name: str, value: object) -> None:
        self._apart_server.call_back("set", self._apart_number, (name, value), {})

    def __enter__(self) -> object:
        return self._apart_server.call_back("enter", self._apart_number, (), {})

    def __exit__(self, _: object, error: object, __: object) -> object:
        return self._apart_server.call_back("exit", self._apart_number, (error,), {})

    def __iter__(self) -> Any:
        return self._apart_server.call_back("iter", self._apart_number, (), {})

    def __len__(self) -> Any:
        return self._apart_server.call_back("len", self._apart_number, (), {})

    def __getitem__(self, key: object) -> object:
        return self._apart_server.call_back("item", self._apart_number, (key,), {})


def stand_in(server: Asker, number: int, what: str) -> object:
    if what == "async":

        async def call(*arguments: object, **named: object) -> object:
            return server.call_back("await", number, arguments, named)

        return call
    if what == "iterator":

        def iterate() -> Any:
            while True:
                answer: Any = server.call_back("next", number, (), {})
                more, value = answer
                if not more:
                    return
                yield value

        return iterate()
    return Given(server, number)
