"""Tree to canonical form, and form to text."""

from sdkbench.shell.canonical.form import Form
from sdkbench.shell.canonical.render import render
from sdkbench.shell.canonical.scripts import canonical_script
