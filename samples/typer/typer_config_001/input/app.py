"""The settings of a deployment tool, and where they come from (typer 0.29.0 is installed; it no longer
brings click along).

    deploy [--config FILE] [--region REGION] [--retries N] [--tag TAG]... [--verbose | --quiet] [--version]

prints the settings that are in force, a line each, in this order:

    region=eu
    retries=3
    tags=blue,night
    verbose=no

setting  option                 variable        without any  what it may be
region   --region, -r           DEPLOY_REGION   eu           eu, us or asia, upper and lower case being the
                                                             same; printed in lower case
retries  --retries              DEPLOY_RETRIES  3            a whole number from 0 to 10
tags     --tag, again and again DEPLOY_TAGS     none         texts; the variable has blanks between them
verbose  --verbose, --quiet     DEPLOY_VERBOSE  no           in the variable yes, no, true, false, 1 or 0

What the command line says goes before the variable, the variable before the configuration file, and
the file before what holds without any. An empty variable counts as none. Tags are not added up: the
first place that has some decides.

The configuration file is named by --config or the variable DEPLOY_CONFIG. It is TOML, with none or
some of the keys region, retries, tags (an array) and verbose (a boolean).

--version prints "deploy 2.5" and nothing else, whatever is wrong with the settings.
"""


def main(arguments: list[str]) -> int:
    """Run the program with these arguments (its own name is not among them); returns its exit code.

    0 if all is well. 2 for wrong usage: what typer itself refuses, a configuration file that does
    not exist, and a value that a setting may not have, wherever it comes from, also from the file.
    3 if the file is not TOML, or has a key that is no setting. Whenever it is not 0, nothing is
    printed on standard output, and a reason on standard error; for a wrong key, the reason names it.
    """
    raise NotImplementedError
