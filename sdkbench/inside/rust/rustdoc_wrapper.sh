#!/bin/sh
# Cargo calls this in place of rustdoc: only so are the standard harness's JSON reports to be had.
# The variable must not reach cargo itself, whose dependencies would be compiled anew for it.
RUSTC_BOOTSTRAP=1 exec "$SDKBENCH_RUSTDOC" "$@"
