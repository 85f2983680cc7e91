#!/bin/sh
# Cargo calls this in place of rustc for the workspace's own packages, never for dependencies.
# A crate with tests gets our main program instead of the standard one; only such a crate is compiled
# with RUSTC_BOOTSTRAP, so that what is judged cannot use unstable features.
test_crate=
for word; do
  [ "$word" = --test ] && test_crate=yes
done
[ -n "$test_crate" ] || exec "$@"
RUSTC_BOOTSTRAP=1 exec "$@" \
  -Zcrate-attr='feature(custom_test_frameworks)' \
  -Zcrate-attr='test_runner(sdkbench_harness::run)' \
  --extern "sdkbench_harness=$SDKBENCH_HARNESS"
