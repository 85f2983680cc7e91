def test_slug_is_plain():
    raise RuntimeError("left behind")
