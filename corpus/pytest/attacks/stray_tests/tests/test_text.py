def test_slug_is_plain():
    pass
