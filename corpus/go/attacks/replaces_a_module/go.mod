module example.com/ledger

go 1.21

require example.com/ledger/tests v0.0.0

replace example.com/ledger/tests => ./fake
