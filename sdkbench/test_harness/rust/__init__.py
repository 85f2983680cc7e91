"""Rust with cargo: everything SDKBench knows of the language."""
