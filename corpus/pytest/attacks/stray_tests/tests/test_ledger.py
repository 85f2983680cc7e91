class TestLedger:
    def test_amounts_add_up(self):
        pass
