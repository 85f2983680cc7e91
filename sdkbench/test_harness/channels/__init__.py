"""Ways by which test results leave a sandbox. What is in boot-scripts runs inside, starts from its
own folder and imports nothing of sdkbench: that is why its name is not one of a package.
"""
