"""A run on a Ray cluster: the same judge on other machines; only results come back.

`opening.py` is the way in, and imports nothing of Ray before it is asked to.
"""
