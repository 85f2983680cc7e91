"""Programs that run inside a sandbox. They import nothing of sdkbench, and nobody imports them."""
