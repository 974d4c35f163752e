"""Rows on input and child processes."""

from tests.twins.row import Row, Step, one

ROWS = (
    one(
        "input()",
        """\
%%mlprof
name = input('who? ')
name""",
    ),
    Row(
        "input() answered",
        (
            Step(
                """\
%%mlprof
name = input('who? ')
name""",
                typed=("Ada",),
            ),
        ),
    ),
    Row(
        "getpass",
        (
            Step(
                """\
%%mlprof
import getpass
len(getpass.getpass('key: '))""",
                typed=("secret",),
            ),
        ),
    ),
    one(
        "os.fork with wait",
        """\
%%mlprof
import os, time
child = os.fork()
if child == 0:
    time.sleep(0.2)
    os._exit(7)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
del child
code""",
        alone=True,
    ),
    one(
        "os.wait for all children",
        """\
%%mlprof
import os
child = os.posix_spawnp('true', ['true'], os.environ)
n = 0
try:
    while True:
        os.wait()
        n += 1
except ChildProcessError:
    del child
n""",
        alone=True,
    ),
    one(
        "multiprocessing Pool(2)",
        """\
%%mlprof
import multiprocessing
def square(x):
    return x * x
with multiprocessing.get_context('fork').Pool(2) as pool:
    squares = pool.map(square, range(6))
squares""",
        alone=True,
    ),
    one(
        "an error in a Pool's worker",
        """\
%%mlprof
import multiprocessing
def fails(x):
    return 1 / x
with multiprocessing.get_context('fork').Pool(2) as pool:
    pool.map(fails, [0])""",
        alone=True,
    ),
    one(
        "subprocess",
        """\
%%mlprof
import subprocess
subprocess.run(['sh', '-c', 'echo a; exit 2'], capture_output=True)""",
    ),
)
