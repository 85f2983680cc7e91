"""Builds and tests Rust projects inside the sandbox."""
