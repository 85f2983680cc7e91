module example.com/ledger/tests

go 1.21
