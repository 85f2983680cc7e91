"""Code of other languages on the command line, looked at for what is plainly destructive.

This is lexical: calls by name, and the string literals in them. It does not read the languages.
"""

import re

from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.report import Hazard, Severity
from sdkbench.shell.safety.rules.deletion import judge_deletion
from sdkbench.shell.safety.values import STAR, Text

# The patterns below look ahead on a line: a longer one is a bundle, not a one-liner.
MAX_CODE = 20_000
LITERAL = re.compile(
    r"""[rbuf]{0,2}"((?:[^"\\]|\\.)*)"|[rbuf]{0,2}'((?:[^'\\]|\\.)*)'|`([^`]*)`|q[qx]?\{([^}]*)\}"""
)
SHELL_CALL = re.compile(
    r"\b(?:system|popen|Popen|spawn\w*|exec\w*|subprocess|getoutput|shell_exec|passthru|proc_open"
    r"|Open3|Kernel|check_output|check_call|call|run|do shell script|qx)\b"
)
LISTED = re.compile(r"[\[(]((?:\s*[\"'][^\"']*[\"'](?:\s*,)?)+)\s*[\])]")
BACKTICKS = re.compile(r"(?<![\w$])`([^`]+)`|%x\{([^}]*)\}|qx[\{(/]([^})/]*)")
DELETE_CALL = re.compile(
    r"\b(?:shutil\.rmtree|rmtree|os\.removedirs|os\.remove|os\.unlink|os\.rmdir|FileUtils\.rm\w*|rm_rf"
    r"|remove_dir|rmdirSync|rmSync|unlinkSync|fs\.rm\w*|fs\.promises\.rm|rimraf|removeSync|remove_tree|unlink"
    r"|File\.delete|Dir\.rmdir|Path\(\S+\)\.unlink|del_tree)\s*\(?\s*(?P<rest>[^\n;]*)"
)
HOME_CALL = re.compile(
    r"os\.path\.expanduser\s*\(|Path\.home\(\)|os\.homedir\(\)|Dir\.home|\$ENV\{HOME\}|os\.environ\[.HOME.\]"
    r"|process\.env\.HOME|ENV\[.HOME.\]"
)
LOOPED_FORK = re.compile(
    r"\b(while|for|until|loop)\b[^\n]*\bfork\b|\bfork\b[^\n]*\b(while|until|redo|unless)\b|fork\s*\(?\)?\s*while"
    r"|while[^\n]*:\s*\n?\s*os\.fork"
)
SOCKET = re.compile(
    r"(?i)\bsocket\b|IO::Socket|TCPSocket|fsockopen|net\.(connect|Socket|createConnection)|/inet/tcp/"
)
SHELL_NAME = re.compile(r"/bin/(ba|z|da|k)?sh\b|\bcmd\.exe\b|\bpty\.spawn\b|['\"](ba|z|da)?sh['\"]")
TIES = re.compile(
    r"\bdup2\b|fileno|stdin\s*=|STDIN|pipe\(|\bspawn\b|proc_open|popen|reopen|system|getline|exec"
)
HIDDEN = re.compile(
    r"b64decode|base64\.decode|fromhex|unhexlify|codecs\.decode|zlib\.decompress|marshal\.loads|decode64"
    r"|base64_decode|gzinflate|str_rot13|Buffer\.from\([^)]*base64|atob\(|unpack\s*\(?\s*['\"][uHm]|pack\s*\(?\s*['\"][uH]"
    r"|chr\(\d+\)\s*\+|bytes\(\["
)
FETCHED = re.compile(
    r"urlopen|urlretrieve|requests\.get|LWP::Simple|HTTP::Tiny|Net::HTTP|open-uri|URI\.open|file_get_contents\s*\(\s*['\"]http"
    r"|https?\.get|fetch\("
)
RUN = re.compile(
    r"(?<![\w.])(exec|eval|system|popen|shell_exec|execSync|instance_eval)\b|os\.(system|popen|execute|exec\w+)|subprocess\."
)
DEVICE_WRITE = re.compile(
    r"""open\s*\(?[^)\n]*['"]>?\s*(/dev/(?:sd|nvme|hd|vd|mmcblk|disk)\w*|/etc/(?:passwd|shadow|sudoers))['"][^)\n]*['"+]?[wa>]"""
)
WALK = re.compile(
    r"os\.walk\s*\(\s*['\"](/|~|/home|/etc|/usr|/var)['\"]|glob\S*\s*\(\s*['\"](/\*\*?|~/\*)"
)


def judge_inline(text: Text, call: Call) -> None:
    text = text.saying(text.value[:MAX_CODE])
    code = text.value
    _shell_calls(text, call)
    _deletions(text, call)
    if LOOPED_FORK.search(code):
        call.report("fork-bomb", Hazard.EXHAUSTION, Severity.CRITICAL,
                    "The code forks in a loop without end.", text.span)  # fmt: skip
    awk_shell = "/inet/" in code and code.count("getline") > 1
    if awk_shell or (
        SOCKET.search(code)
        and (SHELL_NAME.search(code) or (TIES.search(code) and RUN.search(code)))
    ):
        call.report("reverse-shell", Hazard.REMOTE_SHELL, Severity.CRITICAL,
                    "The code ties a shell to a network connection.", text.span)  # fmt: skip
    if HIDDEN.search(code) and RUN.search(code):
        call.report("decoder-to-interpreter", Hazard.CODE_FLOW, Severity.HIGH,
                    "The code decodes text and runs it.", text.span)  # fmt: skip
    if FETCHED.search(code) and RUN.search(code):
        call.report("network-to-interpreter", Hazard.CODE_FLOW, Severity.CRITICAL,
                    "The code fetches text from the network and runs it.", text.span)  # fmt: skip
    if DEVICE_WRITE.search(code):
        call.report("device-write", Hazard.DEVICE, Severity.CRITICAL,
                    "The code writes to a disk or an account file.", text.span)  # fmt: skip


def _shell_calls(text: Text, call: Call) -> None:
    """Where anything is run, every string may be what is run: through a variable, or in a list."""
    code = text.value
    if SHELL_CALL.search(code):
        strings = [_string(literal) for literal in LITERAL.finditer(code)]
        lists = [
            " ".join(_string(literal) for literal in LITERAL.finditer(found[1]))
            for found in LISTED.finditer(code)
        ]
        for command in (*strings, *lists):
            if " " in command.strip():
                call.scope.run_text(command, call.scope, text.span, call.stdin)
    for found in BACKTICKS.finditer(code):
        command = next(filter(None, found.groups()), "")
        call.scope.run_text(command, call.scope, text.span, call.stdin)


def _deletions(text: Text, call: Call) -> None:
    walks = WALK.search(text.value)
    for found in DELETE_CALL.finditer(text.value):
        rest = found["rest"]
        home = HOME_CALL.search(rest)
        literal = LITERAL.search(rest)
        if home and not (literal and _string(literal).strip("~/")):
            judge_deletion(text.saying("/home/me"), call, recursive=True)
        elif literal:
            path = _string(literal)
            judge_deletion(text.saying(_path(path)), call, recursive=True)
        elif walks:
            path = next(filter(None, walks.groups()))
            judge_deletion(text.saying(_path(path)), call, recursive=True)


def _string(found: re.Match[str]) -> str:
    value = next((group for group in found.groups() if group is not None), "")
    return value.replace('\\"', '"').replace("\\'", "'").replace("\\n", "\n")


def _path(value: str) -> str:
    """A path as the languages write it: `~` and `*` are expanded by a call around it."""
    return re.sub(r"^~", "/home/me", value).replace("*", STAR)
