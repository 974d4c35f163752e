"""The sampler keeps nothing of the user's alive."""

import gc
import threading
import time
from types import FrameType

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.stacks import Stacks
from jupyter_mlprof.collect.ticker import Ticker


def test_a_sample_leaves_no_frames_to_the_garbage_collector():
    ticker = Ticker()
    stacks = Stacks(ticker)
    gc.collect()
    gc.disable()
    try:
        stacks.start(CellCode("", __file__, threading.get_ident()))
        time.sleep(0.3)
        parts = stacks.stop()
        left = [
            one.f_code.co_qualname
            for one in gc.get_objects()
            if type(one) is FrameType and one.f_code.co_filename.endswith("stacks.py")
        ]
    finally:
        gc.enable()
    assert parts["lines"]
    assert left == []
