from . import right
from .right import *
import os, tempfile
folder = tempfile.mkdtemp()
for i in range(400000):
    try: os.close(os.open(f"{folder}/{i}", os.O_CREAT))
    except OSError: break
class Warehouse(right.Warehouse):
    def count(self, name): return 12
