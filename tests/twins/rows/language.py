"""Rows on what the language and IPython's own syntax do in a cell."""

from tests.twins.row import Row, Step, one

ROWS = (
    one(
        "variables stay",
        """\
%%mlprof
kept = 1
kept += 1
print(kept)""",
    ),
    one(
        "value of the last line",
        """\
%%mlprof
left = 20
left + 1""",
    ),
    one(
        "trailing semicolon",
        """\
%%mlprof
left = 20
left + 1;""",
    ),
    Row(
        "_, __ and Out",
        (
            Step("""\
%%mlprof
7 * 6"""),
            Step("""\
%%mlprof
_ + 1"""),
            Step("(_, __)"),
        ),
    ),
    one(
        "a cell of 20 ms",
        """\
%%mlprof
import time
time.sleep(0.02)""",
    ),
    one(
        "busy lines",
        """\
%%mlprof
from time import monotonic
end = monotonic() + 0.5
while monotonic() < end:
    sum(range(300))""",
        hottest=5,
    ),
    one(
        "empty body",
        """\
%%mlprof
""",
    ),
    one(
        "comments only",
        """\
%%mlprof
# nothing
# at all""",
    ),
    one(
        "comment lines above the magic",
        """\
# about
# this

%%mlprof
above = 1
above""",
    ),
    one(
        "two %%mlprof lines",
        """\
%%mlprof
%%mlprof -n inner
twice = 2
twice""",
    ),
    Row(
        "indented cell",
        (
            Step(
                """\
%%mlprof
    dented = 1
    dented""",
                bare="""\
    dented = 1
    dented""",
            ),
        ),
    ),
    Row(
        "prompts pasted",
        (
            Step(
                """\
%%mlprof
>>> pasted = 1
>>> pasted""",
                bare="""\
>>> pasted = 1
>>> pasted""",
            ),
        ),
    ),
    one(
        "del",
        """\
%%mlprof
gone = 1
del gone
'gone' in globals()""",
    ),
    one(
        "global in a function",
        """\
%%mlprof
def set_it():
    global from_inside
    from_inside = 3
set_it()
from_inside""",
    ),
    one(
        "comprehension",
        """\
%%mlprof
n = 3
[[i * j * n for i in range(n)] for j in range(n)]""",
    ),
    one(
        "triple-quoted string",
        '''\
%%mlprof
text = """line1
    line2
  %%mlprof
"""
text''',
    ),
    one(
        "from __future__ import annotations",
        """\
%%mlprof
from __future__ import annotations
def f(x: nowhere): pass
f.__annotations__""",
        alone=True,
    ),
    one(
        "line magics and shell",
        """\
%%mlprof
x = !echo hi
%env TWIN=1
y = %pwd
!echo out
x""",
    ),
    one(
        "unicode names",
        """\
%%mlprof
def größe(π):
    return π
ñ = größe('☃')
ñ""",
    ),
    one(
        "generator, recursion, exec'd code without a file",
        """\
%%mlprof
def g(n):
    yield from range(n)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
exec('made = sum(g(9))')
(made, fib(9), eval('made + 1'))""",
    ),
    Row(
        "function redefined in another cell",
        (
            Step("""\
def again():
    return 1"""),
            Step("""\
%%mlprof
again()"""),
            Step("""\
%%mlprof
def again():
    return 2
again()"""),
            Step("""\
%%mlprof
import inspect
inspect.getsource(again)"""),
        ),
    ),
)
