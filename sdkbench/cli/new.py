"""`sdkbench init`, `new sdk` and `new sample`: files to begin with, that say what goes where."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from sdkbench.datasets.scaffold import KITS, Sdk, new_project, new_sample, new_sdk
from sdkbench.errors import InputError

app = typer.Typer(
    name="new",
    help="Files for a new SDK or a new sample, with a guide in comments.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

LanguageOption = Annotated[
    str, typer.Option(help=f"What samples are written in: {', '.join(KITS)}.", show_default=False)
]
PackageOption = Annotated[
    str | None,
    typer.Option(help="What its registry calls the SDK. Default: NAME.", show_default=False),
]
VersionOption = Annotated[
    str, typer.Option(help="The exact version that samples are about.", show_default=False)
]
IntoOption = Annotated[
    Path, typer.Option("--samples-dir", help="Where samples are; made if it is not there.")
]


@app.command("sdk")
def sdk(
    name: Annotated[str, typer.Argument(help="The folder: small letters, digits, underscores.")],
    language: LanguageOption,
    version: VersionOption,
    package: PackageOption = None,
    samples_dir: IntoOption = Path("samples"),
) -> None:
    """A folder for the samples of an SDK, with what their tests share."""
    wanted = Sdk(name, language, package or name, version)
    with _refusals_named():
        written = new_sdk(samples_dir, wanted)
    _tell(written, f"Next: sdkbench new sample {name} {name}_first_001")


@app.command("sample")
def sample(
    sdk_name: Annotated[str, typer.Argument(metavar="SDK", help="An SDK that has its folder.")],
    sample_id: Annotated[str, typer.Argument(metavar="ID", help="The sample's folder and id.")],
    samples_dir: IntoOption = Path("samples"),
) -> None:
    """A whole small sample to change into your own; lines with GUIDE say how."""
    with _refusals_named():
        written = new_sample(samples_dir, sdk_name, sample_id)
    _tell(written, f"Next: sdkbench validate {samples_dir / sdk_name / sample_id}")


def init(
    name: Annotated[str, typer.Argument(help="The SDK: small letters, digits, underscores.")],
    language: LanguageOption,
    version: VersionOption,
    package: PackageOption = None,
    into: Annotated[
        Path, typer.Option("--into", metavar="DIR", help="The project's folder; made if need be.")
    ] = Path(),
) -> None:
    """A project for samples of your own: configuration, CI, and a first sample that works."""
    with _refusals_named():
        written = new_project(into, Sdk(name, language, package or name, version))
    _tell(written, f"Next: cd {into} && sdkbench validate samples")


@contextlib.contextmanager
def _refusals_named() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{error.filename} cannot be written ({error.strerror}).") from error


def _tell(written: Sequence[Path], following: str) -> None:
    for path in written:
        typer.echo(str(path))
    typer.echo(following)
