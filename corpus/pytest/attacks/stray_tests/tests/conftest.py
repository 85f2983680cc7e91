collect_ignore_glob = ["/w/tests/*"]
