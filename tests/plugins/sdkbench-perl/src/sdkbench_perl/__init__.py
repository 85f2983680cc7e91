"""Perl for SDKBench."""
