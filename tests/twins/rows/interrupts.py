"""Rows on cells that are interrupted, and on cells that end the kernel."""

from tests.twins.row import Row, Step, one

ROWS = (
    Row(
        "interrupted in a loop",
        (
            Step(
                """\
%%mlprof
print('on', flush=True)
while True: sum(range(300))""",
                interrupted=True,
            ),
            Step("x = 1"),
        ),
        alone=True,
    ),
    Row(
        "interrupted in sleep",
        (
            Step(
                """\
%%mlprof
import time
print('on', flush=True)

time.sleep(50)""",
                interrupted=True,
            ),
            Step("""\
%%mlprof
'next'"""),
        ),
        alone=True,
    ),
    Row(
        "interrupted and caught",
        (
            Step(
                """\
%%mlprof
import time
print('on', flush=True)
try:
    time.sleep(50)
except KeyboardInterrupt:
    print('caught')
'went on'""",
                interrupted=True,
            ),
        ),
        alone=True,
    ),
    Row(
        "interrupted in short awaits",
        (
            Step(
                """\
%%mlprof
import asyncio
print('on', flush=True)
while True: await asyncio.sleep(0.05)""",
                interrupted=True,
            ),
            Step("1"),
        ),
        alone=True,
    ),
    Row(
        "interrupted just after the cell",
        (
            Step(
                """\
%%mlprof
import os, signal, sys, threading, time
def making_the_profile():
    frame = sys._current_frames()[threading.main_thread().ident]
    while frame and frame.f_globals.get('__name__') != 'jupyter_mlprof.composition':
        frame = frame.f_back
    return frame is not None
def strike():
    latest = time.monotonic() + 1
    while time.monotonic() < latest and not making_the_profile():
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=strike).start()
'ended'""",
                pause_s=1.5,
            ),
            Step("""\
%%mlprof
'next'"""),
        ),
        alone=True,
        not_profiled="the interrupt met the making of the profile",
        sentence="could not finish the profile",
    ),
    Row(
        "interrupted under a handler of the cell's",
        (
            Step("""\
import signal
signal.signal(signal.SIGINT, lambda *_: print('mine'))
None"""),
            Step(
                """\
%%mlprof
import time
print('on', flush=True)
time.sleep(2)""",
                interrupted=True,
            ),
        ),
        alone=True,
    ),
    one(
        "os._exit",
        """\
%%mlprof
import os, time
print('last', flush=True)
time.sleep(0.5)
os._exit(5)""",
        alone=True,
        not_profiled="the kernel ended with the cell; the panel tells it",
        dies=True,
    ),
    one(
        "killed by a signal",
        """\
%%mlprof
import os, signal, time
print('last', flush=True)
time.sleep(0.5)
os.kill(os.getpid(), signal.SIGKILL)""",
        alone=True,
        not_profiled="the kernel ended with the cell; the panel tells it",
        dies=True,
    ),
)
