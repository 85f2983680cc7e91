"""Effects by kind of harm; each rule looks at one call and reports what it finds."""
