"""What a solution got right, read from its code: nothing is executed."""
