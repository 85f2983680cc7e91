use strict;
use warnings;
use Test::More tests => 5;
use Ledger;

my $ledger = Ledger->new;
is($ledger->total, 0, 'an empty ledger has no total');
$ledger->add(rent => 900)->add(food => 120)->add(food => -20);
is($ledger->total, 1000, 'all entries count');
is($ledger->total('food'), 100, 'a name has a total of its own');
is_deeply([ $ledger->names ], [ 'food', 'rent' ], 'names come sorted, once each');
ok(!eval { $ledger->add(food => 'lots'); 1 }, 'an amount is a whole number');
