"""Money that is put in can be taken out, and no more."""

import pytest
from expected import app


class TestLedger:
    def test_amounts_add_up(self) -> None:
        ledger = app.Ledger()
        ledger.deposit("anna", 70)
        ledger.withdraw("anna", 25)
        assert ledger.balance("anna") == 45

    def test_overdraft_is_refused(self) -> None:
        ledger = app.Ledger()
        ledger.deposit("bob", 10)
        with pytest.raises(app.Overdrawn, match="bob") as caught:
            ledger.withdraw("bob", 11)
        assert app.Overdrawn in type(caught.value).__mro__
        assert ledger.balance("bob") == 10

    def test_account_is_one_object(self) -> None:
        ledger = app.Ledger()
        ledger.deposit("carl", 5)
        assert ledger.find("carl") is ledger.find("carl")
        assert ledger.find("nobody") is None
