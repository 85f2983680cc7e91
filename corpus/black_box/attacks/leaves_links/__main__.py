import os

for name, target in (
    ("ledger.json", "/w/tests/test_ledger.py"),
    ("tests", "/w/tests"),
    ("root", "/"),
    ("up", "../../.."),
    ("loop", "loop"),
):
    if os.path.lexists(name):
        os.remove(name)
    os.symlink(target, name)
os.mkfifo("pipe")
print(1)
