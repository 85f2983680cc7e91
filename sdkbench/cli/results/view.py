"""`sdkbench view`: the store as pages in a browser, live while a run goes on."""

from typing import Annotated

import typer

from sdkbench.cli.options import SamplesDirOption, StoreOption
from sdkbench.errors import MissingTool
from sdkbench.store import open_store

DEFAULT_PORT = 8642


def view(
    store: StoreOption = None,
    host: Annotated[
        str,
        typer.Option(help="The address to listen on; any but this machine's own needs a token."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any that is free.")] = (
        DEFAULT_PORT
    ),
    token: Annotated[
        str | None,
        typer.Option(help="What a browser must know. Made up where one is needed."),
    ] = None,
    samples_dir: SamplesDirOption = None,
) -> None:
    """Runs, attempts, comparisons and histories in a browser; nothing can be changed there."""
    try:
        from sdkbench.serve.running import serve_viewer  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingTool(
            "The viewer needs the extra `view`: pip install 'sdkbench[view]'."
        ) from error

    with open_store(store, write=False) as opened:
        serve_viewer(
            opened,
            host=host,
            port=port,
            token=token,
            samples_dir=samples_dir,
            on_start=lambda address: typer.echo(f"{address}  (Ctrl-C ends)", err=True),
        )
