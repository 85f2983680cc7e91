"""F-CORR from a script: the same flags as `sdkbench fcorr`."""

import sys

from sdkbench.cli.app import main

if __name__ == "__main__":
    main(["fcorr", *sys.argv[1:]])
