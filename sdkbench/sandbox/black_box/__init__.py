"""A program in a sandbox of its own that another sandbox can call, and do nothing else to.

`broker.py` starts the program's sandbox whenever the caller asks for it; `ends/` holds the two
programs of ours that run inside, one on each side.
"""
