"""Ways by which test results leave a sandbox. Files named *_boot run inside, under the project's
own interpreter, and import nothing of sdkbench.
"""
