package SdkbenchReporter;

# Loaded before a test file: tells prove_boot.py of every result, by a pipe and with a secret that
# are this file's own. Nothing that is printed counts.
use strict;
use warnings;

# Lexical, so that no name leads to them.
my ($pipe, $secret, $process);

my $tell = sub {
    my ($kind, %fields) = @_;
    return if !$pipe || $$ != $process;    # a forked child has nothing to tell
    my $line = JSON::PP->new->ascii->encode({ secret => $secret, kind => $kind, %fields }) . "\n";
    while (length $line) {
        my $written = syswrite($pipe, $line) or last;
        substr($line, 0, $written, '');
    }
};

# Compiled before Test2's own END, so it runs after it, when the exit code is settled.
END { $tell->('done', status => $?) }

use Fcntl qw(F_SETFD FD_CLOEXEC);
use JSON::PP ();
use Test2::API ();
use Test::More ();    # the system's, before a solution's folders are searched

my $event = sub {
    my (undef, $told, $number) = @_;
    my $facets = $told->facet_data;
    if (my $plan = $facets->{plan}) {
        my $skip = $plan->{skip} ? $plan->{details} // '' : undef;
        $tell->('plan', count => $plan->{count} // 0, skip => $skip);
    }
    if (my $assert = $facets->{assert}) {
        my ($aside) = @{ $facets->{amnesty} || [] };    # skipped, still to do: no clean pass
        my (undef, $path, $line) = @{ $facets->{trace}{frame} || [] };
        $tell->(
            'test',
            number => $number,
            title  => $assert->{details} // '',
            pass   => $assert->{pass} ? 1 : 0,
            aside  => $aside ? "$aside->{tag} " . ($aside->{details} // '') : undef,
            path   => $path,
            line   => $line,
        );
    }
    $tell->('said', text => "$_->{details}") for grep { $_->{debug} } @{ $facets->{info} || [] };
};

sub import {
    my (undef, $descriptor) = @_;
    open my $input, '<&=', $descriptor or die "no order: $!";
    my $order = JSON::PP::decode_json(do { local $/; <$input> });
    close $input;
    open $pipe, '>&=', $order->{pipe} or die "no pipe: $!";
    fcntl $pipe, F_SETFD, FD_CLOEXEC or die "the pipe stays open: $!";
    ($secret, $process) = ($order->{secret}, $$);
    shift @INC;    # the folder of this file
    my @libraries = @{ $order->{libraries} };
    @INC = $order->{libraries_first} ? (@libraries, @INC) : (@INC, @libraries);
    Test2::API::test2_stack()->top->listen($event);
}

1;
