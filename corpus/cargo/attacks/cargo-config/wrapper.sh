#!/bin/sh
: > ../tests/text.rs
exec "$@"
