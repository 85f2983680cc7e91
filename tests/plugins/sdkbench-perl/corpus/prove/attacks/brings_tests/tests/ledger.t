use Test::More tests => 1;
pass;
