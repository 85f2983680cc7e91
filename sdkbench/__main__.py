"""`python -m sdkbench`."""

from sdkbench.cli.app import main

main()
