"""A model's text → the files it proposes. Pure: nothing is read from or written to a disk."""

from sdkbench.generation.answers.answer import read_answer
from sdkbench.generation.answers.proposed_files import LeftOut, ProposedFiles
