"""--store: where records are, the same for every command that reads or writes them."""

from typing import Annotated

import typer

StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        help="A SQLite file or postgresql:// URL; default $SDKBENCH_STORE or .sdkbench/store.db.",
        metavar="PATH|URL",
        show_default=False,
    ),
]
RunArgument = Annotated[
    str, typer.Argument(help="A run's id, the beginning of one, or `latest`.", metavar="RUN")
]
