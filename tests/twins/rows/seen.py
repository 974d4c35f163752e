"""Rows on what a cell sees of itself and of its process."""

from tests.twins.row import Row, Step, one

ROWS = (
    Row(
        "random stream",
        (
            Step("import random; random.seed(7)"),
            Step("""\
%%mlprof
random.random(), random.random()"""),
        ),
    ),
    one(
        "globals and locals",
        """\
%%mlprof
(globals() is locals(), __name__, '__file__' in globals())""",
    ),
    one(
        "the stack seen from the cell",
        """\
%%mlprof
import sys
frame, names = sys._getframe(), []
while frame:
    names.append(frame.f_code.co_name)
    frame = frame.f_back
names[:6]""",
    ),
    one(
        "class and dataclass",
        """\
%%mlprof
import dataclasses, pickle
@dataclasses.dataclass
class Point:
    x: int
pickle.loads(pickle.dumps(Point(3)))""",
    ),
)
