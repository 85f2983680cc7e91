raise RuntimeError("only for development")
