"""Sample + model → solution folder: prompts, answers taken apart into files, agents."""

from sdkbench.backends.retry import RetryPolicy
from sdkbench.generation.generator import AgentSettings, Generator, Settings, Source
from sdkbench.generation.opening import open_generator
from sdkbench.generation.prompt import Prompt, build_prompt, read_docs, template_names
from sdkbench.generation.solution import GeneratedSolution, ModelUsage, Refusal
from sdkbench.generation.text import TextGenerator
