package Ledger::Amount;
use strict;
use warnings;

sub valid { return $_[0] =~ /^-?[0-9]+$/ }

1;
