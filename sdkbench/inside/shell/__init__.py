"""What runs shell commands inside a sandbox."""
