"""``biombo completion``: what a shell offers after Tab: commands, options, and the words that an option takes."""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, get_args

from typer import Argument
from typer.core import TyperGroup

from biombo._cli.options import Lang

Shell = Literal["bash", "zsh", "fish"]
Which = Annotated[Shell, Argument(metavar="bash|zsh|fish", help="cli.completion.shell")]

POSITION = "BIOMBO_COMPLETE"
"""The variable by which a shell asks: which of the words is not finished, the program's own name being 0."""

_WORDS = re.compile(r"[a-z-]+(?:\|[a-z-]+)+")

_SCRIPTS: dict[Shell, str] = {
    "bash": """\
_biombo() {
    local IFS=$'\\n'
    COMPREPLY=( $(BIOMBO_COMPLETE=$COMP_CWORD "$1" "${COMP_WORDS[@]:1}" 2>/dev/null) )
}
complete -o default -F _biombo biombo
""",
    "zsh": """\
#compdef biombo
_biombo() {
    local -a found
    found=("${(@f)$(BIOMBO_COMPLETE=$((CURRENT - 1)) "$words[1]" "${(@)words[2,-1]}" 2>/dev/null)}")
    if [[ -n "$found[1]" ]]; then compadd -a found; else _files; fi
}
compdef _biombo biombo
""",
    "fish": """\
function __biombo_offers
    set -l before (commandline -opc)
    BIOMBO_COMPLETE=(count $before) $before[1] $before[2..-1] (commandline -ct) 2>/dev/null
end
complete -c biombo -a '(__biombo_offers)'
""",
}


def completion(shell: Which, _lang: Lang = None) -> None:
    """Print the script that a shell reads when it starts."""
    print(_SCRIPTS[shell], end="")


def offers(words: Sequence[str], position: int) -> list[str]:
    """What could stand at ``position`` of the ``words`` after the program's name; nothing where it is up to the shell,
    which offers files.

    >>> offers(["ris"], 0), offers(["key", ""], 1), offers(["search", "a.csv", "--l-kind", "e"], 3)
    (['risk'], ['new', 'id', 'public', 'show', 'review', 'rotate', 'relink'], ['entropy'])
    """
    from biombo._cli.program import application

    before, begun = list(words[:position]), "".join(words[position : position + 1])
    command, given = application(before), list[str]()
    for word in before:
        if isinstance(command, TyperGroup) and word in command.commands:
            command, given = command.commands[word], []
        else:
            given.append(word)
    return [word for word in _possible(command, given, begun) if word.startswith(begun)]


def _possible(command: Any, given: Sequence[str], begun: str) -> Iterator[str]:
    options = {name: each for each in command.params for name in each.opts if each.param_type_name == "option"}
    last = options.get(given[-1]) if given else None
    if last is not None and not last.is_flag:
        yield from _choices(last)
    elif begun.startswith("-"):
        yield from (*(name for name in options if name.startswith("--")), "--help")
    elif isinstance(command, TyperGroup):
        yield from (name for name, each in command.commands.items() if not each.hidden)
    else:
        for argument in (each for each in command.params if each.param_type_name == "argument"):
            yield from _choices(argument)


def _choices(parameter: Any) -> tuple[str, ...]:
    """The words that it takes, where these are given: as its type, or in the help."""
    if parameter.type_descriptor.is_choice:
        return tuple(map(str, get_args(parameter.type_descriptor.annotation)))
    shown = parameter.metavar or ""
    return tuple(shown.split("|")) if _WORDS.fullmatch(shown) else ()
