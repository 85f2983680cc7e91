package Ledger;
use strict;
use warnings;
use List::Util qw(sum0);

sub new { return bless {}, shift }

sub add {
    my ($self, $name, $cents) = @_;
    die "not an amount\n" unless $cents =~ /^-?\d+$/;
    $self->{$name} += $cents;
    return $self;
}

sub total {
    my ($self, @names) = @_;
    return @names ? $self->{ $names[0] } // 0 : sum0(values %$self);
}

sub names { return sort keys %{ $_[0] } }

1;
