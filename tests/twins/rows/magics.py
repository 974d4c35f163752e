"""Rows on magics in the cell and around it."""

from tests.twins.row import Row, Step, one

ROWS = (
    one(
        "%time inside",
        """\
%%mlprof
%time x = 1
%time x + 1""",
    ),
    one(
        "%timeit inside",
        """\
%%mlprof
%timeit -n 3 -r 2 sum(range(10))""",
    ),
    one(
        "%%time inside",
        """\
%%mlprof
%%time
from time import monotonic
end = monotonic() + 0.5
while monotonic() < end:
    sum(range(300))
'value'""",
        hottest=6,
    ),
    one(
        "%%time of one expression",
        """\
%%mlprof
%%time
(lambda: 5)()""",
    ),
    one(
        "%%time inside, an error",
        """\
%%mlprof
%%time

x = 1
1 / 0""",
    ),
    one(
        "%%timeit inside",
        """\
%%mlprof
%%timeit -n 2 -r 2
import time
time.sleep(0.1)""",
        hottest=4,
    ),
    one(
        "%%capture inside",
        """\
%%mlprof
%%capture got
print('in')
from time import monotonic
end = monotonic() + 0.5
while monotonic() < end:
    sum(range(300))
21""",
        hottest=7,
    ),
    one(
        "%%capture inside, an error",
        """\
%%mlprof
%%capture

1 / 0""",
    ),
    Row(
        "%%capture inside, shown later",
        (
            Step("""\
%%mlprof
%%capture got
print('in')
display(1)
2"""),
            Step("got.show()"),
        ),
    ),
    one(
        "%%prun inside",
        """\
%%mlprof
%%prun -q -T counts.txt
def called():
    return 1
for _ in range(5): called()""",
    ),
    one(
        "%%writefile inside",
        """\
%%mlprof
%%writefile written.py
x = 1
%%mlprof
""",
    ),
    one(
        "%%bash inside",
        """\
%%mlprof
%%bash
echo from bash
echo bad >&2
exit 0""",
    ),
    one(
        "%%bash that fails",
        """\
%%mlprof
%%bash
exit 3""",
    ),
    one(
        "%%script in the background",
        """\
%%mlprof
%%script --bg --out piped bash
echo far""",
    ),
    one(
        "%%html, %%latex",
        """\
%%mlprof
%%html
<b>bold</b>""",
    ),
    one(
        "%%time outside",
        """\
%%time
%%mlprof
from time import monotonic
end = monotonic() + 0.5
while monotonic() < end:
    sum(range(300))
'value'""",
        hottest=6,
    ),
    one(
        "%%time outside, an error",
        """\
%%time
%%mlprof

1 / 0""",
    ),
    one(
        "%%timeit outside",
        """\
%%timeit -n 2 -r 1
%%mlprof
import time
time.sleep(0.1)""",
    ),
    Row(
        "%%capture outside",
        (
            Step("""\
%%capture got
%%mlprof
print('in')
display(1)
2"""),
            Step("(got.stdout, got.stderr, [one.data for one in got.outputs])"),
        ),
    ),
    one(
        "%%capture and %%time outside",
        """\
%%capture got
%%time
%%mlprof
print('in')
2""",
    ),
    one(
        "%%prun outside",
        """\
%%prun -q
%%mlprof
def called():
    return 1
for _ in range(5): called()""",
    ),
    one(
        "unknown magic inside",
        """\
%%mlprof
%%nonesuch
x = 1""",
    ),
    one(
        "unknown line magic",
        """\
%%mlprof
%nonesuch""",
    ),
    one(
        "%run of a script",
        """\
%%mlprof
_ = open('s.py', 'w').write('ran = 5\\n')
%run s.py
ran""",
    ),
)
