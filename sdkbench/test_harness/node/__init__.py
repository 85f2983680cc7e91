"""TypeScript and JavaScript: everything SDKBench knows of the languages."""
