"""Rows on what else IPython offers: pager, history, extensions, events."""

from tests.twins.row import Row, Step, one

ROWS = (
    Row(
        "%load_ext of another extension",
        (
            Step("""\
%%mlprof
%load_ext autoreload
%autoreload 2"""),
            Step("""\
%%mlprof
x = 1"""),
        ),
        alone=True,
    ),
    one(
        "help in the pager",
        """\
%%mlprof
len?""",
    ),
    one(
        "source in the pager",
        """\
%%mlprof
def shown():
    return 1
shown??""",
    ),
    one(
        "help()",
        """\
%%mlprof
def told():
    'Says.'
help(told)""",
    ),
    Row(
        "%history and %recall",
        (
            Step("""\
%%mlprof
first = 1"""),
            Step("%history -l 1"),
        ),
        alone=True,
    ),
    one(
        "%who and %whos",
        """\
%%mlprof
mine = 1
%who int""",
        alone=True,
    ),
    one(
        "%reset",
        """\
%%mlprof
mine = 1
%reset -f
'mine' in globals()""",
        alone=True,
    ),
    one(
        "%matplotlib inline",
        """\
%%mlprof
%matplotlib inline
x = 1""",
        alone=True,
        needs=("matplotlib",),
    ),
    one(
        "run_cell in the cell",
        """\
%%mlprof
ip = get_ipython()
r = ip.run_cell('print(1)\\n2')
r.result""",
    ),
    Row(
        "user transformers and events",
        (
            Step("""\
calls = []
ip = get_ipython()
ip.events.register('pre_run_cell', lambda info: calls.append(info.raw_cell.count('\\n')))
ip.events.register('post_run_cell', lambda r: calls.append(r.success))"""),
            Step("""\
%%mlprof
x = 1"""),
            Step("calls"),
        ),
        alone=True,
    ),
)
