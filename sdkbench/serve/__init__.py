"""Over HTTP: the store as pages (the viewer), and in `judging/` the judge as a service."""
