"""httpx, which comes with the extra `client`."""

from sdkbench.errors import MissingTool

try:
    import httpx
except ImportError as error:
    raise MissingTool(
        "The client needs the extra `client`: pip install 'sdkbench[client]'."
    ) from error

__all__ = ["httpx"]
