"""The name by which verifiers finds our samples: it imports tasksets by top-level names."""

from sdkbench.integrations.verifiers_tasks import NullHarness, SdkTaskset

__all__ = ["NullHarness", "SdkTaskset"]
