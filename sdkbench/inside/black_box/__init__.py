"""Run inside the sandboxes under the harness's interpreter, with the standard library alone.

`launcher.py` is the command `solution` beside the tests; `relay.py` is the first process beside the
solution. What passes between them goes over one socket that the harness made and never reads.
Everything that comes from the relay's side is a stranger's: the launcher checks all of it.
"""
