"""sealed_node: a copy of Node's program that may be run but not read.

The kernel lets no process of the same user look into a process whose program that user may not
read. A framework's parent, which holds the channel's secret, is started from this copy: the judged
code in its children can then neither read its memory nor take its descriptors.
"""

import hashlib
import os
import shutil
from pathlib import Path

from sdkbench.environments.cache import Cache
from sdkbench.errors import DiskFault
from sdkbench.test_harness.node.environment import node_program


def sealed_node(cache: Cache) -> Path:
    """The copy in the cache, made once for each Node. Raises DiskFault if it can't be kept."""
    original = Path(node_program()).resolve()
    status = original.stat()
    identity = f"{original}\0{status.st_size}\0{status.st_mtime_ns}"
    folder = cache.root / "sealed" / hashlib.sha256(identity.encode()).hexdigest()[:16]
    sealed = folder / "node"
    if sealed.is_file():
        return sealed
    try:
        folder.mkdir(parents=True, exist_ok=True)
        copy = folder / f"copy-{os.getpid()}-{os.urandom(4).hex()}"
        shutil.copyfile(original, copy)
        copy.chmod(0o111)
        copy.rename(sealed)
    except OSError as error:
        raise DiskFault(f"A copy of {original} cannot be kept in {cache.root}: {error}.") from error
    return sealed
