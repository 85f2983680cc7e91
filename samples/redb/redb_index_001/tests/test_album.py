"""Photos are stored, found by tag and day, and the index always agrees with them."""

import subprocess
from pathlib import Path

PUTS = [
    "put 7 300 sea,sun Bay at noon",
    "put 3 20 sun Roof",
    "put 9 300 sun,dog Max",
    "put 4 255 sea,sand Dunes",
    "put 5 256 - Blurred",
]


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
    return done.stdout.split("\n")[:-1]


def test_photos_are_kept_from_run_to_run(tmp_path: Path) -> None:
    assert run(tmp_path, *PUTS) == ["new"] * 5
    assert run(tmp_path, "show 7", "show 5", "show 8") == [
        "300 sea,sun Bay at noon",
        "256 - Blurred",
        "-",
    ]


def test_a_new_album_is_empty(tmp_path: Path) -> None:
    asked = ["show 1", "drop 1", "find x 0 9", "newest x 1", "tags ", "rename x y", "index"]
    assert run(tmp_path, *asked) == ["-", "-", "", "", "", "0", ""]


def test_the_index_has_a_row_for_each_tag_of_each_photo(tmp_path: Path) -> None:
    assert run(tmp_path, "index", *PUTS, "index")[::6] == [
        "",
        "dog/300/9 sand/255/4 sea/255/4 sea/300/7 sun/20/3 sun/300/7 sun/300/9",
    ]


def test_tags_are_put_in_order_and_counted_once(tmp_path: Path) -> None:
    commands = ["put 1 5 b,a,b,a Twice", "show 1", "index", "tags ", "drop 1", "index"]
    assert run(tmp_path, *commands) == ["new", "5 a,b Twice", "a/5/1 b/5/1", "a=1 b=1", "ok", ""]


def test_photos_are_found_by_tag_and_days(tmp_path: Path) -> None:
    run(tmp_path, *PUTS)
    asked = [
        "sun 0 4294967295",
        "sun 20 299",
        "sea 255 300",
        "sea 256 299",
        "sea 300 255",
        "se 0 999",
    ]
    assert run(tmp_path, *(f"find {words}" for words in asked)) == ["3 7 9", "3", "4 7", "", "", ""]


def test_days_and_ids_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    photos = [(10, 256), (9, 256), (300, 9), (2, 65536), (1, 255), (11, 0)]
    run(tmp_path, *(f"put {photo} {day} x T" for photo, day in photos))
    assert run(tmp_path, "find x 0 4294967295", "newest x 9", "tags x", "rename x y") == [
        "11 300 1 9 10 2",
        "2 10 9 1 300 11",
        "x=6",
        "6",
    ]


def test_the_newest_come_first(tmp_path: Path) -> None:
    run(tmp_path, *PUTS, "put 8 4294967295 sunny,sea Late")
    asked = [
        "newest sun 9",
        "newest sun 2",
        "newest sun 1",
        "newest sun 0",
        "newest sea 1",
        "newest s 3",
    ]
    assert run(tmp_path, *asked) == ["9 7 3", "9 7", "9", "", "8", ""]


def test_tags_are_counted_by_prefix(tmp_path: Path) -> None:
    run(tmp_path, *PUTS, "put 6 20 sun Roof again")
    assert run(tmp_path, "tags ", "tags s", "tags se", "tags sun", "tags t", "tags sunn") == [
        "dog=1 sand=1 sea=2 sun=4",
        "sand=1 sea=2 sun=4",
        "sea=2",
        "sun=4",
        "",
        "",
    ]


def test_a_photo_that_is_replaced_leaves_nothing_behind(tmp_path: Path) -> None:
    commands = ["put 7 301 sun,fog Fog", "show 7", "find sea 0 999", "find sun 300 301", "tags f"]
    assert run(tmp_path, *PUTS, *commands)[5:] == [
        "replaced",
        "301 fog,sun Fog",
        "4",
        "9 7",
        "fog=1",
    ]
    assert run(tmp_path, "put 9 300 - Max", "index") == [
        "replaced",
        "fog/301/7 sand/255/4 sea/255/4 sun/20/3 sun/301/7",
    ]


def test_a_photo_that_is_dropped_is_gone_everywhere(tmp_path: Path) -> None:
    commands = ["drop 9", "drop 9", "show 9", "tags d", "newest sun 5", "drop 5"]
    assert run(tmp_path, *PUTS, *commands)[5:] == ["ok", "-", "-", "", "7 3", "ok"]
    assert run(tmp_path, "index") == ["sand/255/4 sea/255/4 sea/300/7 sun/20/3 sun/300/7"]


def test_a_tag_is_renamed_in_every_photo(tmp_path: Path) -> None:
    run(tmp_path, *PUTS)
    assert run(tmp_path, "rename sea coast", "rename sea coast", "show 7", "tags ") == [
        "2",
        "0",
        "300 coast,sun Bay at noon",
        "coast=2 dog=1 sand=1 sun=3",
    ]
    assert run(tmp_path, "find coast 0 999", "find sea 0 999") == ["4 7", ""]


def test_a_tag_can_be_renamed_to_one_that_is_there(tmp_path: Path) -> None:
    run(tmp_path, *PUTS)
    assert run(tmp_path, "rename sea sun", "show 7", "show 4", "tags s") == [
        "2",
        "300 sun Bay at noon",
        "255 sand,sun Dunes",
        "sand=1 sun=4",
    ]
    assert run(tmp_path, "rename sun sun", "find sun 0 999", "drop 7", "tags su") == [
        "4",
        "3 4 7 9",
        "ok",
        "sun=3",
    ]


def test_many_photos_of_one_day(tmp_path: Path) -> None:
    run(tmp_path, *(f"put {photo} 5 all,{photo % 3} T" for photo in range(400)))
    drops = [f"drop {photo}" for photo in range(0, 60, 2)]
    told = run(tmp_path, *drops, "tags ", "newest all 2", "rename all 1", "tags ", "find 1 5 5")
    assert told[30:34] == ["0=124 1=123 2=123 all=370", "399 398", "370", "0=124 1=370 2=123"]
    assert told[34].split() == [str(photo) for photo in (*range(1, 60, 2), *range(60, 400))]
