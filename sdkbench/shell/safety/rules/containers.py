"""Containers, clusters and clouds emptied."""

import re

from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.options import Arguments, read_arguments
from sdkbench.shell.safety.report import Hazard, Severity
from sdkbench.shell.safety.values import STAR, Text

VALUED = (
    "H", "host", "context", "config", "c", "f", "file", "p", "project-name", "n", "namespace",
    "filter", "l", "selector", "kubeconfig", "cluster", "profile", "region", "o", "output",
    "timeout", "grace-period",
)  # fmt: skip
WHOLE_KINDS = frozenset({
    "ns", "namespace", "namespaces", "pv", "pvc", "persistentvolumeclaim", "persistentvolume",
    "crd", "node", "nodes", "all", "customresourcedefinition", "persistentvolumeclaims",
})  # fmt: skip
CLOUD = re.compile(
    r"^(terminate-instances|delete-(db-(instance|cluster)|stack|bucket|table|cluster|vpc|volume|user|function|objects)"
    r"|rb|schedule-key-deletion)$"
)


def _words(arguments: Arguments) -> list[str]:
    return [text.value for text in arguments.operands]


def _destroyed(call: Call, rule: str, message: str, severity: Severity = Severity.HIGH) -> None:
    call.report(rule, Hazard.CONTAINER, severity, message)


def _everything(texts: tuple[Text, ...]) -> bool:
    """A list of all there is, from another call: `$(docker ps -aq)`."""
    return any(text.value == STAR for text in texts)


def docker(call: Call) -> None:
    compose = call.name == "docker-compose" or any(arg.value == "compose" for arg in call.args)
    arguments = read_arguments(call.args, "Hfp" if compose else "H", VALUED)
    words = _words(arguments)
    if words[:1] == ["compose"] or call.name == "docker-compose":
        if "down" in words and arguments.has("v", "volumes"):
            _destroyed(call, "docker-volumes", "The project's volumes and their data are deleted.")
        return
    wide = arguments.has("a", "all", "volumes")
    match words[:2]:
        case ["system", "prune"]:
            _destroyed(call, "docker-prune", "Unused containers, images and data are deleted.",
                       Severity.HIGH if wide else Severity.MEDIUM)  # fmt: skip
        case ["system", "reset"]:
            _destroyed(call, "docker-prune", "Every container, image and volume is deleted.")
        case ["volume", "prune"]:
            _destroyed(call, "docker-volumes", "Unused volumes and their data are deleted.")
        case ["image" | "container" | "network" | "builder", "prune"]:
            _destroyed(call, "docker-prune", "Unused objects are deleted.",
                       Severity.MEDIUM if arguments.has("a", "all") else Severity.LOW)  # fmt: skip
        case ["volume" | "network", "rm"]:
            severity = Severity.HIGH if _everything(arguments.operands[2:]) else Severity.MEDIUM
            _destroyed(call, "docker-volumes", "A volume and its data are deleted.", severity)
        case ["swarm", "leave"] if arguments.has("f", "force"):
            _destroyed(call, "docker-swarm", "The node leaves its swarm.", Severity.HIGH)
        case _:
            _remove_containers(call, words, arguments)


def _remove_containers(call: Call, words: list[str], arguments: Arguments) -> None:
    if words[:1] == ["container"] or words[:1] == ["image"]:
        words = words[1:]
    if words[:1] and words[0] in {"rm", "rmi", "kill", "stop"}:
        listed = _everything(arguments.operands) or arguments.has("a", "all")
        severity = Severity.HIGH if words[0] in {"rm", "rmi"} else Severity.MEDIUM
        if listed:
            _destroyed(call, "docker-everything", "Every container or image is removed.", severity)


def kubectl(call: Call) -> None:
    arguments = read_arguments(call.args, "nlfoL", VALUED)
    words = _words(arguments)
    if words[:1] != ["delete"]:
        return
    if arguments.has("dry-run"):
        return
    kinds = ",".join(words[1:2]).split("/")[0].split(",")
    if WHOLE_KINDS & set(kinds) or arguments.has("all", "A", "all-namespaces"):
        _destroyed(
            call, "kubectl-delete", "A whole namespace, or everything of a kind, is deleted."
        )
    else:
        _destroyed(call, "kubectl-delete", "An object of the cluster is deleted.", Severity.LOW)


def infrastructure(call: Call) -> None:
    """terraform, helm, vagrant and their like."""
    arguments = read_arguments(
        call.args, "", ("chdir", "var", "target"), single=call.name in {"terraform", "tofu"}
    )
    words = _words(arguments)
    verb = words[0] if words else ""
    gone = {
        "destroy": Severity.HIGH,
        "uninstall": Severity.MEDIUM,
        "delete": Severity.MEDIUM,
        "down": Severity.MEDIUM,
    }
    if (
        call.name in {"terraform", "tofu", "pulumi", "terragrunt"}
        and verb == "apply"
        and arguments.has("destroy")
    ):
        verb = "destroy"
    if call.name in {"eksctl", "kops"} and verb == "delete":
        verb = "destroy"
    if verb in gone and not arguments.has("help", "h"):
        severity = gone[verb] if call.name != "vagrant" else Severity.MEDIUM
        _destroyed(call, f"{call.name}-{verb}", "Infrastructure is destroyed.", severity)


def cloud(call: Call) -> None:
    arguments = read_arguments(call.args, "", VALUED)
    words = _words(arguments)
    if arguments.has("dryrun", "dry-run"):
        return
    s3 = words[:1] == ["s3"] or call.name in {"gsutil", "s3cmd", "mc", "rclone"}
    recursive = arguments.has("recursive", "r", "R", "force") or call.name == "rclone"
    removes = bool({"rm", "rb", "del", "purge", "delete"} & set(words[:3]))
    if s3 and removes and recursive:
        _destroyed(call, "bucket-delete", "A bucket's contents are deleted.")
    elif s3 and "sync" in words and arguments.has("delete"):
        _destroyed(
            call,
            "bucket-delete",
            "What the source lacks is deleted from the bucket.",
            Severity.MEDIUM,
        )
    elif any(CLOUD.match(word) for word in words[:3]):
        _destroyed(call, "cloud-delete", "A resource in the cloud is deleted.")
    elif "delete" in words[:5] and call.name in {"gcloud", "az", "doctl", "heroku", "flyctl"}:
        whole = {
            "projects",
            "group",
            "instances",
            "clusters",
            "vm",
            "sql",
            "droplet",
            "aks",
            "storage",
            "database",
        }
        severity = Severity.HIGH if whole & set(words) else Severity.MEDIUM
        _destroyed(call, "cloud-delete", "A resource in the cloud is deleted.", severity)
