"""Shells and other interpreters: which text is their code, and what it plainly does.

Code of other languages is looked at by its words: calls by name, and the string literals in them.
It is not parsed.
"""

import re

from sdkbench.shell.safety.call import Call, rule
from sdkbench.shell.safety.places import file_stream
from sdkbench.shell.safety.rules.effects import judge_deletion
from sdkbench.shell.safety.scope import HOME
from sdkbench.shell.safety.values import STAR, Stream, Text, all_taints, joined

SHELLS = frozenset({
    "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash", "csh", "tcsh", "yash",
    "posh", "pwsh", "xonsh", "nu", "elvish", "bash5", "ksh93",
})  # fmt: skip
INTERPRETERS = "python perl ruby node php lua osascript Rscript tclsh gdb irb julia expect"
STDIN = frozenset({"-", "/dev/stdin", "/proc/self/fd/0", "/dev/fd/0"})

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


@rule(" ".join(SHELLS))
def shell(call: Call) -> None:
    """`sh -c text`, `sh file`, `sh < file`, `… | sh`."""
    if call.scope.talks_to:
        call.report("reverse-shell.shell")
    for startup in call.arguments.every("rcfile", "init-file"):
        call.scope.run_stream(file_stream(startup, call.scope), startup.span)
    operands = call.operands
    inner = call.scope.child()
    if call.has("c", "command"):
        if operands:  # `sh -c code name arguments`
            code = operands[0]
            inner.positional = tuple(operands[2:]) or inner.positional
            if operands[1:]:
                inner.variables["0"] = (operands[1],)
            inner.run_stream(Stream(code.value, code.taints), code.span, call.stdin)
    elif operands and not call.has("s") and operands[0].value not in STDIN:
        inner.positional = tuple(operands[1:])
        inner.run_stream(file_stream(operands[0], call.scope), operands[0].span, call.stdin)
    else:
        call.scope.run_stream(call.stdin, call.span)


@rule("eval")
def evaluate(call: Call) -> None:
    """The words joined are code."""
    words = [arg for arg in call.args if arg.value != "--"]
    if words:
        stream = Stream(joined(words), all_taints(words))
        call.scope.run_stream(stream, words[0].span, call.stdin)


@rule("source .")
def source(call: Call) -> None:
    """Standard input, a substitution or a file written earlier may be the code."""
    for file in call.args[:1]:
        stream = call.stdin if file.value in STDIN else file_stream(file, call.scope)
        call.scope.run_stream(stream, file.span)


@rule("alias")
def alias(call: Call) -> None:
    """Code that runs later."""
    for arg in call.args:
        name, equals, text = arg.value.partition("=")
        if equals:
            call.run_code(arg.saying(text))
            call.scope.aliases[name] = text


@rule("trap")
def trap(call: Call) -> None:
    for word in call.plain_words[:1]:
        call.run_code(word)


@rule("at batch")
def scheduled(call: Call) -> None:
    """They read their job from standard input."""
    call.scope.run_stream(call.stdin, call.span)


@rule(INTERPRETERS)
def interpreter(call: Call) -> None:
    """`python -c`, `perl -e`, and code on standard input."""
    code = call.arguments.every(*call.utility.code, "eval", "print", "command", "execute")
    for text in code:
        call.scope.run_stream(Stream(None, text.taints), text.span, shell=False)
        judge_inline(text, call)
    if code or (call.name == "python" and call.has("m")):
        return
    if not call.operands or call.operands[0].value in STDIN:
        if call.scope.talks_to:
            call.report("reverse-shell.interpreter")
        stream = call.stdin
    else:
        stream = file_stream(call.operands[0], call.scope)
    call.scope.run_stream(stream, call.span, shell=False)
    if stream.text:
        judge_inline(Text(stream.text, call.span), call)


@rule("awk")
def awk(call: Call) -> None:
    """The program is the first operand; it may call a shell."""
    programs = call.arguments.every("source")
    if not programs and not call.has("file"):
        programs = call.operands[:1]
    for text in programs:
        judge_inline(text, call)


def judge_inline(text: Text, call: Call) -> None:
    text = text.saying(text.value[:MAX_CODE])
    code = text.value
    _shell_calls(text, call)
    _deletions(text, call)
    runs = RUN.search(code)
    awk_shell = "/inet/" in code and code.count("getline") > 1
    shell_ends = SHELL_NAME.search(code) or (TIES.search(code) and runs)
    cases = {
        "fork-bomb.inline": LOOPED_FORK.search(code),
        "reverse-shell.inline": awk_shell or (SOCKET.search(code) and shell_ends),
        "decoder-to-interpreter.inline": HIDDEN.search(code) and runs,
        "network-to-interpreter.inline": FETCHED.search(code) and runs,
        "device-write.inline": DEVICE_WRITE.search(code),
    }
    for name, holds in cases.items():
        if holds:
            call.report(name, text)


def _shell_calls(text: Text, call: Call) -> None:
    """Where anything is run, every string may be what is run: through a variable, or in a list."""
    code = text.value
    if SHELL_CALL.search(code):
        strings = map(_string, LITERAL.finditer(code))
        listed = (map(_string, LITERAL.finditer(found[1])) for found in LISTED.finditer(code))
        for command in (*strings, *map(" ".join, listed)):
            if " " in command.strip():
                call.run_code(text.saying(command))
    for found in BACKTICKS.finditer(code):
        call.run_code(text.saying(next(filter(None, found.groups()), "")))


def _deletions(text: Text, call: Call) -> None:
    walks = WALK.search(text.value)
    for found in DELETE_CALL.finditer(text.value):
        literal = LITERAL.search(found["rest"])
        path = _string(literal) if literal else None
        if HOME_CALL.search(found["rest"]) and not (path and path.strip("~/")):
            path = HOME
        elif path is None and walks:
            path = next(filter(None, walks.groups()))
        if path is not None:
            # `~` and `*` are expanded by a call around it.
            path = re.sub(r"^~", HOME, path).replace("*", STAR)
            judge_deletion(text.saying(path), call, recursive=True)


def _string(found: re.Match[str]) -> str:
    value = next((group for group in found.groups() if group is not None), "")
    return value.replace('\\"', '"').replace("\\'", "'").replace("\\n", "\n")
