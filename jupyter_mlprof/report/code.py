"""Source code with its syntax in colour, one piece of HTML for each line."""

from __future__ import annotations

from jupyter_mlprof.report.markup import Html, joined

# Beyond this, colours are not worth the wait.
MOST = 60_000


def code_lines(source: str, language: str = "ipython3") -> list[Html]:
    """Return the lines of a source, highlighted where the language is known."""
    plain = source.replace("\r\n", "\n").replace("\r", "\n")
    lines = plain.split("\n")
    if len(plain) > MOST:
        return [joined(line) for line in lines]
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return [joined(line) for line in lines]
    formatter = HtmlFormatter(nowrap=True, classprefix="hl-")
    found = highlight(plain, lexer, formatter).split("\n")[: len(lines)]
    # A lexer may drop what it does not know: then the text goes before the colours.
    whole = len(found) == len(lines)
    return [Html(line) for line in found] if whole else [joined(line) for line in lines]
