"""Go modules and workspaces: everything SDKBench knows of the language."""
