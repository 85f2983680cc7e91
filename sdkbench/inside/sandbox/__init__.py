"""What every sandbox starts with, and what brings files out of one."""
