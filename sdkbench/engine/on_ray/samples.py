"""Samples: each put into Ray's object store once, as it was when it was first asked for."""

import threading
from pathlib import Path

import ray

from sdkbench.datasets import Sample
from sdkbench.engine.on_ray.node import Sent
from sdkbench.engine.on_ray.parcel import pack_sample


class Samples:
    def __init__(self) -> None:
        self._sent: dict[Path, Sent] = {}
        self._lock = threading.Lock()

    def send(self, sample: Sample) -> Sent:
        """Raises SampleError for one that can't be read or can't travel."""
        with self._lock:
            if sample.root not in self._sent:
                parcel = pack_sample(sample)
                ref = ray.put(parcel)
                self._sent[sample.root] = Sent(parcel.digest, parcel.place, (ref,))
            return self._sent[sample.root]
