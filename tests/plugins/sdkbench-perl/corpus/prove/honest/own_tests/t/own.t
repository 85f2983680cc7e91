use Test::More tests => 1;
fail;
