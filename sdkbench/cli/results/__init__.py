"""Commands over what is stored: shown, compared, gated, reported, taken elsewhere."""
