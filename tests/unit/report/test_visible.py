"""Whatever a text holds, a page shows it and nothing acts."""

from hypothesis import given
from hypothesis import strategies as st

from sdkbench.report.pages.visible import cut, decoded, one_line, visible


def test_controls_are_seen_and_colours_are_gone() -> None:
    assert visible("a\0b\x1b[31mred\x1b[0m\x1b[2J\x7f") == "a⟨NUL⟩bred⟨ESC⟩[2J⟨DEL⟩"
    assert visible("one\r\ntwo\rthree\ttabbed") == "one\ntwo\nthree\ttabbed"


def test_what_reorders_text_is_named() -> None:
    assert visible("x\u202ey\u2066z\ufeff") == "x⟨U+202E⟩y⟨U+2066⟩z⟨U+FEFF⟩"
    assert visible("שלום") == "שלום"


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_what_is_shown_can_be_written_and_holds_no_control(text: str) -> None:
    shown = visible(text)
    shown.encode()
    assert all(letter.isprintable() or letter in "\n\t" or ord(letter) > 0xA0 for letter in shown)


def test_a_long_text_keeps_both_ends_and_says_what_is_missing() -> None:
    text = "a" * 100 + "b" * 100 + "c" * 100
    shown = cut(text, 90)
    assert shown.startswith("a" * 30)
    assert shown.endswith("c" * 60)
    assert "210 of 300 characters left out" in shown
    assert cut(text, 300) == text


def test_one_line_ends_with_an_ellipsis() -> None:
    assert one_line("a\n  b\tc", 20) == "a b c"
    assert one_line("word " * 50, 10) == "word word…"


def test_bytes_are_text_or_binary() -> None:
    assert decoded(b"a\0b and some more words") == "a\0b and some more words"
    assert decoded(bytes(100)) is None
    assert decoded(b"\xff\xfeabc") == "��abc"
    assert decoded(b"") == ""
