from sitecustomize import *  # noqa: F403
