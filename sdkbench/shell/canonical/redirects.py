"""Redirections in order, each with its descriptor written out."""

from sdkbench.shell.canonical.form import Form, constant, text_word
from sdkbench.shell.canonical.words import ScriptForm, parts_form, single_word
from sdkbench.shell.reader.tree import Redirect

_DEFAULT = {"<": "0", "<>": "0", "<&": "0", "<<": "0", "<<-": "0", "<<<": "0"}
_NULL = text_word("/dev/null")


def redirect_forms(redirects: tuple[Redirect, ...], script: ScriptForm) -> tuple[Form, ...]:
    forms: list[Form] = []
    for redirect in redirects:
        forms += _spelled_out(redirect, script)
    return _settled_null(forms)


def _spelled_out(redirect: Redirect, script: ScriptForm) -> list[Form]:
    operator = redirect.operator
    descriptor = redirect.descriptor or _DEFAULT.get(operator, "1")
    if redirect.heredoc:
        body = parts_form(redirect.heredoc.parts, script)
        return [Form("redirect", f"{descriptor}<<", (body,))]
    if operator == "<<<":
        # The shell doesn't split this word, and adds a line end.
        word = single_word(redirect.target, script, splitting=False)
        return [Form("redirect", f"{descriptor}<<", (_with_line_end(word),))]
    target = single_word(redirect.target, script)
    text = constant(target) or ""
    if operator == ">&" and not redirect.descriptor and not _is_descriptor(text):
        operator = "&>"
    if operator in ("&>", "&>>"):
        both = Form("redirect", "2>&", (text_word("1"),))
        return [Form("redirect", "1" + operator[1:], (target,)), both]
    return [Form("redirect", descriptor + operator, (target,))]


def _is_descriptor(text: str) -> bool:
    return text == "-" or text.rstrip("-").isdigit()


def _with_line_end(word: Form) -> Form:
    atoms = list(word.children)
    if atoms and atoms[-1].kind == "text":
        atoms[-1] = Form("text", atoms[-1].label + "\n")
    else:
        atoms.append(Form("text", "\n"))
    return Form("word", "", tuple(atoms))


def _settled_null(forms: list[Form]) -> tuple[Form, ...]:
    """Descriptors that all end in /dev/null: it doesn't matter how they got there."""
    at_null: set[str] = set()
    for form in forms:
        descriptor = form.label.rstrip("<>&|")
        target = constant(form.children[0]) or ""
        copies = form.label.endswith(">&") and target in at_null
        opens = form.label.endswith(">") and form.children[0] == _NULL
        if descriptor in at_null or not (copies or opens):
            return tuple(forms)
        at_null.add(descriptor)
    return tuple(Form("redirect", f"{descriptor}>", (_NULL,)) for descriptor in sorted(at_null))
