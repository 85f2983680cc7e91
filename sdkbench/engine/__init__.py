"""Many attempts: the plan, the workers, and the events they emit. Nothing is printed here.

Every command is a plan over one engine, `run_plan`: models over suites, a run judged again,
folders, shell datasets.
"""

from sdkbench.engine.events import Answered, Event, Finished, Planned, Started
from sdkbench.engine.judging import Judge, JudgeSetup, LocalJudge, judge_setup, judging_here
from sdkbench.engine.models import ShellSet, Suites, find_dataset, load_suites, run_models
from sdkbench.engine.one_off import ShellEvaluations, evaluate_shell, judge_folders, label
from sdkbench.engine.plan import Plan
from sdkbench.engine.ray.opening import open_ray_generator, open_ray_judge
from sdkbench.engine.regrade import judged_by_settings, plan_regrade, regrade_run
from sdkbench.engine.run import run_plan
from sdkbench.engine.settings import EngineKind, RunSettings, SandboxLevel
