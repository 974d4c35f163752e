"""Rows on cells that end with an error."""

from tests.twins.row import Row, Step, one

ROWS = (
    one(
        "an error",
        """\
%%mlprof

x = 1
1 / 0
""",
    ),
    one(
        "an error in nested functions, chained",
        """\
%%mlprof
def inner():
    return {}['key']
def outer():
    try:
        inner()
    except KeyError as error:
        raise RuntimeError('outer') from error

def top():
    try:
        outer()
    finally:
        print('finally')
top()""",
    ),
    one(
        "an error while another is handled",
        """\
%%mlprof
try:
    1 / 0
except ZeroDivisionError:
    undefined_name""",
    ),
    one(
        "an exception group",
        """\
%%mlprof
raise ExceptionGroup('several', [ValueError(1), TypeError(2)])""",
    ),
    Row(
        "an error in a function of another cell",
        (
            Step("""\
def fails():
    raise LookupError('there')"""),
            Step("""\
%%mlprof

fails()"""),
        ),
    ),
    one(
        "an error in exec'd code",
        """\
%%mlprof
exec('a = 1\\n1 / 0')""",
    ),
    one(
        "an error in a library",
        """\
%%mlprof
import json
json.loads('{')""",
    ),
    one(
        "an assertion",
        """\
%%mlprof
assert 1 == 2, 'not equal'""",
    ),
    one(
        "SyntaxError",
        """\
%%mlprof
def (:""",
        not_profiled="no code of the cell ran",
    ),
    one(
        "IndentationError",
        """\
%%mlprof
if True:
x = 1""",
        not_profiled="no code of the cell ran",
    ),
    one(
        "return outside function",
        """\
%%mlprof
x = 1
return x""",
        not_profiled="no code of the cell ran",
    ),
    one(
        "a string with no end",
        """\
%%mlprof
x = '''no end""",
        not_profiled="no code of the cell ran",
    ),
    one(
        "KeyboardInterrupt of the cell's own",
        """\
%%mlprof
raise KeyboardInterrupt('mine')""",
    ),
    one(
        "raise SystemExit",
        """\
%%mlprof
raise SystemExit""",
    ),
    one(
        "sys.exit(3)",
        """\
%%mlprof
import sys
sys.exit(3)""",
    ),
    Row(
        "exit()",
        (
            Step(
                """\
%%mlprof
exit()""",
                followed=False,
                pause_s=1.0,
            ),
        ),
        alone=True,
    ),
    one(
        "a __repr__ that raises",
        """\
%%mlprof
class Bad:
    def __repr__(self): 1 / 0
Bad()""",
    ),
    one(
        "a variable whose __repr__ raises",
        """\
%%mlprof
class Odd:
    def __repr__(self): raise OSError
    def __sizeof__(self): raise OSError
    def __len__(self): raise OSError
    @property
    def nbytes(self): raise OSError
odd = [Odd()]
print('made')""",
    ),
    one(
        "an error whose __str__ raises",
        """\
%%mlprof
class Bad(Exception):
    def __str__(self): 1 / 0
raise Bad""",
    ),
    one(
        "recursion to the limit",
        """\
%%mlprof
import sys
def deep(n):
    return deep(n + 1)
kept = sys.getrecursionlimit()
sys.setrecursionlimit(100)  # of more frames IPython takes half a minute to show
try:
    deep(0)
finally:
    sys.setrecursionlimit(kept)""",
    ),
    one(
        "recursion caught at the limit",
        """\
%%mlprof
import sys
def depth(n=0):
    try:
        return depth(n + 1)
    except RecursionError:
        return n
depth() > 900""",
    ),
    one(
        "MemoryError",
        """\
%%mlprof
[0] * (1 << 60)""",
    ),
    one(
        "warnings.warn",
        """\
%%mlprof
import warnings
def old():
    warnings.warn('old', stacklevel=2)

old()
warnings.warn('here')""",
    ),
    one(
        "SyntaxWarning",
        """\
%%mlprof
x = 1
x is 1""",
    ),
)
