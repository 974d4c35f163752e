"""Have the main thread do something between two of its instructions.

Python 3.11 switches a profiler off only in the thread that it profiles, and a signal handler would
take the place of the user's.
"""

import ctypes
from collections.abc import Callable

_Pending = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
# What is pending must outlive whoever asked for it.
_pending: dict[int, object] = {}


def soon(act: Callable[[], None]) -> bool:
    """Have the main thread call `act` as soon as it runs Python; False where its queue is full."""

    def called(_: object) -> int:
        _pending.pop(id(act), None)
        act()
        return 0

    pending = _pending[id(act)] = _Pending(called)
    if ctypes.pythonapi.Py_AddPendingCall(pending, None) == 0:
        return True
    del _pending[id(act)]
    return False
