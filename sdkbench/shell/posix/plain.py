"""Commands so plain that no tool has anything to say about their language.

Well-known programs that are no builtins of any shell, with words, quoted texts, pipes, lists and
redirections to files. Everything else is for the tools.
"""

import re

# Not one of these is a builtin or a keyword in sh, dash, bash, ksh or zsh, nor has ShellCheck a
# portability code about it.
PROGRAMS = (
    "awk|basename|bc|bzip2|cal|cat|chgrp|chmod|chown|cksum|cmp|column|comm|cp|cpio|crontab|curl|cut|"
    "date|dd|df|diff|dig|dirname|docker|du|env|expand|file|find|fold|free|git|grep|gunzip|gzip|head|"
    "hostname|iconv|id|ifconfig|install|ip|join|kubectl|less|ln|logname|ls|lsblk|lsof|make|man|md5sum|"
    "mkdir|mkfifo|mktemp|more|mount|mv|nice|nl|nohup|nslookup|od|paste|patch|ping|pgrep|pkill|pr|ps|"
    "python3|readlink|realpath|rev|rm|rmdir|rsync|scp|sed|seq|sha256sum|shuf|sleep|sort|split|ssh|"
    "stat|strings|sudo|systemctl|tac|tail|tar|tee|top|touch|tr|tree|tsort|uname|uniq|unzip|uptime|wc|"
    "wget|who|whoami|xargs|xz|zcat|zip"
)

# Nothing that any shell expands, joins or splits but for `*` and `?`, and no backslash, history
# sign, equals sign, brace or bracket.
WORD = r"(?:~/)?[\w./:,@%+*?-]+"
SINGLE = r"'[ !-&(-\[\]-~]*'"  # printable ASCII without backslash
DOUBLE = r'"[ #%&(-\[\]-_a-~]*"'  # neither backslash nor what is expanded between double quotes
ARGUMENT = rf"(?:{WORD}|{SINGLE}|{DOUBLE})"
REDIRECTION = rf"(?:2>&1|2> ?/dev/null|(?:<|>|>>) ?{WORD})"
COMMAND = rf"(?:{PROGRAMS})(?: +(?:{ARGUMENT}|{REDIRECTION}))*"
NO_SOCKET = r"(?!.*/dev/(?:tcp|udp))"  # which some shells open for a redirection
PLAIN = re.compile(rf"{NO_SOCKET}{COMMAND}(?: *(?:\||&&|\|\||;) *{COMMAND})* *", re.ASCII)

MAX_LENGTH = 500


def surely_plain(text: str) -> bool:
    return len(text) <= MAX_LENGTH and PLAIN.fullmatch(text) is not None
