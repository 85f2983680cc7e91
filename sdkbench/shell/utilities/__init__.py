"""What is known of each utility's options, as data, and the reader of arguments that uses it."""

from sdkbench.shell.utilities.reader import Arguments, Option, read_arguments
from sdkbench.shell.utilities.table import Arity, Harm, Utility, find_utility, posix_utility
