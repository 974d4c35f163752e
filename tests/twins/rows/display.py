"""Rows on what a cell shows: progress bars, updates, widgets, plots."""

from tests.twins.row import Row, Step, one

ROWS = (
    one(
        "print and display",
        """\
%%mlprof
print(1)
display(2, 3)
print(4)
5""",
    ),
    one(
        "stdout and stderr",
        """\
%%mlprof
import sys
print('out')
print('err', file=sys.stderr)""",
    ),
    one(
        "rich outputs",
        """\
%%mlprof
from IPython.display import HTML, JSON, Markdown, SVG
display(HTML('<i>a</i>'), Markdown('*b*'), JSON({'c': 1}))
HTML('<b>last</b>')""",
    ),
    one(
        "display_id updated",
        """\
%%mlprof
handle = display('a', display_id=True)
handle.update('b')
display('c', display_id='fixed')
from IPython.display import update_display
update_display('d', display_id='fixed')""",
    ),
    Row(
        "display updated by a later cell",
        (
            Step("""\
%%mlprof
handle = display('a', display_id='x')"""),
            Step("""\
%%mlprof
handle.update('b')"""),
        ),
    ),
    one(
        "clear_output",
        """\
%%mlprof
from IPython.display import clear_output
for i in range(3):
    print(i)
    clear_output(wait=True)
print('end')""",
    ),
    one(
        "clear_output left waiting",
        """\
%%mlprof
from IPython.display import clear_output
print('a')
clear_output(wait=True)""",
    ),
    one(
        "tqdm",
        """\
%%mlprof
from tqdm import tqdm
for _ in tqdm(range(3), mininterval=9): pass""",
        needs=("tqdm",),
    ),
    one(
        "tqdm.notebook",
        """\
%%mlprof
from tqdm.notebook import tqdm
for _ in tqdm(range(3), mininterval=9): pass""",
        alone=True,
        needs=("tqdm", "ipywidgets"),
    ),
    Row(
        "ipywidgets",
        (
            Step("""\
%%mlprof
import ipywidgets
slider = ipywidgets.IntSlider(value=3)
slider.observe(lambda change: print(change.new), 'value')
slider"""),
            Step("""\
%%mlprof
slider.value = 5"""),
        ),
        alone=True,
        needs=("ipywidgets",),
    ),
    one(
        "ipywidgets Output",
        """\
%%mlprof
import ipywidgets
out = ipywidgets.Output()
display(out)
with out:
    print('inside')
print('outside')""",
        alone=True,
        needs=("ipywidgets",),
    ),
    Row(
        "ipywidgets Output left open",
        (
            Step("""\
import ipywidgets
out = ipywidgets.Output()
out"""),
            Step("""\
%%mlprof
out.__enter__()
print('inside')"""),
            Step("""\
out.__exit__(None, None, None)
out.outputs"""),
        ),
        alone=True,
        needs=("ipywidgets",),
    ),
    one(
        "matplotlib inline",
        """\
%%mlprof
import matplotlib.pyplot as plt
plt.plot([1, 3, 2])
plt.title('t')
plt.show()
plt.plot([3, 1])""",
        alone=True,
        needs=("matplotlib",),
    ),
    one(
        "matplotlib, figure left to the end of the cell",
        """\
%%mlprof
import matplotlib.pyplot as plt
plt.plot([1, 3, 2])
x = 1""",
        alone=True,
        needs=("matplotlib",),
    ),
    one(
        "a comm",
        """\
%%mlprof
from comm import create_comm
channel = create_comm('mine', data={'a': 1})
channel.send({'b': 2})
channel.close()""",
    ),
    one(
        "a large output",
        """\
%%mlprof
'x' * 300_000""",
    ),
    one(
        "payloads",
        """\
%%mlprof
get_ipython().set_next_input('next = 1')""",
    ),
)
