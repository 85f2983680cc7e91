"""Python with pytest and unittest: everything SDKBench knows of the language."""
