"""Our judge inside other frameworks: each file serves one of them, and needs its extra."""
