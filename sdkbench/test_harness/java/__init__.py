"""Java with JUnit and Maven: everything SDKBench knows of the language."""
