"""Rows on threads, streams and the working directory."""

from tests.twins.row import Row, Step, one

ROWS = (
    one(
        "threads joined",
        """\
%%mlprof
import threading
got = []
ts = [threading.Thread(target=got.append, args=(i,), name=f't{i}') for i in range(3)]
[t.start() for t in ts]; [t.join() for t in ts]
del ts
sorted(got)""",
    ),
    one(
        "name of an unnamed thread",
        """\
%%mlprof
import threading
threading.Thread().name""",
        alone=True,
    ),
    one(
        "threads alive",
        """\
%%mlprof
import threading
threading.active_count() > 0""",
    ),
    Row(
        "threads that outlive the cell",
        (
            Step("""\
%%mlprof
import threading, time
def late():
    time.sleep(0.6)
    global came
    came = 1
thread = threading.Thread(target=late, name='late')
thread.start()"""),
            Step("""\
thread.join()
came"""),
        ),
        alone=True,
    ),
    one(
        "ThreadPoolExecutor",
        """\
%%mlprof
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(2) as pool: print(list(pool.map(abs, [-1, -2])))""",
    ),
    one(
        "an error in a thread",
        """\
%%mlprof
import threading
def fails():
    raise ValueError('in thread')
t = threading.Thread(target=fails, name='f')
t.start()
t.join()""",
    ),
    one(
        "sys.stdout and sys.stderr replaced",
        """\
%%mlprof
import io, sys
kept = sys.stdout, sys.stderr
sys.stdout = sys.stderr = text = io.StringIO()
print('into')
print('too', file=sys.stderr)
sys.stdout, sys.stderr = kept
text.getvalue()""",
    ),
    Row(
        "sys.stdout replaced for good",
        (
            Step("""\
%%mlprof
import io, sys
kept = sys.stdout
sys.stdout = io.StringIO()
print(1)"""),
            Step("""\
got, sys.stdout = sys.stdout.getvalue(), kept
got"""),
        ),
        alone=True,
    ),
    Row(
        "sys.stderr replaced for good",
        (
            Step("""\
%%mlprof
import io, sys
kept = sys.stderr
sys.stderr = io.StringIO()"""),
            Step("""\
got, sys.stderr = sys.stderr.getvalue(), kept
got"""),
        ),
        alone=True,
    ),
    one(
        "stdout flooded",
        """\
%%mlprof
for i in range(30_000):
    print(i)""",
        alone=True,
    ),
    one(
        "no newline at the end",
        """\
%%mlprof
import sys
sys.stdout.write('a')
sys.stderr.write('b')""",
    ),
    one(
        "the GIL held in C",
        """\
%%mlprof
import ctypes
usleep = ctypes.PyDLL(None).usleep
usleep(1_500_000)""",
    ),
    Row(
        "changes the working directory",
        (
            Step("""\
%%mlprof
import os
os.mkdir('below')
os.chdir('below')
open('here', 'w').close()"""),
            Step("os.listdir()"),
        ),
        alone=True,
    ),
    Row(
        "removes the working directory",
        (
            Step("""\
%%mlprof
import os, shutil
os.mkdir('gone')
os.chdir('gone')
os.rmdir('../gone')"""),
            Step("""\
%%mlprof
os.chdir('/tmp')"""),
            Step("os.chdir(os.path.dirname(os.environ['IPYTHONDIR']) + '/work')"),
        ),
        alone=True,
    ),
)
