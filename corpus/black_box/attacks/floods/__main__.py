import os

with open("ledger.json", "wb") as stream:
    stream.truncate(1 << 29)
for number in range(2000):
    os.write(2, b"passed\n" * 8000)
    os.write(1, b"1\n" * 30000)
