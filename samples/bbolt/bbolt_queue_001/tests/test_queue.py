"""The queue is fed commands; what it keeps must outlive each run of the program."""

import subprocess
from pathlib import Path


def run(folder: Path, *commands: str) -> list[str]:
    done = subprocess.run(
        ["solution"],
        cwd=folder,
        input="".join(f"{command}\n" for command in commands),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_jobs_are_taken_by_priority_then_by_age(tmp_path: Path) -> None:
    pushes = ["push mail 0 low", "push mail 5 first", "push mail 9 urgent", "push mail 5 second"]
    assert run(tmp_path, *pushes, "push fax 7 other") == ["1", "2", "3", "4", "5"]
    takes = ["take mail"] * 5
    assert run(tmp_path, *takes) == ["3 urgent", "2 first", "4 second", "1 low", "empty"]


def test_many_jobs_keep_their_order(tmp_path: Path) -> None:
    pushes = [f"push q 1 job {n}" for n in range(1, 301)]
    taken = run(tmp_path, *pushes, *["take q"] * 300)[300:]
    assert taken == [f"{n} job {n}" for n in range(1, 301)]


def test_ids_are_never_given_twice(tmp_path: Path) -> None:
    assert run(tmp_path, "push q 1 a", "take q", "done 1") == ["1", "1 a", "ok"]
    assert run(tmp_path, "push q 1 b", "push q 10 c", "push q -1 c", "push r 1 d") == [
        "2",
        "error: a priority is 0 to 9",
        "error: a priority is 0 to 9",
        "3",
    ]


def test_a_failed_job_has_its_old_place_again(tmp_path: Path) -> None:
    run(tmp_path, "push q 1 first", "push q 1 second", "take q")
    assert run(tmp_path, "fail 1", "take q", "take q") == ["again", "1 first", "2 second"]


def test_the_third_failure_is_the_last(tmp_path: Path) -> None:
    commands = ["push q 1 a", *["take q", "fail 1"] * 2, "stats"]
    assert run(tmp_path, *commands)[-2:] == ["again", "q waiting=1 running=0 dead=0"]
    assert run(tmp_path, "take q", "fail 1", "take q", "fail 1", "done 1", "stats") == [
        "1 a",
        "dead",
        "empty",
        "error: no such running job",
        "error: no such running job",
        "q waiting=0 running=0 dead=1",
    ]


def test_only_running_jobs_are_done_or_fail(tmp_path: Path) -> None:
    refused = "error: no such running job"
    assert run(tmp_path, "push q 1 a", "done 1", "fail 1", "done 7", "fail 7", "take q") == [
        "1", refused, refused, refused, refused, "1 a",
    ]  # fmt: skip
    assert run(tmp_path, "done 1", "done 1", "take q") == ["ok", refused, "empty"]


def test_stats_count_every_state_by_queue(tmp_path: Path) -> None:
    assert run(tmp_path, "stats", "take b") == ["empty"]
    run(tmp_path, "push b 1 x", "push a 1 x", "push a 2 x", "push c 0 x", "take c", "done 4")
    assert run(tmp_path, "take a", "stats") == [
        "3 x",
        "a waiting=1 running=1 dead=0",
        "b waiting=1 running=0 dead=0",
    ]


def test_the_place_in_a_queue_is_not_mixed_up_with_the_payload(tmp_path: Path) -> None:
    assert run(tmp_path, "push q 1 some  words \"quoted\"", "take q") == ["1", '1 some  words "quoted"']


def test_a_queue_needs_a_name(tmp_path: Path) -> None:
    answers = run(tmp_path, "push  1 x", "take ", "push q 1 x", "stats")
    assert answers[0].startswith("error: ")
    assert answers[1:] == ["empty", "1", "q waiting=1 running=0 dead=0"]
