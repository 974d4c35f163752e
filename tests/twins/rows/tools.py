"""Rows on other profilers and debuggers in the cell."""

from tests.twins.row import Row, Step, one

ROWS = (
    one(
        "%prun",
        """\
%%mlprof
def called():
    return 1
for _ in range(5): called()
%prun -q -T pruned.txt called()""",
    ),
    one(
        "cProfile",
        """\
%%mlprof
import cProfile, pstats
p = cProfile.Profile()
p.enable()
def called():
    return 1
for _ in range(5): called()
p.disable()
[v[0] for k, v in pstats.Stats(p).stats.items() if k[2] == 'called']""",
    ),
    one(
        "cProfile got by another name",
        """\
%%mlprof --calls
import importlib
P = importlib.import_module('cPro' + 'file').Profile
p = P()
p.enable()
def called():
    return 1
for _ in range(5): called()
p.disable()
[e.callcount for e in p.getstats() if getattr(e.code, 'co_name', '') == 'called']""",
    ),
    one(
        "sys.setprofile",
        """\
%%mlprof
import sys
seen = []
def look(frame, event, arg):
    if frame.f_code.co_name == 'called': seen.append(event)
before = sys.getprofile()
sys.setprofile(look)
def called():
    return 1
for _ in range(5): called()
sys.setprofile(None)
(before, seen)""",
    ),
    Row(
        "sys.setprofile left on",
        (
            Step("""\
%%mlprof
import sys
def nothing(*_): pass
sys.setprofile(nothing)"""),
            Step("""\
%%mlprof
x = 1
kept = sys.getprofile() is nothing
sys.setprofile(None)
kept"""),
        ),
        alone=True,
    ),
    one(
        "sys.settrace",
        """\
%%mlprof
import sys
lines = []
def trace(frame, event, arg):
    if frame.f_code.co_name == 'called': lines.append(event)
    return trace
sys.settrace(trace)
def called():
    return 1
for _ in range(5): called()
sys.settrace(None)
lines""",
        alone=True,
    ),
    one(
        "threading.setprofile",
        """\
%%mlprof
import sys, threading
seen = []
threading.setprofile(lambda f, e, a: seen.append(e) if f.f_code.co_name == 'called' else None)
def called():
    return 1
for _ in range(5): called()
t = threading.Thread(target=called)
t.start()
t.join()
threading.setprofile(None)
seen""",
    ),
    one(
        "a sys.monitoring tool",
        """\
%%mlprof
import sys
m = sys.monitoring
count = []
m.use_tool_id(3, 'mine')
m.register_callback(3, m.events.PY_START, lambda code, at: count.append(code.co_name))
m.set_events(3, m.events.PY_START)
def called():
    return 1
for _ in range(5): called()
m.set_events(3, 0)
m.free_tool_id(3)
count.count('called')""",
        since=(3, 12),
    ),
    one(
        "a sys.monitoring tool in the profiler's place",
        """\
%%mlprof --calls
m = getattr(__import__('sys'), 'moni' + 'toring')
m.use_tool_id(m.PROFILER_ID, 'mine')
got = m.get_tool(2)
m.free_tool_id(2)
def called():
    return 1
for _ in range(5): called()
got""",
        since=(3, 12),
    ),
    one(
        "tracemalloc",
        """\
%%mlprof
import tracemalloc
tracemalloc.start()
x = [0] * 10000
on = tracemalloc.is_tracing()
tracemalloc.stop()
on""",
    ),
    Row(
        "pdb",
        (
            Step(
                """\
%%mlprof
import pdb
def looked_at():
    inside = 5
    pdb.set_trace()
    return inside
looked_at()""",
                typed=("p inside", "w", "n", "c"),
            ),
        ),
        alone=True,
    ),
    Row(
        "pdb, left by q",
        (
            Step(
                """\
%%mlprof
import pdb
x = 1
pdb.set_trace()
x = 2
x = 3""",
                typed=("p x", "q"),
            ),
            Step("x"),
        ),
        alone=True,
    ),
    Row(
        "a debugger started by a function of another cell",
        (
            Step("""\
def stops():
    inside = 5
    __import__('pdb').set_trace()
    return inside"""),
            Step(
                """\
%%mlprof
stops()""",
                typed=("p inside", "n", "c"),
            ),
        ),
        alone=True,
    ),
    one(
        "breakpoint()",
        """\
%%mlprof
x = 1
breakpoint()
x = 2""",
        alone=True,
    ),
    Row(
        "%debug after an error",
        (
            Step("""\
%%mlprof

1 / 0"""),
            Step("%debug", typed=("w", "q")),
        ),
    ),
    Row(
        "%tb after an error",
        (
            Step("""\
%%mlprof

1 / 0"""),
            Step("%tb"),
        ),
    ),
)
