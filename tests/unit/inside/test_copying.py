"""What is laid into a workspace: the same files, and folders that can be written to."""

import os
import subprocess
import sys
from pathlib import Path

from sdkbench.inside.sandbox import first_process
from sdkbench.inside.sandbox.first_process import copy


def test_files_keep_content_rights_and_times_and_links_stay_links(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "inner").mkdir(parents=True)
    (source / "inner" / "big").write_bytes(os.urandom(3 * first_process.BLOCK_BYTES + 1))
    (source / "run.sh").write_text("true")
    (source / "run.sh").chmod(0o555)
    os.utime(source / "run.sh", ns=(1_000_000_007, 2_000_000_009))
    (source / "away").symlink_to("/nowhere")
    (source / "inner").chmod(0o500)

    target.mkdir()
    (target / "already").write_text("here")
    copy(str(source), str(target), packed=False)

    assert (target / "inner" / "big").read_bytes() == (source / "inner" / "big").read_bytes()
    assert (target / "inner").stat().st_mode & 0o777 == 0o700
    told = (target / "run.sh").stat()
    assert (told.st_mode & 0o777, told.st_mtime_ns) == (0o555, 2_000_000_009)
    assert (target / "away").readlink() == Path("/nowhere")
    assert (target / "already").read_text() == "here"


def test_a_pipe_holds_nobody_up(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    os.mkfifo(tmp_path / "source" / "pipe")
    copy(str(tmp_path / "source"), str(tmp_path / "target"), packed=False)
    assert (tmp_path / "target" / "pipe").is_file()


def test_one_file_goes_where_no_folder_is_yet(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    copy(str(tmp_path / "a"), str(tmp_path / "b" / "c"), packed=False)
    assert (tmp_path / "b" / "c").read_text() == "a"


def test_the_start_of_a_sandbox_loads_little() -> None:
    """Each of these takes longer than what the program does."""
    source = Path(first_process.__file__).read_text()
    words = f"import sys; exec({source!r}, {{'__name__': 'first'}}); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", words], capture_output=True, text=True, check=True
    )
    assert not {"json", "shutil", "tempfile", "typing", "pathlib"} & set(done.stdout.split())
