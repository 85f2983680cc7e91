"""The manifests that are read, the first that counts first, and an address that is not."""

KINDS = ("requirements.txt", "pyproject.toml", "setup.cfg", "setup.py", "Pipfile.lock", "Pipfile")
URL = "https://evil.example/x-1.0-py3-none-any.whl"
