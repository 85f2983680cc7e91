module example.com/ledger

go 1.21

require no-such-host.invalid/module v1.0.0
