"""Rows on what a cell changes in its process: settings, handlers, hooks."""

from tests.twins.row import Row, Step, one

ROWS = (
    one(
        "gc.freeze",
        """\
%%mlprof
import gc
gc.freeze()
x = 1""",
        alone=True,
    ),
    one(
        "gc.disable",
        """\
%%mlprof
import gc
gc.disable()
gc.isenabled()""",
        alone=True,
    ),
    one(
        "a gc callback",
        """\
%%mlprof
import gc
cb = lambda *_: None
gc.callbacks.append(cb)
n = len(gc.callbacks)
gc.callbacks.remove(cb)
n""",
    ),
    one(
        "sys.setrecursionlimit",
        """\
%%mlprof
import sys
sys.setrecursionlimit(180)
x = 1""",
        alone=True,
    ),
    one(
        "logging handlers",
        """\
%%mlprof
import logging, sys
shown = '%(name)s %(lineno)d %(message)s'
logging.basicConfig(stream=sys.stdout, level=logging.DEBUG, format=shown)
logging.getLogger('mine').debug('told')""",
        alone=True,
    ),
    one(
        "atexit",
        """\
%%mlprof
import atexit
atexit.register(print, 'bye')
None""",
        alone=True,
    ),
    Row(
        "SIGINT handler replaced",
        (
            Step("""\
%%mlprof
import signal
def mine(*_): print('mine')
old = signal.signal(signal.SIGINT, mine)"""),
            Step("""\
%%mlprof
signal.getsignal(signal.SIGINT) is mine"""),
        ),
        alone=True,
    ),
    Row(
        "SIGINT ignored",
        (
            Step(
                """\
%%mlprof
import signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
print('on', flush=True)
time.sleep(0.7)
'went on'""",
                interrupted=True,
            ),
        ),
        alone=True,
    ),
    one(
        "an alarm",
        """\
%%mlprof
import signal, time
rang = []
old = signal.signal(signal.SIGALRM, lambda *_: rang.append(1))
signal.setitimer(0, 0.1)
time.sleep(0.3)
signal.signal(signal.SIGALRM, old)
rang""",
    ),
    one(
        "faulthandler",
        """\
%%mlprof
import faulthandler
faulthandler.is_enabled()""",
    ),
    one(
        "environment",
        """\
%%mlprof
import os
sorted(k for k in os.environ if 'MLPROF' in k.upper())""",
    ),
    one(
        "excepthook replaced",
        """\
%%mlprof
import sys
sys.excepthook = print
x = 1""",
        alone=True,
    ),
    one(
        "builtins changed",
        """\
%%mlprof
import builtins
builtins.extra = 5
extra""",
        alone=True,
    ),
    Row(
        "builtins shadowed",
        (
            Step("""\
%%mlprof
list = dict = len = sorted = print = None
str = type = repr = max = 0"""),
            Step("""\
%%mlprof
len"""),
        ),
        alone=True,
    ),
    Row(
        "time.monotonic replaced",
        (
            Step("""\
%%mlprof
import time
kept = time.monotonic, time.time, time.sleep
time.monotonic = time.time = lambda: 0.0
'ran'"""),
            Step("time.monotonic, time.time, time.sleep = kept"),
        ),
        alone=True,
    ),
    Row(
        "open replaced",
        (
            Step("""\
%%mlprof
import builtins
kept = builtins.open
def no(*_, **__): raise OSError('not now')
builtins.open = no
1"""),
            Step("builtins.open = kept"),
        ),
        alone=True,
    ),
    one(
        "unloads the extension",
        """\
%%mlprof
import sys
if 'jupyter_mlprof' in sys.modules:
    get_ipython().run_line_magic('unload_ext', 'jupyter_mlprof')""",
        alone=True,
        not_profiled="the cell took the extension out",
    ),
    Row(
        "reloads the extension",
        (
            Step("""\
%%mlprof
ip = get_ipython()
if 'jupyter_mlprof' in __import__('sys').modules:
    ip.run_line_magic('reload_ext', 'jupyter_mlprof')
'same'"""),
            Step("""\
%%mlprof
2"""),
        ),
        alone=True,
        not_profiled="the cell took the extension out",
    ),
    one(
        "a display hook of the cell's",
        """\
%%mlprof
import sys
old = sys.displayhook
'shown'""",
    ),
    one(
        "weak references and finalizers",
        """\
%%mlprof
import weakref
class C: pass
c = C()
f = weakref.finalize(c, print, 'finalized')
del c""",
    ),
    one(
        "reference counts",
        """\
%%mlprof
import sys
big = [0] * 5_000_000
count = sys.getrefcount(big)
del big
count""",
    ),
    one(
        "modules imported",
        """\
%%mlprof
import sys
'torch' in sys.modules, 'pandas' in sys.modules""",
    ),
    one(
        "import hooks of the cell's",
        """\
%%mlprof
import sys
class Finder:
    seen = []
    @classmethod
    def find_spec(cls, name, path=None, target=None): cls.seen.append(name)
sys.meta_path.insert(0, Finder)
import this.is_nowhere
""",
    ),
    one(
        "a module written and imported",
        """\
%%mlprof
import importlib, sys
sys.path.insert(0, '.')
_ = open('newly.py', 'w').write('def f():\\n    return 1 / 0\\n')
importlib.invalidate_caches()
import newly
print(newly.__loader__.__class__.__name__, newly.__spec__.loader is newly.__loader__)
newly.f()""",
        alone=True,
    ),
)
